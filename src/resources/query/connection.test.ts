// What becomes of a query whose reader goes away, and of a reader whose query does.

import { describe, expect, it } from 'vitest';
import { entriesOf } from '#test/support/audit.ts';
import { ENDLESS_JSON, finished, hold, openCursor, sendQuery, statusOf } from '#test/support/queries.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const QUERIES = '/api/core/queries';

describe('A query and its connection', () => {
  const subject = serviceFor({ flags: { 'queries-in-all': '1' } });
  const { call } = subject;
  const cancelOf = (id: number) => call('POST', `${QUERIES}/${id}/cancel`);
  const newest = async () => (await call('GET', `${QUERIES}?limit=1`)).json.queries[0];

  it('is cancelled at once when the connection is dropped in the middle of its rows', async () => {
    const held = await hold(subject.service.url);
    expect(await statusOf(subject, held.id)).toMatchObject({ is_finished: false, is_cancelled: false });
    held.drop();
    const status = await finished(subject, held.id);
    expect(status).toMatchObject({ is_cancelled: true, cancel_reason: 'NetworkFailure' });
    expect(status.commands.every((command: { status: string }) => command.status === 'End')).toBe(true);
  });

  it('is cancelled when the connection is dropped before the first row', async () => {
    const asked = sendQuery(subject.service.url, `${ENDLESS_JSON} | stats count by a`);
    asked.on('error', () => undefined);
    const begun = await until(newest, (query) => query?.query_string.includes('stats') && query.start_time > 0);
    expect(begun).toMatchObject({ is_finished: false, rows: 0 });
    asked.destroy();
    expect(await finished(subject, begun.id)).toMatchObject({ is_cancelled: true, cancel_reason: 'NetworkFailure' });
  });

  it('is cancelled when the connection is dropped while it waits, and never runs', async () => {
    const held = await hold(subject.service.url);
    const entries = await entriesOf(subject, async () => {
      const asked = sendQuery(subject.service.url, 'json "{waits:1}"');
      asked.on('error', () => undefined);
      const waiting = await until(newest, (query) => query?.query_string === 'json "{waits:1}"');
      expect(waiting.commands).toEqual([{ command: 'json "{waits:1}"', status: 'Waiting', push_count: 0 }]);
      asked.destroy();
      const ended = await finished(subject, waiting.id);
      expect(ended).toMatchObject({ is_cancelled: true, rows: 0, cancel_reason: 'NetworkFailure' });
      expect(ended.commands[0].status).toBe('End');
    });
    expect(entries).toMatchObject([
      { method: 'run', params: { q: 'json "{waits:1}"' }, error: 'query has ended: connection closed' },
    ]);
    held.drop();
    await finished(subject, held.id);
  });

  it('breaks off without its end when it is cancelled after the first row', async () => {
    const held = await hold(subject.service.url);
    expect(outcome(await cancelOf(held.id))).toEqual([200, {}]);
    await expect(held.rest()).rejects.toThrow();
    expect(await finished(subject, held.id)).toMatchObject({
      is_cancelled: true,
      cancel_reason: 'UserRequest',
      error_code: 93001,
      error_detail: 'cancelled on request',
    });
  });

  it('has an ordinary answer when it is cancelled before the first row', async () => {
    const held = await hold(subject.service.url);
    const answer = call('GET', `/api/core/query?q=${encodeURIComponent('json "{late:1}"')}`);
    const waiting = await until(newest, (query) => query?.query_string === 'json "{late:1}"');
    await cancelOf(waiting.id);
    expect(outcome(await answer)).toEqual(
      refused(500, 'illegal-state', 'query has ended: (93001) cancelled on request'),
    );
    held.drop();
    await finished(subject, held.id);
  });

  it('leaves its place to the next, however it ended', async () => {
    expect(await finished(subject, await openCursor(subject, 'json "{}"'))).toMatchObject({ rows: 1 });
    const metrics = async () => (await call('GET', '/metrics')).text;
    await expect.poll(metrics).toContain('vigil_queries_running 0\n');
    const text = await metrics();
    expect(text).toContain('vigil_queries_waiting 0\n');
    expect(text).toContain('vigil_queries_finished_total{source="rest-api",state="succeeded"} 1\n');
    expect(text).toMatch(/vigil_queries_finished_total\{source="rest-api",state="cancelled"\} [1-9]/);
  });
});
