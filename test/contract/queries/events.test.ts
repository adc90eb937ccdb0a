// The event stream of a query: statuses as they change, not too often, to the last one.

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import {
  cancel,
  ENDLESS,
  endAll,
  fillMany,
  finished,
  openCursor,
  pause,
  QUERIES,
  ran,
  statusOf,
} from '#test/support/queries.ts';
import { expectForward } from '#test/support/status-records.ts';
import { serviceFor } from '#test/support/suites.ts';
import { events } from './sse.ts';

describe('The events of a query', () => {
  const subject = serviceFor();
  const { call, clock } = subject;
  const tag = (id: number, value: string) => call('PUT', `${QUERIES}/${id}/tags`, { json: { tags: { value } } });
  beforeAll(() => fillMany(subject));
  afterEach(() => endAll(subject));

  it('begin at once with the present state, in the format of server-sent events', async () => {
    const id = await openCursor(subject, ENDLESS);
    const { stamp } = await statusOf(subject, id);
    using stream = await events(subject.service.url, id);
    await stream.until(() => stream.messages.length > 0);
    expect(stream.answer.statusCode).toBe(200);
    expect(stream.answer.headers['content-type']?.split(';')[0]).toBe('text/event-stream');
    const [first] = stream.messages;
    expect(first).toMatchObject({ event: 'status', data: { id, query_string: ENDLESS, is_finished: false } });
    expect(first?.id).toBe(String(first?.data.stamp));
    expect(first?.data.stamp).toBeGreaterThan(stamp);
  });

  it('come on change, and end with the message of the end', async () => {
    const id = await openCursor(subject, ENDLESS);
    using stream = await events(subject.service.url, id);
    await stream.until(() => stream.messages.length > 0);
    await tag(id, 'changed');
    await stream.until(
      () => stream.messages.some(({ data }) => data.tags.value === 'changed'),
      () => clock.advance({ milliseconds: 50 }),
    );
    await cancel(subject, id);
    await stream.until(
      () => stream.state.isClosed,
      () => clock.advance({ milliseconds: 50 }),
    );
    const all = stream.messages.map(({ data }) => data);
    expectForward(all);
    expect(all.map(({ is_finished }) => is_finished)).toEqual([...all.slice(1).map(() => false), true]);
    expect(all.at(-1)).toMatchObject({ is_cancelled: true, cancel_reason: 'UserRequest', tags: { value: 'changed' } });
    expect(stream.messages.map(({ id: stamp }) => stamp)).toEqual(all.map(({ stamp }) => String(stamp)));
    expect(stream.answer.complete).toBe(true);
  });

  it('are at most four a second', async () => {
    const id = await openCursor(subject, ENDLESS);
    using stream = await events(subject.service.url, id);
    await stream.until(() => stream.messages.length > 0);
    const shows = (value: string) =>
      stream.until(
        () => stream.messages.at(-1)?.data.tags.value === value,
        () => clock.advance({ milliseconds: 50 }),
      );
    await tag(id, 'before');
    await shows('before');
    const before = stream.messages.length;
    const begun = clock.now();
    // Two seconds of the clock, in which something changes forty times.
    for (let step = 0; step < 40; step += 1) {
      await tag(id, String(step));
      clock.advance({ milliseconds: 50 });
      await pause();
    }
    await shows('39');
    const count = stream.messages.length - before;
    expect(count).toBeGreaterThanOrEqual(4);
    expect(count).toBeLessThanOrEqual(4 * begun.until(clock.now()).total('seconds') + 1);
  });

  it('of a finished query are the last one alone', async () => {
    const { id } = await ran(subject, 'json "[{a:1}]"');
    using stream = await events(subject.service.url, id);
    await stream.until(() => stream.state.isClosed);
    expect(stream.messages).toMatchObject([{ event: 'status', data: { id, is_finished: true, rows: 1 } }]);
    expect(stream.answer.complete).toBe(true);
  });

  it('are kept open by a comment every fifteen seconds', async () => {
    const id = await openCursor(subject, ENDLESS);
    using stream = await events(subject.service.url, id);
    await stream.until(() => stream.messages.length > 0);
    const heard = () => stream.comments.length + stream.messages.length;
    // Where the status has changed meanwhile, that is told in place of a comment; something is told each time.
    for (let round = 1; round <= 20 && stream.comments.length < 3; round += 1) {
      await clock.asleep({ milliseconds: 250 });
      const before = heard();
      clock.advance({ seconds: 15 });
      await stream.until(() => heard() > before);
    }
    expect(stream.comments.length).toBeGreaterThanOrEqual(3);
    expect(stream.comments.every((comment) => comment.startsWith(':'))).toBe(true);
  });

  it('go to several readers, and leaving them does not touch the query', async () => {
    const id = await openCursor(subject, ENDLESS);
    const streams = await Promise.all(Array.from({ length: 5 }, () => events(subject.service.url, id)));
    for (const stream of streams) await stream.until(() => stream.messages.length > 0);
    const stamps = streams.map(({ messages }) => messages[0]?.data.stamp);
    expect(new Set(stamps).size).toBe(5);
    streams[0]?.[Symbol.dispose]();
    streams[1]?.[Symbol.dispose]();
    await pause(50);
    expect(await statusOf(subject, id)).toMatchObject({ is_cancelled: false, is_finished: false });
    using again = await events(subject.service.url, id);
    await again.until(() => again.messages.length > 0);
    expect(again.messages[0]?.data.is_finished).toBe(false);
    await cancel(subject, id);
    for (const stream of [...streams.slice(2), again]) {
      await stream.until(
        () => stream.state.isClosed,
        () => clock.advance({ milliseconds: 50 }),
      );
      expect(stream.messages.at(-1)?.data.is_finished).toBe(true);
    }
  });

  it('end when the query is removed', async () => {
    const id = await openCursor(subject, ENDLESS);
    using stream = await events(subject.service.url, id);
    await stream.until(() => stream.messages.length > 0);
    await call('DELETE', `/api/core/cursors/${id}`);
    await stream.until(
      () => stream.state.isClosed,
      () => clock.advance({ milliseconds: 50 }),
    );
    expect(stream.messages.filter(({ data }) => data.is_finished).length).toBeLessThanOrEqual(1);
  });

  it('are the owner’s alone, and leave no entry', async () => {
    const admin = await createAccount(subject, 'ADMIN', { login: 'admin' });
    const { id } = await ran(subject, 'json "[]"');
    const entries = await entriesOf(subject, async () => {
      using mine = await events(subject.service.url, id);
      await mine.until(() => mine.state.isClosed);
      expect((await call('GET', `${QUERIES}/${id}/events`, { key: admin.key })).status).toBe(403);
    });
    expect(entries).toEqual([]);
    expect((await finished(subject, id)).is_finished).toBe(true);
  });
});
