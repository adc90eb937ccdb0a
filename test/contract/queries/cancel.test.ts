// Cancelling: who may, what it does at once and what later, and what it leaves alone.

import { afterEach, beforeAll, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import {
  cancel,
  ENDLESS,
  ENDLESS_ROWS,
  endAll,
  fillMany,
  finished,
  hold,
  isFinished,
  isRunning,
  listed,
  listedUntil,
  notYours,
  openCursor,
  ran,
  reached,
  rowsFrom,
  statusOf,
} from '#test/support/queries.ts';
import { expectForward, expectRecord } from '#test/support/status-records.ts';
import { onEachDatabase, outcome } from '#test/support/suites.ts';

const OF_FAILURES = ['error_code', 'error_detail', 'cancel_reason', 'warnings'];

onEachDatabase('Cancelling a query', (subject) => {
  const { call } = subject;
  let member: Account;
  let other: Account;
  let admin: Account;
  beforeAll(async () => {
    await fillMany(subject);
    member = await createAccount(subject, 'MEMBER', { login: 'member' });
    other = await createAccount(subject, 'MEMBER', { login: 'stranger' });
    admin = await createAccount(subject, 'ADMIN', { login: 'admin' });
    await call('PUT', '/api/core/tables/many', { json: { shared_users: [member.guid, other.guid] } });
  });
  afterEach(() => endAll(subject));

  it('is seen at once, and its end later', async () => {
    const id = await openCursor(subject, ENDLESS, { key: member.key });
    const as = { key: member.key };
    const running = await reached(subject, id, isRunning, as);
    expect(outcome(await cancel(subject, id, as))).toEqual([200, {}]);
    const asked = await statusOf(subject, id, as);
    expect(asked.is_cancelled).toBe(true);
    const last = await finished(subject, id, as);
    expectForward([running, asked, last]);
    expect(last).toMatchObject({ is_cancelled: true, cancel_reason: 'UserRequest' });
    const [entry, ...more] = await entriesOf(subject, () => cancel(subject, id, as));
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ module: 'queries', method: 'cancel', user_name: 'member' });
    expect(entry).not.toHaveProperty('error');
  });

  it('is allowed to the owner and to administrators, and to no other member', async () => {
    const id = await openCursor(subject, ENDLESS, { key: member.key });
    const [entry] = await entriesOf(subject, async () => {
      expect(outcome(await cancel(subject, id, { key: other.key }))).toEqual(notYours(id));
    });
    expect(entry).toMatchObject({ module: 'queries', method: 'cancel', error: `cannot access query ${id}` });
    expect(await listed(subject, id)).toMatchObject({ is_cancelled: false, is_finished: false });
    expect(outcome(await cancel(subject, id, { key: admin.key }))).toEqual([200, {}]);
    const last = await finished(subject, id, { key: member.key });
    expect(last).toMatchObject({ is_cancelled: true, cancel_reason: 'UserRequest', login_name: 'member' });
    // To cancel it does not make it readable.
    expect(outcome(await call('GET', `/api/core/queries/${id}`, { key: admin.key }))).toEqual(notYours(id));
  });

  it('of an administrator’s query is allowed to another administrator, not to a member', async () => {
    const id = await openCursor(subject, ENDLESS);
    expect(outcome(await cancel(subject, id, { key: member.key }))).toEqual(notYours(id));
    expect(outcome(await cancel(subject, id, { key: admin.key }))).toEqual([200, {}]);
    expect((await finished(subject, id)).is_cancelled).toBe(true);
  });

  it('leaves a finished query as it is', async () => {
    const before = await ran(subject, 'table many | stats count');
    expect(OF_FAILURES.filter((name) => name in before)).toEqual([]);
    expect(outcome(await cancel(subject, before.id))).toEqual([200, {}]);
    const after = await statusOf(subject, before.id);
    expect({ ...after, stamp: 0 }).toEqual({ ...before, stamp: 0 });
    expect((await rowsFrom(subject, before.id)).text).toBe('{"count":20000}\n');
  });

  it('leaves a cancelled and a failed query as they are', async () => {
    const id = await openCursor(subject, ENDLESS);
    await cancel(subject, id);
    const cancelled = await finished(subject, id);
    const failed = await ran(subject, 'table many | pivot count cols n');
    for (const before of [cancelled, failed]) {
      expect(outcome(await cancel(subject, before.id, { key: admin.key }))).toEqual([200, {}]);
      expect({ ...(await statusOf(subject, before.id)), stamp: 0 }).toEqual({ ...before, stamp: 0 });
    }
  });

  it('keeps the rows that were found', async () => {
    const id = await openCursor(subject, ENDLESS_ROWS.replace('table many', 'table many | fields n'));
    await reached(subject, id, ({ rows }) => rows > 2000);
    await cancel(subject, id);
    const last = await finished(subject, id);
    expectRecord(last);
    expect((await rowsFrom(subject, id, 'limit=2000')).text.trimEnd().split('\n')).toHaveLength(2000);
    await call('DELETE', `/api/core/cursors/${id}`);
  });

  it('ends a GET /query of somebody else, too', async () => {
    using held = await hold(subject.service.url, ENDLESS_ROWS, member.key);
    expect(outcome(await cancel(subject, held.id, { key: other.key }))).toEqual(notYours(held.id));
    expect(outcome(await cancel(subject, held.id, { key: admin.key }))).toEqual([200, {}]);
    expect(await listedUntil(subject, held.id, isFinished)).toMatchObject({ cancel_reason: 'UserRequest' });
  });

  it('comes a hundred times at once to the same end', async () => {
    const id = await openCursor(subject, ENDLESS);
    const answers = await Promise.all(Array.from({ length: 100 }, () => cancel(subject, id)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 {}']));
    expectRecord(await finished(subject, id));
  });
});
