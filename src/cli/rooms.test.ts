// The order of the rooms of the command line: texts, the kit, the nouns, the shell over the query, the list of commands.

import { expect, it } from 'vitest';
import { isTest, sourcesIn } from '#test/support/sources.ts';

const RUNGS = ['messages', 'kit', 'noun', 'shell', 'commands.ts', 'request.ts', 'main.ts'];

it('A noun of the command line imports no other noun, and every import points down', () => {
  const wrong = sourcesIn('src/cli/**/*.ts')
    .filter((source) => !isTest(source))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/from '#cli\/([^']+)'/g)]
        .map(([, target = '']) => target)
        .filter((target) => !mayImport(path.slice('src/cli/'.length), target))
        .map((target) => `${path} imports ${target}`),
    );
  expect(wrong).toEqual([]);
});

function mayImport(from: string, to: string): boolean {
  const own = rungOf(from);
  const other = rungOf(to);
  return other < own || (other === own && from.split('/')[0] === to.split('/')[0]);
}

function rungOf(path: string): number {
  const rung = RUNGS.indexOf(path.split('/')[0] ?? '');
  return rung === -1 ? RUNGS.indexOf('noun') : rung;
}
