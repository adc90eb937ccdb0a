// Records of a megabyte and texts that queries make as long: few of them are in memory at once, so that their rows are given while
// the process stays within what queries may have and as much for everything else.

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger, push } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { type Caller, ran } from '#test/support/queries.ts';
import { MASTER_KEY, send } from '#test/support/service.ts';

const MIB = 2 ** 20;
const QUERY_MEMORY = 768 * MIB;
const MAX_RESIDENT = QUERY_MEMORY + 768 * MIB;
const RECORDS = 600;
const FIELDS = Array.from({ length: 20 }, (_, n) => `f${n}`);
const EXHAUSTED = 93003;

/** About a megabyte; the texts of different records differ. */
const record = (n: number) =>
  JSON.stringify({ n, ...Object.fromEntries(FIELDS.map((name) => [name, `${name} ${n} 로그인 실패 `.repeat(1900)])) });

describe('Long records', () => {
  const home = makeHome();
  let service: Caller;
  let pid = 0;

  beforeAll(async () => {
    const running = home.serve({
      VIGIL_MASTER_KEY: MASTER_KEY,
      VIGIL_QUERY_MEMORY: String(QUERY_MEMORY),
      VIGIL_QUERY_MEMORY_PER_ACCOUNT: String(512 * MIB),
    });
    const url = await running.ready();
    service = { call: (method, path, how) => send(`${url}${path}`, method, how) };
    pid = running.child.pid ?? 0;
    const logger = await createLogger(service, { table: 'long' });
    for (let from = 0; from < RECORDS; from += 12) {
      const body = Array.from({ length: 12 }, (_, at) => record(from + at)).join('\n');
      expect((await push(service, logger, { body })).json).toMatchObject({ accepted: 12 });
    }
    await push(service, await createLogger(service, { table: 'short' }), {
      body: Array.from({ length: 10_000 }, (_, n) => JSON.stringify({ n, text: `short ${n}` })).join('\n'),
    });
  });
  afterAll(() => home[Symbol.dispose]());

  /** What the process had at most since the last call. */
  const peak = () => {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return Number(kilobytes) * 1024;
  };

  /** With its rows, or because there is no memory for what it sorts or computes. */
  const expectEnd = async (text: string) => {
    const status = await ran(service, text);
    expect([undefined, EXHAUSTED], JSON.stringify(status)).toContain(status.error_code);
    expect(peak(), text).toBeLessThan(MAX_RESIDENT);
  };

  it('are given as rows, in the order of their times or in another', async () => {
    expect(peak()).toBeLessThan(MAX_RESIDENT);
    for (const text of ['table long', 'table long | evalc x = 1']) {
      expect(await ran(service, text), text).toMatchObject({ rows: RECORDS, is_cancelled: false });
      expect(peak(), text).toBeLessThan(MAX_RESIDENT);
    }
    await expectEnd('table long | sort f1');
  });

  it('are computed with', async () => {
    const upper = FIELDS.map((name) => `${name} = upper(${name})`).join(', ');
    await expectEnd(`table long | eval ${upper}`);
    expect(await ran(service, 'table long | eval a = len(concat(f1, f2, f3)) | stats sum(a)')).toMatchObject({
      rows: 1,
    });
    expect(peak()).toBeLessThan(MAX_RESIDENT);
  });

  it('that a query makes of short ones are given, or end it', async () => {
    const doubled = Array.from({ length: 9 }, () => 'eval x = concat(x, x)').join(' | ');
    const twenty = (many: number) =>
      Array.from({ length: 20 }, (_, n) => `a${n} = concat(${Array(many).fill('x').join(', ')})`).join(', ');
    const made = (many: number) => `table short | eval x = text | ${doubled} | eval ${twenty(many)}`;
    expect(await ran(service, `${made(2)} | limit 2000 | stats count, max(a1)`)).toMatchObject({ rows: 1 });
    expect(peak()).toBeLessThan(MAX_RESIDENT);
    expect(await ran(service, `${made(100)} | limit 40`)).toMatchObject({ rows: 40, is_cancelled: false });
    expect(peak()).toBeLessThan(MAX_RESIDENT);
    await expectEnd(`${made(100)} | limit 200 | sort -a1`);
  });
});
