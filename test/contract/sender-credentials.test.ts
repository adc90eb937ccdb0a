import { beforeAll, describe, expect, it } from 'vitest';
import { allEndpoints } from '#resources/index.ts';
import { createAccount } from '#test/support/accounts.ts';
import { createLogger } from '#test/support/logs.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const UNAUTHORIZED = refused(401, 'unauthorized', 'invalid api key');
const TOOK_ONE = [200, { accepted: 1, rejected: [], rejected_count: 0 }];
const base64 = (text: string) => Buffer.from(text).toString('base64');

type Forms = readonly [sentence: string, headers: (key: string) => Record<string, string>][];

/** How existing senders of logs send a key. */
const READ: Forms = [
  ['ApiKey with the key', (key) => ({ authorization: `ApiKey ${key}` })],
  ['ApiKey with base64 of id and key', (key) => ({ authorization: `ApiKey ${base64(`VuaCfGcBCdbkQm:${key}`)}` })],
  ['Splunk', (key) => ({ authorization: `Splunk ${key}` })],
  ['Basic, any user name', (key) => ({ authorization: `basic ${base64(`elastic:${key}`)}` })],
  ['Basic, no user name', (key) => ({ authorization: `Basic ${base64(`:${key}`)}` })],
  ['X-API-Key', (key) => ({ 'x-api-key': ` ${key} ` })],
];

const REFUSED: Forms = [
  ['a scheme that is not read', (key) => ({ authorization: `Token ${key}` })],
  ['Basic without base64', (key) => ({ authorization: `Basic ${key}` })],
  ['Basic without a colon', (key) => ({ authorization: `Basic ${base64(key)}` })],
  ['Basic with the key as the user name', (key) => ({ authorization: `Basic ${base64(`${key}:`)}` })],
  ['Splunk with base64', (key) => ({ authorization: `Splunk ${base64(`x:${key}`)}` })],
  ['X-API-Key beside a wrong Authorization', (key) => ({ authorization: 'Bearer wrong', 'x-api-key': key })],
  ['X-API-Key with base64', (key) => ({ 'x-api-key': base64(`x:${key}`) })],
];

describe('Credentials of senders', () => {
  const subject = serviceFor({ flags: { 'failed-auth-limit': '10000' } });
  const { call } = subject;
  let key = '';
  let path = '';
  beforeAll(async () => {
    ({ key } = await createAccount(subject, 'ADMIN', { login: 'sender' }));
    path = `/api/core/loggers/${await createLogger(subject, { table: 'web' })}/logs`;
  });
  const pushed = async (headers: Record<string, string>) =>
    outcome(
      await call('POST', path, {
        key: null,
        headers: { 'content-type': 'application/x-ndjson', ...headers },
        body: '{"a":1}',
      }),
    );

  it.each(READ)('are read where logs are pushed: %s', async (_, headers) => {
    expect(await pushed(headers(key))).toEqual(TOOK_ONE);
    expect(await pushed(headers(`${key}x`))).toEqual(UNAUTHORIZED);
  });

  it.each(REFUSED)('are refused: %s', async (_, headers) => {
    expect(await pushed(headers(key))).toEqual(UNAUTHORIZED);
  });

  it('are read by no other operation', async () => {
    const others = allEndpoints().filter(
      ({ access, takesLogs }) => access !== 'none' && access !== 'token' && takesLogs !== 'pushed',
    );
    expect(others.length).toBeGreaterThan(100);
    const forms = READ.map(([, headers]) => headers(key));
    const answers = await Promise.all(
      others.map(async ({ method, path }, index) => {
        const headers = forms[index % forms.length] ?? {};
        const { status } = await call(method, path, { key: null, headers });
        return `${status} ${method} ${path}`;
      }),
    );
    // The metrics need no key unless a setting closes them.
    expect(answers.filter((answer) => !answer.startsWith('401') && !answer.endsWith('/metrics'))).toEqual([]);
  });
});
