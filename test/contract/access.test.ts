import { beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount, createKey } from '#test/support/accounts.ts';
import { auditLogs, entriesOf } from '#test/support/audit.ts';
import { metricsOf } from '#test/support/metrics.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { countsWritten, onEachDatabase, outcome, pass, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const USERS = '/api/core/users';
const UNAUTHORIZED = refused(401, 'unauthorized', 'invalid api key');
const TOO_MANY = refused(429, 'too-many-requests', 'too many requests');

describe('Without a valid key', () => {
  const subject = serviceFor();
  const { call, clock } = subject;
  let account: Account;
  let revoked: string;
  let expired: string;
  let elsewhere: string;
  beforeAll(async () => {
    account = await createAccount(subject, 'MEMBER', { login: 'someone' });
    const gone = await createKey(subject, account.guid);
    await call('DELETE', `${USERS}/${account.guid}/api-keys/${gone.keyGuid}`);
    revoked = gone.key;
    expired = (await createKey(subject, account.guid, { expires_at: '2024-03-01 00:00:10+0000' })).key;
    elsewhere = (await createKey(subject, account.guid, { trust_hosts: '10.0.0.0/8' })).key;
    clock.advance({ seconds: 11 });
  });

  const HEADERS: readonly [sentence: string, authorization: () => string | undefined][] = [
    ['no header', () => undefined],
    ['an empty one', () => ''],
    ['only the scheme', () => 'Bearer'],
    ['the scheme and a blank', () => 'Bearer '],
    ['only the key', () => MASTER_KEY],
    ['another scheme', () => `Basic ${MASTER_KEY}`],
    ['another scheme that begins alike', () => `BearerX ${MASTER_KEY}`],
    ['no blank', () => `Bearer${MASTER_KEY}`],
    ['a key with something after it', () => `Bearer ${MASTER_KEY} x`],
    ['two keys', () => `Bearer ${MASTER_KEY},${MASTER_KEY}`],
    ['a quoted key', () => `Bearer "${MASTER_KEY}"`],
    ['an unknown key', () => 'Bearer vgl_0123456789012345678901234567890123456789012'],
    ['a key one letter short', () => `Bearer ${MASTER_KEY.slice(0, -1)}`],
    ['a key in another case', () => `Bearer ${MASTER_KEY.toUpperCase()}`],
    ['only the prefix of a key', () => `Bearer ${MASTER_KEY.slice(0, 10)}`],
    ['a name of the language', () => 'Bearer __proto__'],
    ['a very long key', () => `Bearer ${'x'.repeat(500_000)}`],
    ['a revoked key', () => `Bearer ${revoked}`],
    ['an expired key', () => `Bearer ${expired}`],
    ['a key for another address', () => `Bearer ${elsewhere}`],
  ];

  it.each(HEADERS)('the answer is always the same: %s', async (_, authorization) => {
    const text = authorization();
    const headers = text === undefined ? {} : { authorization: text };
    const answer = await call('GET', USERS, { key: null, headers });
    expect(outcome(answer)).toEqual(UNAUTHORIZED);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('a key elsewhere in the request is none', async () => {
    const query = `?api_key=${MASTER_KEY}&authorization=Bearer%20${MASTER_KEY}`;
    expect(outcome(await call('GET', USERS + query, { key: null }))).toEqual(UNAUTHORIZED);
    const headers = { 'x-api-key': MASTER_KEY, cookie: `vigil_session=${MASTER_KEY}` };
    expect(outcome(await call('GET', USERS, { key: null, headers }))).toEqual(UNAUTHORIZED);
  });
});

onEachDatabase(
  'Failed authentications of an address',
  (subject) => {
    const { call, clock } = subject;
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const fail = async (address: string) => call('GET', USERS, { key: 'vgl_wrong', headers: from(address) });
    const refusals = async () => auditLogs(subject, 'actions=refuse');
    const isShared = subject.database === 'postgres';
    /** Lets each node hear what the others have refused so far, since they have started. */
    const tellOthers = async (refused: number) => {
      clock.advance({ seconds: 1 });
      const others = subject.service.nodeUrls.length - 1;
      const heard = async () =>
        Number(
          /^vigil_node_numbers_total\{kind="refused-keys"\} (\d+)$/m.exec(await metricsOf(subject.service))?.[1] ?? 0,
        );
      expect(await until(heard, (count) => count >= refused * others)).toBe(refused * others);
    };

    it('are answered 401 sixty times a minute, then 429', async () => {
      for (let attempt = 1; attempt <= 60; attempt += 1) expect(outcome(await fail('192.0.2.1'))).toEqual(UNAUTHORIZED);
      await tellOthers(60);
      clock.advance({ seconds: 19 });
      const answer = await fail('192.0.2.1');
      expect(outcome(answer)).toEqual(TOO_MANY);
      expect(answer.headers.get('retry-after')).toBe('40');
    });

    it('count at login too', async () => {
      const form = { api_key: 'vgl_wrong' };
      const answer = await call('POST', '/api/core/sessions', { key: null, headers: from('192.0.2.1'), form });
      expect(outcome(answer)).toEqual(TOO_MANY);
    });

    it('do not count for other addresses', async () => {
      expect(outcome(await fail('192.0.2.2'))).toEqual(UNAUTHORIZED);
    });

    it('do not lock out whoever has a valid key', async () => {
      expect((await call('GET', USERS, { headers: from('192.0.2.1') })).status).toBe(200);
      const login = { key: null, headers: from('192.0.2.1'), form: { api_key: MASTER_KEY } };
      expect((await call('POST', '/api/core/sessions', login)).status).toBe(200);
    });

    it('are forgiven when the minute is over', async () => {
      clock.advance({ seconds: 39 });
      expect((await fail('192.0.2.1')).status).toBe(429);
      clock.advance({ seconds: 1 });
      expect((await fail('192.0.2.1')).status).toBe(401);
    });

    it('are written down once per address and minute, with their number', async () => {
      await countsWritten(subject);
      const [entry] = await until(refusals, ({ length }) => length > 0);
      expect(entry).toMatchObject({
        user_name: '-',
        remote_ip: '192.0.2.1',
        module: 'auth',
        method: 'refuse',
        msg_params: { count: 60 },
        created_at: Temporal.Instant.from(`2024-03-01T00:01:${isShared ? '20' : '00'}Z`).epochMilliseconds,
      });
      expect(entry).not.toHaveProperty('user_guid');
      expect(await refusals()).toHaveLength(1);
    });

    it('are written down at the end of their minute, each address for itself', async () => {
      await pass(subject, { seconds: 20 });
      const two = await until(refusals, ({ length }) => length > 1);
      expect(two[0]).toMatchObject({ remote_ip: '192.0.2.2', msg_params: { count: 1 } });
      await pass(subject, { minutes: 2 });
      const three = await until(refusals, ({ length }) => length > 2);
      expect(three[0]).toMatchObject({ remote_ip: '192.0.2.1', msg_params: { count: 1 } });
      clock.advance({ minutes: 5 });
      expect(await refusals()).toHaveLength(3);
    });

    it('of a minute that has not ended are written down at an orderly stop', async () => {
      await fail('192.0.2.9');
      await fail('192.0.2.9');
      await subject.service.restart();
      expect((await refusals())[0]).toMatchObject({ remote_ip: '192.0.2.9', msg_params: { count: 2 } });
    });

    it('that are only slowed down leave nothing', async () => {
      for (let attempt = 0; attempt < 60; attempt += 1) await fail('192.0.2.3');
      await tellOthers(60);
      const entries = await entriesOf(subject, async () => {
        expect((await fail('192.0.2.3')).status).toBe(429);
        const removal = { key: 'vgl_wrong', headers: from('192.0.2.3') };
        expect((await call('DELETE', USERS, removal)).status).toBe(429);
      });
      expect(entries).toEqual([]);
    });
  },
  { flags: { 'trusted-proxies': '127.0.0.1' } },
);

describe('The rate of an account, where it is set', () => {
  const subject = serviceFor({ alone: 'counts', flags: { 'key-rate': '2', 'key-burst': '3' } });
  const { call, clock } = subject;
  const used = async (key: string) => (await call('GET', USERS, { key })).status;

  it('gives a burst, then so many a second, and says when to come back', async () => {
    clock.advance({ minutes: 1 });
    expect([await used(MASTER_KEY), await used(MASTER_KEY), await used(MASTER_KEY)]).toEqual([200, 200, 200]);
    const answer = await call('GET', USERS);
    expect(outcome(answer)).toEqual(TOO_MANY);
    expect(answer.headers.get('retry-after')).toBe('1');
    clock.advance({ seconds: 1 });
    expect([await used(MASTER_KEY), await used(MASTER_KEY), await used(MASTER_KEY)]).toEqual([200, 200, 429]);
  });

  it('is one for all keys of the account, and nothing to another one at the same address', async () => {
    clock.advance({ minutes: 1 });
    const { json } = await call('GET', USERS);
    const { key } = await createKey(subject, json.users[0].guid);
    clock.advance({ minutes: 1 });
    const other = await createAccount(subject, 'MEMBER', { login: 'other' });
    await used(MASTER_KEY);
    expect([await used(MASTER_KEY), await used(key), await used(other.key)]).toEqual([429, 429, 200]);
  });

  it('leaves no entry when it refuses a change', async () => {
    clock.advance({ minutes: 1 });
    for (let call = 0; call < 3; call += 1) await used(MASTER_KEY);
    const refusal = await call('POST', '/api/core/companies', { form: { name: 'too fast' } });
    expect(refusal.status).toBe(429);
    clock.advance({ minutes: 1 });
    expect(await auditLogs(subject, 'keywords=fast')).toEqual([]);
    expect(await auditLogs(subject, 'categories=companies')).toEqual([]);
  });

  it('does not hold for the service’s own operations', async () => {
    for (let call = 0; call < 4; call += 1) await used(MASTER_KEY);
    for (let round = 0; round < 10; round += 1) expect((await call('GET', '/metrics')).status).toBe(200);
  });
});
