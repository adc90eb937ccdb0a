// A query that wants more memory than there is fails alone: whoever runs beside it has its rows, and logs come in.

import { describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { createAccount } from '#test/support/accounts.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { finished, openCursor, ran } from '#test/support/queries.ts';
import { type Subject, serviceFor } from '#test/support/suites.ts';

const MIB = 1024 * 1024;
const EXHAUSTED = {
  is_finished: true,
  cancel_reason: 'LowDisk',
  error_code: 93003,
  error_detail: 'memory or disk is exhausted',
};
/** Holds every value of a group, and cannot put them anywhere else. */
const HOG =
  'json "{a:1}" | repeat count=900000 | eval b = concat("some longer text ", string(seq())) | stats values(b)';
async function metric({ call }: Subject, name: string): Promise<number> {
  const { text } = await call('GET', '/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

describe('Memory', () => {
  const flags = { 'query-memory': String(95 * MIB), 'query-memory-per-account': String(95 * MIB) };
  // Memory is looked at by the clock.
  const subject = serviceFor({ flags, clock: systemClock });
  const { call } = subject;

  it('that one query wants for itself fails that query, and no other', async () => {
    const logger = await createLogger(subject, { table: 'web' });
    await push(subject, logger, { body: '{"n":1}\n{"n":2}\n' });
    const { key } = await createAccount(subject, 'ADMIN', { login: 'innocent' });
    const hogs = [await openCursor(subject, HOG), await openCursor(subject, HOG)];
    for (let round = 0; round < 10; round += 1) {
      const grouped = await ran(subject, 'table web | repeat count=10000 | stats count by n | sort n', { key });
      expect(grouped).toMatchObject({ rows: 2, is_cancelled: false });
      expect((await push(subject, logger, { body: '{"n":1}\n{"n":2}\n' })).json).toMatchObject({ accepted: 2 });
    }
    for (const id of hogs) expect(await finished(subject, id)).toMatchObject(EXHAUSTED);
    expect(await metric(subject, 'vigil_query_limit_hits_total{limit="memory"}')).toBe(2);
    expect(await metric(subject, 'vigil_queries_begun_again_total{how="apart"}')).toBeGreaterThanOrEqual(2);
    expect((await call('GET', '/readyz')).status).toBe(200);
  });

  it('is an ordinary refusal to whoever waits for the first row', async () => {
    const { status, json } = await call('GET', `/api/core/query?q=${encodeURIComponent(HOG)}`);
    expect([status, json]).toEqual([
      500,
      { error_code: 'illegal-state', error_msg: 'query has ended: (93003) memory or disk is exhausted' },
    ]);
  });
});
