// The README promises answers: every line of its section on the nine published operations is pasted into a shell beside a demo.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHome } from '#test/support/process.ts';
import { sourcesIn } from '#test/support/sources.ts';

const PATIENCE_MS = 120_000;
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

interface Sample {
  readonly lines: string;
  /** Undefined where nothing is said about it. */
  readonly answer: string | undefined;
}

const [readme] = sourcesIn('README.md');
const section = /^## The nine published operations\n(.*?)^## /ms.exec(readme?.text ?? '')?.[1] ?? '';
const samples: Sample[] = [...section.matchAll(/^```sh\n(.*?)^```\n(?:\n```json\n(.*?)^```\n)?/gms)].map(
  ([, lines = '', answer]) => ({ lines, answer }),
);

describe('The README', () => {
  it('names the nine published operations in their order', () => {
    const named = [...section.matchAll(/^\*\*(\d)\. (.*?)\.\*\*/gm)].map(([, number, name]) => `${number} ${name}`);
    expect(named).toEqual(OPERATIONS.map((name, at) => `${at + 1} ${name}`));
  });

  it('says what its lines need, and shows an answer to every other one', () => {
    expect(samples.filter(({ answer }) => answer === undefined).map(({ lines }) => lines)).toEqual([
      `export VIGIL_KEY=${MASTER_KEY}\nAPI=http://127.0.0.1:8470/api/core\n`,
    ]);
    expect(samples.length).toBeGreaterThan(OPERATIONS.length);
  });
});

/** Nobody can paste its lines where it is not installed. */
const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe.skipIf(!hasCurl)('Beside a demo, with curl', () => {
  const home = makeHome();
  let answers: readonly string[] = [];

  beforeAll(async () => {
    const running = home.serve({ VIGIL_DEMO: 'true', VIGIL_MASTER_KEY: MASTER_KEY });
    const url = await running.ready();
    answers = pasted(url);
  }, PATIENCE_MS);
  afterAll(() => home[Symbol.dispose]());

  /** All in one shell, as somebody would who reads on. */
  function pasted(url: string): string[] {
    const END = '--- end of an answer ---';
    const script = samples.map(({ lines }) => `${lines}echo; echo '${END}'`).join('\n');
    const here = script.replaceAll('http://127.0.0.1:8470', url);
    mkdirSync(join(home.folder, 'shell'));
    const options = { cwd: join(home.folder, 'shell'), encoding: 'utf8', timeout: PATIENCE_MS } as const;
    const said = execFileSync('bash', ['-euc', here], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    return said.split(`${END}\n`);
  }

  for (const [at, { lines, answer }] of samples.entries()) {
    if (answer === undefined) continue;
    it(`the README tells the truth about ${lines.trim().split('\n').at(-1)}`, () => {
      const told = steady(answer.replace(/\n (?=\S)/g, ''));
      expect(steady(answers[at] ?? ''), told).toMatch(pattern(told));
    });
  }
});

/** Without what differs from one demo to the next. */
const steady = (text: string): string =>
  text
    .trim()
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4}/g, 'TIME')
    .replace(/"(id|elapsed|start_time|finish_time|stamp|table_size|ratio|created_at|time)":[\d.e-]+/g, '"$1":N')
    .replace(/"request_id":"[\w-]+"/g, '"request_id":"ID"');

/** The whole of a text, in which `…` stands for anything within a line. */
const pattern = (told: string): RegExp => new RegExp(`^${told.split('…').map(RegExp.escape).join('.*')}$`);
