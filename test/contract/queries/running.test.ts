// Statuses of commands and their counts while a query runs: they only go forward, and follow 12.2 of the language.

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  ENDLESS,
  ENDLESS_ROWS,
  endAll,
  fillMany,
  hold,
  isFinished,
  isRunning,
  openCursor,
  reached,
  type Status,
  statusOf,
  watch,
} from '#test/support/queries.ts';
import { expectForward, STEPS } from '#test/support/status-records.ts';
import { serviceFor } from '#test/support/suites.ts';
import { upload } from '#test/support/uploads.ts';

const COUNT = 100_000;
const right = (count: number) => `join type=cross [ table big | search n < ${count} | fields n | rename n as m ]`;

/** Enough work to be looked at a few times, with the counts at its end. */
const HEAVY: readonly [q: string, ...counts: number[]][] = [
  [`table big | ${right(2000)} | stats max(n + m) as x`, COUNT, COUNT * 2000, 1],
  [`table big | search k < 5 | ${right(2000)} | stats sum(n * m) as x by k`, COUNT, COUNT / 2, COUNT * 1000, 5],
  [
    `set _live = true | table big | search k < 5 | ${right(200)} | stats max(n + m) as x`,
    0,
    COUNT,
    COUNT / 2,
    COUNT * 100,
    1,
  ],
  ['table big | eval h = concat(text, n, text) | stats dc(h) as x by k | sort -x', COUNT, COUNT, 10, 10],
  ['table big | sort text | eval x = n * 2 | search x > 10', COUNT, COUNT, COUNT, COUNT - 6],
];

describe('A query that runs', () => {
  const subject = serviceFor();
  beforeAll(async () => {
    await fillMany(subject);
    await subject.call('POST', '/api/core/tables', { form: { table: 'big' } });
    const lines = Array.from({ length: COUNT }, (_, n) => JSON.stringify({ n, k: n % 10, text: `record ${n}` }));
    const { json } = await upload(subject, lines.join('\n'), { metadata: { table: 'big' } });
    expect(json.accepted).toBe(COUNT);
  });
  afterEach(() => endAll(subject));

  it.each(HEAVY.map(([q, ...counts]) => ({ q, counts })))('only goes forward: $q', async ({ q, counts }) => {
    const seen = await watch(subject, await openCursor(subject, q), isFinished);
    expectForward(seen);
    const pushed = (status: Status) => status.commands.map(({ push_count }: Status) => push_count);
    expect(pushed(seen.at(-1))).toEqual(counts);
    expect(seen.at(-1)).toMatchObject({ is_cancelled: false, rows: counts.at(-1) });
    for (const status of seen) {
      const steps = status.commands.map((command: Status) => STEPS.indexOf(command.status));
      // Nothing has begun behind something that has not.
      expect(steps).toEqual(steps.toSorted((a: number, b: number) => b - a));
    }
  });

  it('keeps running up to its first transforming command, and waits behind it', async () => {
    const id = await openCursor(subject, `${ENDLESS} | eval y = x | sort y`);
    const { commands } = await reached(subject, id, isRunning);
    const steps = commands.map(({ status }: Status) => status);
    expect(steps.slice(0, 2)).toEqual(['Running', 'Running']);
    expect(steps.slice(3)).toEqual(['Waiting', 'Waiting', 'Waiting']);
    expect(commands.slice(3).map(({ push_count }: Status) => push_count)).toEqual([0, 0, 0]);
  });

  it('runs its subqueries of a join first', async () => {
    const id = await openCursor(subject, ENDLESS);
    const { sub_queries } = await reached(subject, id, isRunning);
    expect(sub_queries).toHaveLength(2);
    for (const sub of sub_queries) expect(sub.commands[0].status).not.toBe('Waiting');
  });

  it('whose rows are being fetched is Running without a transforming command', async () => {
    using held = await hold(
      subject.service.url,
      `table big | eval a = text, b = text, c = text, d = text | repeat count=20`,
    );
    const { commands, is_finished } = await statusOf(subject, held.id);
    expect([is_finished, ...commands.map(({ status }: Status) => status)]).toEqual([
      false,
      'Running',
      'Running',
      'Running',
    ]);
  });

  it('whose rows are being fetched has its last transforming command Finalizing, those before it End', async () => {
    const q = 'table big | search k < 9 | repeat count=10 | sort text | eval a = text, b = text, c = text';
    using held = await hold(subject.service.url, q);
    const { commands, is_finished } = await statusOf(subject, held.id);
    expect([is_finished, ...commands.map(({ status }: Status) => status)]).toEqual([
      false,
      'End',
      'End',
      'End',
      'Finalizing',
      'Running',
    ]);
  });

  it('never counts what does not exist: no count is above what the data has', async () => {
    const id = await openCursor(subject, ENDLESS_ROWS.replace('table many', 'table many | search k == 3'));
    const seen = await watch(subject, id, ({ rows }) => rows > 50_000);
    await subject.call('POST', `/api/core/queries/${id}/cancel`);
    const after = await watch(subject, id, isFinished);
    expectForward([...seen, ...after]);
    for (const { commands } of [...seen, ...after]) {
      expect(commands[0].push_count).toBeLessThanOrEqual(20_000);
      expect(commands[1].push_count).toBeLessThanOrEqual(2_000);
    }
    await subject.call('DELETE', `/api/core/cursors/${id}`);
  });
});
