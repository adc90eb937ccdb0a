// Requests that meet a query just as it begins or ends: whichever comes first, what is told afterwards is whole.

import { beforeAll, describe, expect, it } from 'vitest';
import { metricsOf } from '#test/support/metrics.ts';
import {
  cancel,
  fillMany,
  finished,
  isFinished,
  linesOf,
  listedUntil,
  openCursor,
  pause,
  QUERIES,
  QUERY,
  ran,
  rowsFrom,
} from '#test/support/queries.ts';
import { MASTER_KEY, nodesOf } from '#test/support/service.ts';
import { expectListed, expectRecord } from '#test/support/status-records.ts';
import { serviceFor } from '#test/support/suites.ts';

const ROUNDS = 60;
/** Short enough to end by itself soon. */
const SHORT = 'table many | search k < 5 | join k [ table many | dedup k | fields k ] | sort -n';

describe('A request just as a query ends', () => {
  const subject = serviceFor();
  const { call } = subject;
  beforeAll(() => fillMany(subject, { count: 5000 }));

  it('cancels it, or comes too late: either way the record is whole', async () => {
    const outcomes = new Set<boolean>();
    const lengths: number[] = [];
    // The first query of a node loads the language and takes many times as long as those behind it.
    for (const node of nodesOf(subject.service)) {
      await ran(node, SHORT);
      const { start_time, finish_time } = await ran(node, SHORT);
      lengths.push(finish_time - start_time);
    }
    const lasts = Math.max(...lengths);
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await openCursor(subject, SHORT);
      // From at once to about its end, and once after it.
      if (round < ROUNDS - 1) await pause((round / ROUNDS) * 1.25 * lasts);
      else await finished(subject, id);
      expect((await cancel(subject, id)).json).toEqual({});
      const last = await finished(subject, id);
      expectRecord(last);
      outcomes.add(last.is_cancelled);
      const rows = linesOf(await rowsFrom(subject, id, 'limit=100000'));
      expect([round, rows.length]).toEqual([round, last.rows]);
      if (!last.is_cancelled) expect(last.rows).toBe(2500);
    }
    expect(outcomes.has(false)).toBe(true);
  });

  it('drops it, whatever else asks for it meanwhile', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await openCursor(subject, SHORT);
      await pause(round);
      const [removed, ...others] = await Promise.all([
        call('DELETE', `/api/core/cursors/${id}`),
        call('GET', `${QUERIES}/${id}`),
        rowsFrom(subject, id, 'limit=100000'),
        call('PUT', `${QUERIES}/${id}/tags`, { json: { tags: { a: 'b' } } }),
        cancel(subject, id),
      ]);
      expect(removed.json).toEqual({ status: 'ok' });
      for (const { status } of others) expect([200, 403]).toContain(status);
      expect((await call('GET', `${QUERIES}/${id}`)).status).toBe(403);
    }
    expect(await metricsOf(subject.service)).not.toMatch(/defects_total [1-9]/);
  });

  it('or begins: a reader that leaves at any moment leaves no query behind', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const leaving = new AbortController();
      const url = `${subject.service.url}${QUERY}?${new URLSearchParams({ q: SHORT })}`;
      const headers = { authorization: `Bearer ${MASTER_KEY}` };
      const answer = fetch(url, { headers, signal: leaving.signal }).then(
        (got) => got.text().catch(() => ''),
        () => '',
      );
      await pause(round);
      leaving.abort();
      await answer;
    }
    const { json } = await call('GET', QUERIES);
    for (const { id } of json.queries) expectListed(await listedUntil(subject, id, isFinished));
    expect(await metricsOf(subject.service)).not.toMatch(/defects_total [1-9]/);
  });
});
