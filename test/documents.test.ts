// README, docs/contract.md and docs/tour.md promise answers: every shell block is pasted into a shell beside a service, and
// compared with the output that the document shows below it.

import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BlockResult,
  patternOf,
  type RunnableDocument,
  readDocument,
  runDocument,
  steady,
} from '#test/support/documents.ts';
import { freePort } from '#test/support/free-port.ts';
import { makeHome } from '#test/support/process.ts';
import { sourcesIn } from '#test/support/sources.ts';

const MASTER_KEY = 'only-for-this-tour-0123456789abcdef';
const OPERATIONS = [
  'Remove Scheduled Queries',
  'Stop Scheduled Queries',
  'Update Scheduled Query',
  'Restore Batch Rule Version',
  'Restore Stream Rule Version',
  'Get Query Status',
  'Cancel upload',
  'Get Tables',
  'Get audit logs',
];

const readme = readDocument('README.md');
const contract = readDocument('docs/contract.md');
const tour = readDocument('docs/tour.md');

describe('The documents', () => {
  it('name the nine published operations in their order', () => {
    const titles = [...(sourcesIn('docs/contract.md')[0]?.text ?? '').matchAll(/^## (.*)$/gm)].map(
      ([, title]) => title,
    );
    expect(titles).toEqual(OPERATIONS.map((name, at) => `${at + 1}. ${name}`));
  });

  it('show an answer to every call of a published operation', () => {
    const silent = contract.blocks.filter(({ output }) => output === undefined).map(({ lines }) => lines);
    expect(silent).toEqual([`export VIGIL_KEY=${MASTER_KEY}\nAPI=http://127.0.0.1:8470/api/core\n`]);
    expect(contract.blocks.length).toBeGreaterThan(OPERATIONS.length);
  });

  it('start the same demo', () => {
    expect(readme.flags).toEqual(contract.flags);
    expect(readme.flags).toContain('--demo');
  });

  it('keep the README below 120 lines, with three questions', () => {
    const text = sourcesIn('README.md')[0]?.text ?? '';
    expect(text.split('\n').length).toBeLessThanOrEqual(120);
    expect([...text.matchAll(/^\*\*.*\?\*\*/gm)]).toHaveLength(3);
  });
});

/** Without it no reader can paste the blocks either. */
const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe.skipIf(!hasCurl)('Beside the service that the document starts', () => {
  const suites = [
    { name: 'a demo', documents: [readme, contract] },
    { name: 'an empty folder', documents: [tour] },
  ];
  for (const { name, documents } of suites) {
    describe(name, () => {
      const home = makeHome();
      const results = new Map<RunnableDocument, readonly BlockResult[]>();

      beforeAll(async () => {
        const flags = documents[0]?.flags ?? [];
        const running = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, TZ: 'UTC' }, { flags });
        const url = await running.ready();
        const replacements = { '10514': String(await freePort()) };
        for (const document of documents) {
          results.set(document, runDocument(document, { folder: home.folder, url, replacements }));
        }
      });
      afterAll(() => home[Symbol.dispose]());

      for (const document of documents) {
        for (const [at, { lines, output }] of document.blocks.entries()) {
          it(`${document.path} is right about ${lines.trim().split('\n').at(-1)}`, () => {
            const result = results.get(document)?.[at];
            if (output !== undefined) return expectShown(result?.output ?? '', output);
            expect(result?.failed).toEqual([]);
            expect(result?.output).not.toContain('error_code');
          });
        }
      }
    });
  }
});

/** A mismatch is reported as a difference of texts: a pattern is hard to read. */
function expectShown(actual: string, shown: string): void {
  const received = steady(actual);
  const expected = steady(shown);
  expect(patternOf(shown).test(received) ? expected : received).toBe(expected);
}
