// The end of a session ends its foreground queries, whichever way it ends; background queries go on.

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount, createKey } from '#test/support/accounts.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import {
  ENDLESS_JSON,
  endAll,
  fillMany,
  hold,
  isFinished,
  listed,
  listedUntil,
  openCursor,
  readOut,
  WAITS_A_YEAR,
} from '#test/support/queries.ts';
import { type CallOptions, databases, MASTER_KEY } from '#test/support/service.ts';
import { expectListed } from '#test/support/status-records.ts';
import { BEGINNING, serviceFor } from '#test/support/suites.ts';

const SESSIONS = '/api/core/sessions';
const USERS = '/api/core/users';

describe.each(databases)('The end of a session, on $name', ({ name }) => {
  const clock = new ManualClock(BEGINNING);
  const subject = serviceFor({ clock, database: name });
  const { call } = subject;
  let number = 0;
  beforeAll(() => fillMany(subject, { count: 1 }));
  afterEach(() => endAll(subject));

  /** An account whose sessions end after half an hour without requests, or after so many seconds. */
  async function newAccount(idle_timeout = '1800'): Promise<Account> {
    number += 1;
    return await createAccount(subject, 'ADMIN', { login: `user${number}`, idle_timeout });
  }

  async function cookieOf(key: string): Promise<CallOptions> {
    const answer = await call('POST', SESSIONS, { key: null, form: { api_key: key } });
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    return { key: null, headers: { cookie, origin: subject.service.url } };
  }

  const open = async (as: CallOptions) => ({
    foreground: await openCursor(subject, WAITS_A_YEAR, { ...as, background: false }),
    background: await openCursor(subject, WAITS_A_YEAR, { ...as, background: true }),
  });

  async function expectEnded(foreground: number): Promise<void> {
    const last = await listedUntil(subject, foreground, isFinished);
    expectListed(last);
    expect(last).toMatchObject({ is_cancelled: true, background: false });
    expect(last.cancel_reason).not.toBe('CommandFailure');
  }

  async function expectGoesOn(...ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      const record = await listed(subject, id);
      expect(record).toMatchObject({ id, is_cancelled: false, is_finished: false });
    }
  }

  it('by DELETE with the key ends the foreground queries of that key, and the key stays valid', async () => {
    const { key, guid } = await newAccount();
    const other = await createKey(subject, guid);
    const { foreground, background } = await open({ key });
    const elsewhere = await openCursor(subject, WAITS_A_YEAR, { key: other.key, background: false });
    expect((await call('DELETE', SESSIONS, { key })).json).toEqual({});
    await expectEnded(foreground);
    await expectGoesOn(background, elsewhere);
    expect((await call('GET', `/api/core/queries/${foreground}`, { key })).status).toBe(200);
  });

  it('by DELETE with the cookie ends the foreground queries of that session alone', async () => {
    const { key } = await newAccount();
    const cookie = await cookieOf(key);
    const second = await cookieOf(key);
    const { foreground, background } = await open(cookie);
    const elsewhere = await openCursor(subject, WAITS_A_YEAR, { ...second, background: false });
    using held = await hold(subject.service.url, ENDLESS_JSON, key);
    expect((await call('DELETE', SESSIONS, cookie)).json).toEqual({});
    await expectEnded(foreground);
    await expectGoesOn(background, elsewhere, held.id);
  });

  it('breaks off a GET /query that is being read', async () => {
    const { key } = await newAccount();
    const held = await hold(subject.service.url, ENDLESS_JSON, key);
    await call('DELETE', SESSIONS, { key });
    await expectEnded(held.id);
    expect(await readOut(held.answer)).toMatchObject({ isComplete: false });
  });

  it('by removal of the key ends them, those of its cookie sessions too', async () => {
    const { guid, key: kept } = await newAccount();
    const { key, keyGuid } = await createKey(subject, guid);
    const cookie = await cookieOf(key);
    const { foreground, background } = await open({ key });
    const ofCookie = await openCursor(subject, WAITS_A_YEAR, { ...cookie, background: false });
    using held = await hold(subject.service.url, ENDLESS_JSON, kept);
    await call('DELETE', `${USERS}/${guid}/api-keys/${keyGuid}`);
    clock.leap({ seconds: 10 });
    await expectEnded(foreground);
    await expectEnded(ofCookie);
    await expectGoesOn(background, held.id);
  });

  it('by expiry of the key ends them', async () => {
    const { guid } = await newAccount();
    const expires_at = `${clock.now().add({ minutes: 1 }).toString().slice(0, 19).replace('T', ' ')}+0000`;
    const { key } = await createKey(subject, guid, { expires_at });
    const { foreground, background } = await open({ key });
    clock.leap({ seconds: 75 });
    await expectEnded(foreground);
    await expectGoesOn(background);
  });

  it('by removal of the user ends its queries, those over arriving rows in the background too', async () => {
    const { guid, key } = await newAccount();
    const cookie = await cookieOf(key);
    const { foreground, background } = await open({ key });
    const ofCookie = await openCursor(subject, WAITS_A_YEAR, { ...cookie, background: false });
    expect((await call('DELETE', USERS, { form: { guids: guid } })).json).toEqual({ failures: [], references: [] });
    clock.leap({ seconds: 10 });
    await expectEnded(foreground);
    await expectEnded(ofCookie);
    expect(await listedUntil(subject, background, isFinished)).toMatchObject({ is_cancelled: true, background: true });
  });

  it('by idleness ends them, of a key and of a cookie', async () => {
    const { key } = await newAccount();
    const cookie = await cookieOf(key);
    const { foreground, background } = await open({ key });
    const ofCookie = await openCursor(subject, WAITS_A_YEAR, { ...cookie, background: false });
    const impatient = await open({ key: (await newAccount('1700')).key });
    clock.leap({ minutes: 29 });
    await expectEnded(impatient.foreground);
    await clock.settled();
    await expectGoesOn(foreground, background, ofCookie);
    clock.leap({ minutes: 2 });
    await expectEnded(foreground);
    await expectEnded(ofCookie);
    await expectGoesOn(background);
  });

  it('does not come while requests do', async () => {
    const { key } = await newAccount();
    const { foreground } = await open({ key });
    for (let round = 0; round < 4; round += 1) {
      clock.leap({ minutes: 20 });
      expect((await call('GET', `/api/core/queries/${foreground}`, { key })).json.is_cancelled).toBe(false);
    }
  });

  it('of somebody else changes nothing', async () => {
    const { key } = await newAccount();
    const { foreground, background } = await open({ key });
    const other = await newAccount();
    const others = await open({ key: other.key });
    await call('DELETE', SESSIONS, { key: MASTER_KEY });
    await call('DELETE', SESSIONS, { key: null });
    await call('DELETE', SESSIONS, { key: other.key });
    await expectEnded(others.foreground);
    await expectGoesOn(foreground, background);
  });
});
