import { describe, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { openStream } from '#test/support/event-streams.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { ENDLESS_JSON, hold, openCursor, ran, reached } from '#test/support/queries.ts';
import { MASTER_KEY, startService } from '#test/support/service.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const messagesIn = (text: string) =>
  text
    .split('\n\n')
    .filter((message) => message !== '')
    .map((message) => message.split('\n'));

it('Watching a query that a stop ends gives its last status', async () => {
  const clock = new ManualClock('2024-03-01T00:00:00Z');
  const service = await startService({ clock });
  const id = await openCursor(service, ENDLESS_JSON);
  const { got } = await openStream(`${service.url}/api/core/queries/${id}/events`, { key: MASTER_KEY });
  await until(
    async () => got.text,
    (text) => text.includes('event: status'),
  );
  await service[Symbol.asyncDispose]();
  const last = messagesIn(got.text).at(-1)?.[2] ?? '';
  expect(JSON.parse(last.slice('data: '.length))).toMatchObject({ is_finished: true, is_cancelled: true });
});

describe('Watching a query', () => {
  const subject = serviceFor({ flags: { 'queries-in-all': '1' } });
  const { call, clock } = subject;
  const pathOf = (id: number) => `/api/core/queries/${id}/events`;

  /** What has come so far of a stream that goes on. */
  async function watch(id: number, key = MASTER_KEY) {
    const { answer, got, leave } = await openStream(`${subject.service.url}${pathOf(id)}`, { key });
    const records = () =>
      messagesIn(got.text).flatMap((lines) => (lines[2] ? [JSON.parse(lines[2].slice('data: '.length))] : []));
    return { got, records, type: answer.headers['content-type'], leave };
  }

  it('of one that has ended is one message, and then the end', async () => {
    const { id, stamp } = await ran(subject, 'json "{}"');
    const answer = await call('GET', pathOf(id));
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const [message, ...more] = messagesIn(answer.text);
    expect(more).toEqual([]);
    expect(message?.slice(0, 2)).toEqual(['event: status', `id: ${stamp + 1}`]);
    expect(JSON.parse(message?.[2]?.slice('data: '.length) ?? '')).toMatchObject({ id, is_finished: true });
  });

  it('tells at once how it stands, then what changes, at most four times a second, and closes after the end', async () => {
    const id = await openCursor(subject, ENDLESS_JSON);
    const watched = await watch(id);
    expect(watched.type).toBe('text/event-stream');
    await until(
      async () => watched.records(),
      (records) => records.length > 0,
    );
    await reached(subject, id, ({ rows }) => rows > 5000);
    expect(watched.records().length).toBe(1);
    await clock.asleep({ milliseconds: 250 });
    clock.advance({ milliseconds: 250 });
    const [first, second] = await until(
      async () => watched.records(),
      (records) => records.length > 1,
    );
    expect(second.rows).toBeGreaterThan(first.rows);
    expect(second.stamp).toBeGreaterThan(first.stamp);
    await call('POST', `/api/core/queries/${id}/cancel`);
    await reached(subject, id, ({ is_finished }) => is_finished);
    await clock.asleep({ milliseconds: 250 });
    clock.advance({ milliseconds: 250 });
    await until(async () => watched.got.isClosed, Boolean);
    const records = watched.records();
    expect(records.at(-1)).toMatchObject({ is_finished: true, is_cancelled: true });
    expect(records.filter(({ is_finished }) => is_finished).length).toBe(1);
    expect(watched.got.isClosed).toBe(true);
  });

  it('says nothing while nothing changes, but for a comment every fifteen seconds', async () => {
    const held = await hold(subject.service.url);
    const waiting = await openCursor(subject, 'json "{}"');
    const watched = await watch(waiting);
    await until(
      async () => watched.records(),
      (records) => records.length > 0,
    );
    for (let round = 0; round < 60; round += 1) {
      await clock.asleep({ milliseconds: 250 });
      clock.advance({ milliseconds: 250 });
    }
    await until(
      async () => watched.got.text,
      (text) => text.includes('\n\n:'),
    );
    expect(watched.records().length).toBe(1);
    expect(messagesIn(watched.got.text).slice(1)).toEqual([[': still there']]);
    watched.leave();
    held.drop();
  });

  it.each([
    ['with its key', ({ guid, keyGuid }: Account) => call('DELETE', `/api/core/users/${guid}/api-keys/${keyGuid}`)],
    [
      'when its account no longer trusts the address',
      ({ guid }: Account) => call('PUT', `/api/core/users/${guid}`, { form: { trust_hosts: '10.1.2.3' } }),
    ],
  ])('ends %s', async (way, change) => {
    const account = await createAccount(subject, 'MEMBER', { login: `watcher${way.length}` });
    const id = await openCursor(subject, ENDLESS_JSON, { key: account.key });
    const watched = await watch(id, account.key);
    await change(account);
    await until(
      async () => {
        await clock.pass({ seconds: 1 });
        return watched.got.isClosed;
      },
      (isClosed) => isClosed,
    );
    await call('POST', `/api/core/queries/${id}/cancel`);
  });

  it('is for the owner alone', async () => {
    const { key } = await createAccount(subject, 'ADMIN', { login: 'admin' });
    const { id } = await ran(subject, 'json "{}"');
    expect(outcome(await call('GET', pathOf(id), { key }))).toEqual(
      refused(403, 'invalid-query-id', `cannot access query ${id}`),
    );
  });
});
