import { describe, expect, it } from 'vitest';
import { createAccount, createKey } from '#test/support/accounts.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const USERS = '/api/core/users';
const UNAUTHORIZED = refused(401, 'unauthorized', 'invalid api key');

const HOSTS: readonly [account: string, key: string, address: string, isTrusted: boolean][] = [
  ['', '', '203.0.113.5', true],
  ['203.0.113.5', '', '203.0.113.5', true],
  ['203.0.113.5', '', '203.0.113.6', false],
  ['', '203.0.113.5', '203.0.113.5', true],
  ['', '203.0.113.5', '203.0.113.6', false],
  ['203.0.113.0/24', '203.0.113.5', '203.0.113.5', true],
  ['203.0.113.0/24', '203.0.113.5', '203.0.113.6', false],
  ['203.0.113.5', '203.0.113.0/24', '203.0.113.6', false],
  ['198.51.100.0/24', '203.0.113.0/24', '203.0.113.5', false],
  ['198.51.100.0/24, 203.0.113.0/24', '', '203.0.113.255', true],
  ['203.0.113.77/24', '', '203.0.113.5', true],
  ['0.0.0.0/0', '', '203.0.113.5', true],
  ['203.0.113.5/32', '', '203.0.113.5', true],
  ['203.0.113.4/31', '', '203.0.113.6', false],
  ['2001:db8::/32', '', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '', '2001:db9::1', false],
  ['2001:DB8:0:0:0:0:0:1', '', '2001:db8::1', true],
  ['2001:db8::/32', '', '203.0.113.5', false],
  ['203.0.113.0/24', '', '::ffff:203.0.113.5', true],
  ['::1', '', '203.0.113.5', false],
];

describe('A key is good from the trusted hosts of key and account', () => {
  const { call } = serviceFor({ flags: { 'trusted-proxies': '127.0.0.1' } });
  let count = 0;

  it.each(HOSTS)('account "%s", key "%s", caller %s: %s', async (account, key, address, isTrusted) => {
    count += 1;
    const made = await createAccount({ call }, 'MEMBER', { login: `host-${count}`, trust_hosts: account });
    const used = await createKey({ call }, made.guid, { trust_hosts: key });
    const headers = { 'x-forwarded-for': address };
    const answer = await call('GET', USERS, { key: used.key, headers });
    if (isTrusted) expect(answer.status).toBe(200);
    else expect(outcome(answer)).toEqual(UNAUTHORIZED);
    const login = await call('POST', '/api/core/sessions', { key: null, headers, form: { api_key: used.key } });
    expect(login.status).toBe(isTrusted ? 200 : 401);
  });

  it('and a change of them acts on the next request', async () => {
    const { guid, key } = await createAccount({ call }, 'MEMBER', { login: 'moving', trust_hosts: '203.0.113.5' });
    const headers = { 'x-forwarded-for': '203.0.113.5' };
    expect((await call('GET', USERS, { key, headers })).status).toBe(200);
    await call('PUT', `${USERS}/${guid}`, { form: { trust_hosts: '203.0.113.6' } });
    expect((await call('GET', USERS, { key, headers })).status).toBe(401);
    expect((await call('GET', USERS, { key, headers: { 'x-forwarded-for': '203.0.113.6' } })).status).toBe(200);
  });
});
