// Code of docs/senders.md, so that tests run what the document shows.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#test/support/sources.ts';

export const documentText = readFileSync(join(ROOT, 'docs/senders.md'), 'utf8');

/** The blocks of code in a language behind the first heading of this text, up to the next one of its level. */
export function snippets(heading: string, language = ''): readonly string[] {
  const begin = documentText.indexOf(`\n${heading}\n`);
  if (begin === -1) throw new Error(`docs/senders.md has no heading: ${heading}`);
  const [marks = ''] = heading.split(' ');
  const rest = documentText.slice(begin + 1);
  const end = rest.indexOf(`\n${marks} `);
  const section = end === -1 ? rest : rest.slice(0, end);
  const blocks = section.matchAll(/```(\w*)\n([\s\S]*?)```/g);
  return [...blocks].flatMap(([, named, code = '']) => (named === language ? [code] : []));
}
