// How long a query is remembered: its status for an hour after its end, its rows for a day after they were last fetched.

import { beforeAll, describe, expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import {
  ask,
  cancel,
  ENDLESS,
  fillMany,
  finished,
  linesOf,
  listed,
  notYours,
  openCursor,
  QUERIES,
  ran,
  rowsFrom,
} from '#test/support/queries.ts';
import { databases } from '#test/support/service.ts';
import { BEGINNING, outcome, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const GOOD = 'json "[{a:1},{a:2}]"';

describe.each(databases)('What is kept of a query, on $name', ({ name }) => {
  const clock = new ManualClock(BEGINNING);
  const subject = serviceFor({ clock, database: name });
  const { call } = subject;
  beforeAll(() => fillMany(subject));
  const status = async (id: number) => (await call('GET', `${QUERIES}/${id}`)).status;
  const rows = async (id: number) => (await rowsFrom(subject, id)).status;
  /** What is past its time goes by itself: it may take a round of the clock. */
  const gone = (asked: () => Promise<number>) => until(asked, (code) => code === 403);

  it('is its status for an hour after the end, however it ended', async () => {
    const { id } = await ran(subject, GOOD);
    const failed = await ran(subject, 'json "[{}]" | repeat count=10001 | eval n = seq() | pivot count cols n');
    expect(failed.is_cancelled).toBe(true);
    const streamed = Number((await ask(subject, { q: GOOD })).headers.get('x-query-id'));
    await finished(subject, streamed);
    clock.leap({ minutes: 59, seconds: 50 });
    for (const one of [id, failed.id, streamed]) expect([one, await status(one)]).toEqual([one, 200]);
    // To be asked for it does not lengthen its life.
    clock.leap({ seconds: 30 });
    for (const one of [id, failed.id, streamed]) {
      expect([one, await gone(() => status(one))]).toEqual([one, 403]);
      expect(outcome(await call('GET', `${QUERIES}/${one}`))).toEqual(notYours(one));
      expect(await listed(subject, one)).toBeUndefined();
    }
  });

  it('is its rows for a day after they were last fetched', async () => {
    const { id } = await ran(subject, GOOD);
    for (let day = 0; day < 3; day += 1) {
      clock.leap({ hours: 23, minutes: 59 });
      const answer = await rowsFrom(subject, id);
      expect([day, answer.status]).toEqual([day, 200]);
      expect(linesOf(answer)).toEqual([{ a: 1 }, { a: 2 }]);
    }
    expect(await status(id)).toBe(403);
    clock.leap({ hours: 24, minutes: 1 });
    expect(await gone(() => rows(id))).toBe(403);
    expect(outcome(await rowsFrom(subject, id))).toEqual(notYours(id));
    expect(outcome(await call('DELETE', `/api/core/cursors/${id}`))).toEqual(notYours(id));
  });

  it('is rows that nobody fetched for a day, too', async () => {
    const { id } = await ran(subject, GOOD);
    clock.leap({ hours: 23, minutes: 59 });
    const other = await ran(subject, GOOD);
    expect(await rows(id)).toBe(200);
    clock.leap({ hours: 24, minutes: 1 });
    expect(await gone(() => rows(other.id))).toBe(403);
  });

  it('can be removed after its status has gone', async () => {
    const { id } = await ran(subject, GOOD);
    clock.leap({ hours: 2 });
    expect(await gone(() => status(id))).toBe(403);
    expect(await rows(id)).toBe(200);
    expect(outcome(await call('DELETE', `/api/core/cursors/${id}`))).toEqual([200, { status: 'ok' }]);
    expect(await rows(id)).toBe(403);
  });

  it('is everything of a query which still runs, however long it does', async () => {
    const id = await openCursor(subject, ENDLESS);
    clock.leap({ hours: 49 });
    expect(await status(id)).toBe(200);
    expect(await rows(id)).toBe(200);
    await cancel(subject, id);
    await finished(subject, id);
    clock.leap({ minutes: 50 });
    expect(await status(id)).toBe(200);
  });

  it('is nothing after a restart', async () => {
    const { id } = await ran(subject, GOOD);
    await subject.service.restart();
    expect(outcome(await call('GET', `${QUERIES}/${id}`))).toEqual(notYours(id));
    expect(outcome(await rowsFrom(subject, id))).toEqual(notYours(id));
    const next = await ran(subject, GOOD);
    expect(next.id).toBeGreaterThan(id);
  });
});
