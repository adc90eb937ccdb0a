import { expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const PREFERENCES = '/api/core/preferences';
const notJson = refused(400, 'invalid-param-type', 'preferences should be json type');

onEachDatabase('Preferences', (subject) => {
  const { call } = subject;
  const stored = async (key?: string) => (await call('GET', PREFERENCES, key ? { key } : {})).json.preferences;
  const store = (preferences: unknown, key?: string) =>
    call('PUT', PREFERENCES, { json: { preferences }, ...(key ? { key } : {}) });

  it('are replaced as a whole, and lasting', async () => {
    expect(outcome(await call('GET', PREFERENCES))).toEqual([200, { preferences: {} }]);
    const first = { theme: 'dark', columns: { web: ['_time', '상태', '\u202e'] }, api_token: 'kept as it is', n: 1.5 };
    expect(outcome(await store(first))).toEqual([200, {}]);
    expect(await stored()).toEqual(first);
    const form = { preferences: '{"theme":"light"}' };
    expect(outcome(await call('PUT', PREFERENCES, { form }))).toEqual([200, {}]);
    await subject.service.restart();
    expect(await stored()).toEqual({ theme: 'light' });
    await store({});
    expect(await stored()).toEqual({});
  });

  it('belong to one account, and go with it', async () => {
    const one = await createAccount(subject, 'MEMBER', { login: 'one' });
    const other = await createAccount(subject, 'MEMBER', { login: 'other' });
    await store({ of: 'one' }, one.key);
    await store({ of: 'other' }, other.key);
    expect([await stored(one.key), await stored(other.key)]).toEqual([{ of: 'one' }, { of: 'other' }]);
    await call('DELETE', '/api/core/users', { form: { guids: one.guid } });
    await createAccount(subject, 'MEMBER', { login: 'one', guid: one.guid });
    const { key } = await createAccount(subject, 'MEMBER', { login: 'third' });
    expect(await stored(key)).toEqual({});
    expect(await stored(other.key)).toEqual({ of: 'other' });
  });

  it.each([
    [{}, refused(400, 'null-argument', 'preferences should be not null')],
    [{ preferences: '[]' }, notJson],
    [{ preferences: 'dark' }, notJson],
    [
      { preferences: JSON.stringify({ a: 'x'.repeat(65_530) }) },
      refused(400, 'invalid-argument', "'preferences' must be shorter than or equal to 65536 bytes."),
    ],
  ])('are refused, case %#, and nothing has changed', async (form, refusal) => {
    await store({ kept: true });
    expect(outcome(await call('PUT', PREFERENCES, { form }))).toEqual(refusal);
    expect(await stored()).toEqual({ kept: true });
  });

  it('leave no audit entry, except a refusal for lack of a key', async () => {
    const entries = await entriesOf(subject, async () => {
      await store({ a: 1 });
      await store([]);
      await stored();
    });
    expect(entries).toEqual([]);
    expect((await call('PUT', PREFERENCES, { key: null, json: { preferences: {} } })).status).toBe(401);
  });
});
