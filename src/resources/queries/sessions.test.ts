// A foreground query goes with its session, a background query does not.

import { expect, it } from 'vitest';
import { createAccount, createKey } from '#test/support/accounts.ts';
import { ENDLESS_JSON, finished, hold, openCursor, reached, statusOf } from '#test/support/queries.ts';
import type { CallOptions } from '#test/support/service.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const SESSIONS = '/api/core/sessions';
const ENDED = {
  is_cancelled: true,
  cancel_reason: 'Interrupted',
  error_code: 93002,
  error_detail: 'the session ended',
};

onEachDatabase('A foreground query', (subject) => {
  const { call, clock } = subject;
  let accounts = 0;
  const account = async (fields: Readonly<Record<string, string>> = {}) => {
    accounts += 1;
    return await createAccount(subject, 'MEMBER', { login: `owner-${accounts}`, ...fields });
  };

  /** Opens one in the foreground and one in the background, both at work. */
  async function both(options: CallOptions): Promise<[number, number]> {
    const ids: number[] = [];
    for (const background of [false, true]) {
      const id = await openCursor(subject, ENDLESS_JSON, { ...options, background });
      await reached(subject, id, ({ rows }) => rows > 0, options);
      ids.push(id);
    }
    return [ids[0] ?? 0, ids[1] ?? 0];
  }

  const stillRuns = async (id: number, options: CallOptions) =>
    expect(await statusOf(subject, id, options)).toMatchObject({ is_finished: false, is_cancelled: false });
  const stop = (id: number) => call('POST', `/api/core/queries/${id}/cancel`);

  it('ends when its key ends the implicit session; the key and what is asked later go on', async () => {
    const { key } = await account();
    const [foreground, background] = await both({ key });
    await call('DELETE', SESSIONS, { key });
    expect(await finished(subject, foreground, { key })).toMatchObject(ENDED);
    await stillRuns(background, { key });
    await stop(background);
    const [next, more] = await both({ key });
    await clock.pass({ seconds: 30 });
    await stillRuns(next, { key });
    await stop(next);
    await stop(more);
  });

  it('of one session does not end with another of the same account', async () => {
    const { key, guid } = await account();
    const other = await createKey(subject, guid);
    const [foreground, background] = await both({ key });
    await call('DELETE', SESSIONS, { key: other.key });
    await clock.pass({ seconds: 30 });
    await stillRuns(foreground, { key });
    for (const id of [foreground, background]) await stop(id);
  });

  it('ends with its cookie session', async () => {
    const { key } = await account();
    const login = await call('POST', SESSIONS, { key: null, form: { api_key: key } });
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const options = { key: null, headers: { cookie, origin: subject.service.url } };
    const [foreground, background] = await both(options);
    await call('DELETE', SESSIONS, { key });
    await clock.pass({ seconds: 30 });
    await stillRuns(foreground, { key });
    await call('DELETE', SESSIONS, options);
    expect(await finished(subject, foreground, { key })).toMatchObject(ENDED);
    await stillRuns(background, { key });
    await stop(background);
  });

  it('ends when its key is revoked, or has expired', async () => {
    const { guid, key } = await account();
    const revoked = await createKey(subject, guid);
    const [first, second] = await both({ key: revoked.key });
    await call('DELETE', `/api/core/users/${guid}/api-keys/${revoked.keyGuid}`);
    expect(await finished(subject, first, { key })).toMatchObject(ENDED);
    await stillRuns(second, { key });
    await stop(second);
    const expires_at = `${clock.now().add({ seconds: 60 }).toString().slice(0, 19).replace('T', ' ')}+0000`;
    const expiring = await createKey(subject, guid, { expires_at });
    const [third, fourth] = await both({ key: expiring.key });
    await clock.pass({ seconds: 70 });
    expect(await finished(subject, third, { key })).toMatchObject(ENDED);
    await stillRuns(fourth, { key });
    await stop(fourth);
  });

  it('ends when nothing was asked for longer than the account may rest', async () => {
    const { guid, key } = await account({ idle_timeout: '60' });
    const resting = await createKey(subject, guid);
    const [foreground, background] = await both({ key: resting.key });
    await clock.pass({ seconds: 50 });
    await stillRuns(foreground, { key: resting.key });
    await clock.pass({ seconds: 50 });
    await stillRuns(foreground, { key });
    await clock.pass({ seconds: 20 });
    expect(await finished(subject, foreground, { key })).toMatchObject(ENDED);
    await stillRuns(background, { key });
    await stop(background);
  });

  it('of a key whose session no other request has begun does not end with it', async () => {
    const { key } = await account({ idle_timeout: '60' });
    const headers = { 'x-vigil-refresh': 'true' };
    const id = await openCursor(subject, ENDLESS_JSON, { key, headers, background: false });
    await clock.pass({ seconds: 30 });
    await stillRuns(id, { key, headers });
    await clock.pass({ seconds: 40 });
    expect(await finished(subject, id, { key, headers })).toMatchObject(ENDED);
  });

  it('ends when its account is removed', async () => {
    const { guid, key } = await account();
    const [foreground, background] = await both({ key });
    await call('DELETE', '/api/core/users', { form: { guids: guid } });
    const listed = async () => (await call('GET', '/api/core/queries?limit=2')).json.queries;
    const ids = (await listed()).map(({ id }: { id: number }) => id);
    expect(ids).toEqual([background, foreground]);
    await expect.poll(async () => (await listed())[1]).toMatchObject(ENDED);
    expect((await listed())[0]).toMatchObject({ is_finished: false });
    await stop(background);
  });

  it('that is being answered does not rest, but ends with its key', async () => {
    const { guid, key } = await account({ idle_timeout: '60' });
    const other = await createKey(subject, guid);
    const held = await hold(subject.service.url, ENDLESS_JSON, other.key);
    clock.advance({ minutes: 10 });
    await clock.settled();
    await stillRuns(held.id, { key });
    await call('DELETE', `/api/core/users/${guid}/api-keys/${other.keyGuid}`);
    expect(await finished(subject, held.id, { key })).toMatchObject(ENDED);
    await expect(held.rest()).rejects.toThrow();
  });
});
