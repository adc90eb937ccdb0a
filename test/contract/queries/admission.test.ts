// How many queries run at once: the others wait, in their order, and can be looked at and ended while they do.

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { makeHome } from '#test/support/process.ts';
import {
  begin,
  type Caller,
  CURSORS,
  cancel,
  ENDLESS,
  ENDLESS_JSON,
  endAll,
  fillMany,
  finished,
  type Held,
  hold,
  isFinished,
  isRunning,
  listedUntil,
  notYours,
  openCursor,
  QUERIES,
  QUERY,
  reached,
  readOut,
  rowsFrom,
  type Status,
  statusOf,
} from '#test/support/queries.ts';
import { send } from '#test/support/service.ts';
import { expectForward, expectRecord } from '#test/support/status-records.ts';
import { outcome, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const steps = ({ commands, sub_queries }: Status) =>
  new Set([...commands, ...sub_queries.flatMap((sub: Status) => sub.commands)].map(({ status }) => status));
const isWaiting = (status: Status) => !status.is_finished && [...steps(status)].join() === 'Waiting';
const WAITING = 'table many | union [ table many | search k == 1 ] | stats count';

describe('With one query per account', () => {
  const subject = serviceFor({ alone: 'node', flags: { 'queries-per-account': '1' } });
  const { call, clock } = subject;
  let other: Account;
  beforeAll(async () => {
    await fillMany(subject);
    other = await createAccount(subject, 'ADMIN', { login: 'other' });
  });
  afterEach(() => endAll(subject));

  it('the next waits, with a whole record, and runs when the first has ended', async () => {
    const first = await openCursor(subject, ENDLESS);
    await reached(subject, first, isRunning);
    const accepted = clock.now().epochMilliseconds;
    const second = await openCursor(subject, WAITING, { params: { a: 1 }, tags: { b: 'c' } });
    clock.advance({ seconds: 10 });
    const waiting = await statusOf(subject, second);
    expectRecord(waiting);
    expect(waiting).toMatchObject({
      rows: 0,
      start_time: accepted,
      elapsed: 10_000,
      finish_time: 0,
      is_finished: false,
      is_cancelled: false,
      constants: { a: 1 },
      tags: { b: 'c' },
      query_string: WAITING,
    });
    expect(isWaiting(waiting)).toBe(true);
    expect((await rowsFrom(subject, second)).text).toBe('');
    await cancel(subject, first);
    const last = await finished(subject, second);
    expectForward([waiting, last]);
    expect(last).toMatchObject({ rows: 1, is_cancelled: false, start_time: clock.now().epochMilliseconds, elapsed: 0 });
  });

  it('others wait in the order in which they came', async () => {
    const ids: number[] = [];
    for (let round = 0; round < 4; round += 1) ids.push(await openCursor(subject, ENDLESS));
    for (const [index, id] of ids.entries()) {
      await reached(subject, id, isRunning);
      const later = await Promise.all(ids.slice(index + 1).map((one) => statusOf(subject, one)));
      expect(later.map(isWaiting)).toEqual(later.map(() => true));
      await cancel(subject, id);
      await finished(subject, id);
    }
  });

  it('one that waits can be cancelled, and never ran', async () => {
    const first = await openCursor(subject, ENDLESS);
    const second = await openCursor(subject, WAITING);
    const third = await openCursor(subject, WAITING);
    const before = await statusOf(subject, second);
    expect(outcome(await cancel(subject, second))).toEqual([200, {}]);
    const last = await finished(subject, second);
    expectForward([before, last]);
    expect(last).toMatchObject({ is_cancelled: true, cancel_reason: 'UserRequest', rows: 0 });
    expect(last.commands.map(({ push_count }: Status) => push_count)).toEqual([0, 0, 0]);
    expect(isWaiting(await statusOf(subject, third))).toBe(true);
    await cancel(subject, first);
    expect(await finished(subject, third)).toMatchObject({ is_cancelled: false, rows: 1 });
  });

  it('one that waits can be deleted', async () => {
    const first = await openCursor(subject, ENDLESS);
    const second = await openCursor(subject, WAITING);
    expect(outcome(await call('DELETE', `${CURSORS}/${second}`))).toEqual([200, { status: 'ok' }]);
    expect(outcome(await call('GET', `${QUERIES}/${second}`))).toEqual(notYours(second));
    const third = await openCursor(subject, WAITING);
    await cancel(subject, first);
    expect((await finished(subject, third)).rows).toBe(1);
  });

  it('a GET /query waits too, and is cancelled when its reader goes away', async () => {
    const first = await openCursor(subject, ENDLESS);
    const leaving = new AbortController();
    const url = `${subject.service.url}${QUERY}?${new URLSearchParams({ q: WAITING })}`;
    const headers = { authorization: 'Bearer vgl_test-master-key-0123456789abcdefghij' };
    const left = fetch(url, { headers, signal: leaving.signal }).catch(() => 'left');
    const staying = begin(subject.service.url, `${QUERY}?${new URLSearchParams({ q: WAITING })}`, headers);
    const waiting = async () => (await call('GET', `${QUERIES}?is_finished=false&keywords=union`)).json.queries;
    const ids: Status[] = await until(waiting, (queries) => queries.length === 2);
    expect(ids.map(isWaiting)).toEqual([true, true]);
    leaving.abort();
    expect(await left).toBe('left');
    const cancelled = async () => (await call('GET', `${QUERIES}?is_finished=true&keywords=union`)).json.queries[0];
    await expect.poll(cancelled).toMatchObject({ is_cancelled: true, is_finished: true });
    await cancel(subject, first);
    expect(await readOut(await staying)).toEqual({ text: '{"count":22000}\n', isComplete: true });
  });

  it('another account does not wait', async () => {
    await openCursor(subject, ENDLESS);
    await openCursor(subject, ENDLESS);
    const id = await openCursor(subject, WAITING, { key: other.key });
    expect((await finished(subject, id, { key: other.key })).rows).toBe(1);
  });
});

describe('With two queries in all', () => {
  const subject = serviceFor({ alone: 'node', flags: { 'queries-in-all': '2' } });
  beforeAll(() => fillMany(subject));
  afterEach(() => endAll(subject));

  it('every account waits for the others', async () => {
    const other = await createAccount(subject, 'ADMIN', { login: 'other' });
    const first = await openCursor(subject, ENDLESS);
    const second = await openCursor(subject, ENDLESS, { key: other.key });
    await reached(subject, first, isRunning);
    await listedUntil(subject, second, isRunning);
    const third = await openCursor(subject, WAITING, { key: other.key });
    const fourth = await openCursor(subject, WAITING);
    expect([
      isWaiting(await statusOf(subject, third, { key: other.key })),
      isWaiting(await statusOf(subject, fourth)),
    ]).toEqual([true, true]);
    await cancel(subject, second);
    expect((await finished(subject, third, { key: other.key })).rows).toBe(1);
    expect((await finished(subject, fourth)).rows).toBe(1);
    expect((await statusOf(subject, first)).is_finished).toBe(false);
  });
});

describe('Without settings', () => {
  it('sixteen queries of an account run at once, and sixty-four in all', async () => {
    using home = makeHome();
    const served = home.serve();
    const url = await served.ready();
    const service: Caller = { call: (method, path, options) => send(`${url}${path}`, method, options) };
    await fillMany(service);
    const accounts: Account[] = [];
    for (const login of ['a', 'b', 'c', 'd', 'e']) accounts.push(await createAccount(service, 'ADMIN', { login }));
    const held: Held[] = [];
    const [one, two] = accounts as [Account, Account];
    for (let round = 0; round < 16; round += 1) held.push(await hold(url, ENDLESS_JSON, one.key));
    const waiting = await openCursor(service, WAITING, { key: one.key });
    const passing = await openCursor(service, WAITING, { key: two.key });
    expect((await finished(service, passing, { key: two.key })).rows).toBe(1);
    expect(isWaiting(await statusOf(service, waiting, { key: one.key }))).toBe(true);
    for (const { key } of accounts.slice(1, 4)) {
      for (let round = 0; round < 16; round += 1) held.push(await hold(url, ENDLESS_JSON, key));
    }
    const { key } = accounts[4] ?? one;
    const last = await openCursor(service, WAITING, { key });
    expect(isWaiting(await statusOf(service, last, { key }))).toBe(true);
    expect((await service.call('GET', `${QUERIES}?is_finished=false`)).json.total_count).toBe(66);
    held.at(-1)?.[Symbol.dispose]();
    expect((await finished(service, last, { key })).rows).toBe(1);
    expect(isWaiting(await statusOf(service, waiting, { key: one.key }))).toBe(true);
    held[0]?.[Symbol.dispose]();
    expect((await finished(service, waiting, { key: one.key })).rows).toBe(1);
    for (const one of held) one[Symbol.dispose]();
    for (const { id } of held) await listedUntil(service, id, isFinished);
    served.child.kill('SIGTERM');
    expect(await served.exited()).toBe(0);
  });
});
