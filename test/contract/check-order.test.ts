import { beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount, createKey, createTeam, type Team } from '#test/support/accounts.ts';
import { type CallOptions, send } from '#test/support/service.ts';
import { NO_PERMISSION, outcome, refused, serviceFor } from '#test/support/suites.ts';

const USERS = '/api/core/users';
const COMPANIES = '/api/core/companies';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const TEXT = { 'content-type': 'text/plain' };
const NO_TYPE = { 'content-type': 'json' };
const HUGE = 'name=%zz'.padEnd(2000, 'x');

const notFound = (method: string, path: string) => refused(404, 'not-found', `no such operation: ${method} ${path}`);
const notAllowed = (method: string, path: string) =>
  refused(405, 'method-not-allowed', `method not allowed: ${method} ${path}`);
const UNAUTHORIZED = refused(401, 'unauthorized', 'invalid api key');
const TOO_MANY = refused(429, 'too-many-requests', 'too many requests');
const TOO_LARGE = refused(413, 'request-too-large', 'request body must be shorter than or equal to 1024 bytes.');
const UNSUPPORTED = refused(415, 'unsupported-media-type', 'unsupported content type: text/plain');
const MALFORMED = refused(400, 'invalid-argument', 'malformed request body');
const NO_NAME = refused(400, 'null-argument', 'name should be not null');
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const illegal = (message: string) => refused(500, 'illegal-state', message);
const notGuid = (name: string) => refused(400, 'invalid-param-type', `${name} should be guid type.`);

type Row = readonly [sentence: string, method: string, path: string, CallOptions, answer: readonly [number, unknown]];

/** Each request is wrong in two neighbouring steps, or two checks of one step; the answer is that of the earlier. */
const BY_A_MASTER: readonly Row[] = [
  ['1 before 2: route', 'GET', '/api/core/nothing', { key: 'wrong' }, notFound('GET', '/api/core/nothing')],
  ['1 before 2: method', 'PATCH', USERS, { key: null }, notAllowed('PATCH', USERS)],
  ['1 before 5: route', 'POST', '/api/core/x', { body: HUGE, headers: TEXT }, notFound('POST', '/api/core/x')],
  ['1 before 5: method', 'PUT', USERS, { body: HUGE, headers: TEXT }, notAllowed('PUT', USERS)],
  ['1 before 5: type', 'POST', '/api/core/x', { body: 'x', headers: NO_TYPE }, notFound('POST', '/api/core/x')],
  ['1 before 5: type', 'PUT', USERS, { body: 'x', headers: NO_TYPE }, notAllowed('PUT', USERS)],
  ['2 before 4', 'GET', COMPANIES, { key: 'vgl_wrong' }, UNAUTHORIZED],
  ['2 before 5: size', 'POST', COMPANIES, { key: 'wrong', body: HUGE, headers: FORM }, UNAUTHORIZED],
  ['2 before 5: type', 'POST', COMPANIES, { key: 'wrong', body: 'x', headers: TEXT }, UNAUTHORIZED],
  ['2 before 6', 'GET', `${USERS}?offset=x`, { key: null }, UNAUTHORIZED],
  ['5: size before type', 'POST', COMPANIES, { body: HUGE, headers: TEXT }, TOO_LARGE],
  ['5: size before form', 'POST', COMPANIES, { body: HUGE, headers: FORM }, TOO_LARGE],
  ['5: type before form', 'POST', COMPANIES, { body: 'name=%zz', headers: TEXT }, UNSUPPORTED],
  ['5 before 6: path', 'PUT', `${COMPANIES}/x`, { body: 'name=%zz', headers: FORM }, MALFORMED],
  ['5 before 6: type', 'PUT', `${COMPANIES}/x`, { body: 'x', headers: TEXT }, UNSUPPORTED],
  ['5 before 6: size', 'PUT', `${COMPANIES}/x`, { body: HUGE, headers: FORM }, TOO_LARGE],
  ['5 before 7', 'PUT', `${COMPANIES}/${NOWHERE}`, { body: '{', headers: TEXT }, UNSUPPORTED],
  ['6: path before body', 'PUT', `${COMPANIES}/x`, {}, notGuid('guid')],
  ['6: missing before the next', 'POST', COMPANIES, { json: { description: 'd'.repeat(500) } }, NO_NAME],
  ['6: in declaration order', 'POST', USERS, { json: { idle_timeout: 'x', locale: 'x', guid: 'x' } }, notGuid('guid')],
  [
    '6: length before meaning',
    'POST',
    USERS,
    { json: { login: '!'.repeat(51) } },
    invalid("'login' must be shorter than or equal to 50 characters."),
  ],
  [
    '6: type before range',
    'POST',
    USERS,
    { json: { login: 'a', name: 'a', role: 'MEMBER', idle_timeout: '-1.5' } },
    invalid("'idle_timeout' parameter should be int type"),
  ],
  [
    '6: twice before what is given',
    'DELETE',
    `${USERS}?guids=${NOWHERE}&dry_run=x&dry_run=y`,
    {},
    invalid("'dry_run' is given twice."),
  ],
  ['6 before 7: object', 'PUT', `${COMPANIES}/${NOWHERE}`, {}, NO_NAME],
  [
    '6 before 7: duplicate',
    'POST',
    USERS,
    { json: { login: 'master', name: 'x', role: 'MEMBER', trust_hosts: 'x' } },
    invalid('wrong address or network: x'),
  ],
  [
    '7: object before duplicate',
    'PUT',
    `${COMPANIES}/${NOWHERE}`,
    { json: { name: 'default' } },
    illegal(`company not found: ${NOWHERE}`),
  ],
  [
    '7: duplicate before reference',
    'POST',
    USERS,
    { json: { login: 'master', name: 'x', role: 'MEMBER', company_guid: NOWHERE } },
    illegal('duplicated login: master'),
  ],
  [
    '7: references in declaration order',
    'POST',
    USERS,
    { json: { user_group_guids: NOWHERE, company_guid: NOWHERE, role: 'MEMBER', name: 'x', login: 'x' } },
    illegal(`company not found: ${NOWHERE}`),
  ],
];

const BY_A_MEMBER: readonly Row[] = [
  ['4 before 5: size', 'POST', COMPANIES, { body: HUGE, headers: FORM }, NO_PERMISSION],
  ['4 before 5: type', 'POST', COMPANIES, { body: 'x', headers: TEXT }, NO_PERMISSION],
  ['4 before 5: form', 'POST', USERS, { body: 'name=%zz', headers: FORM }, NO_PERMISSION],
  ['4 before 5: query string', 'GET', `${COMPANIES}?x=%zz`, {}, NO_PERMISSION],
  ['4 before 5: path', 'GET', `${COMPANIES}/%zz`, {}, NO_PERMISSION],
  ['4 before 6', 'PUT', `${COMPANIES}/x`, {}, NO_PERMISSION],
  ['4 before 6: keys of others', 'POST', `${USERS}/x/api-keys`, {}, NO_PERMISSION],
  ['4 before 7', 'PUT', `${COMPANIES}/${NOWHERE}`, { form: { name: 'default' } }, NO_PERMISSION],
];

describe('The earlier check wins', () => {
  const { call } = serviceFor({ flags: { 'body-limit': '1024' } });
  let team: Team;
  beforeAll(async () => {
    team = await createTeam({ call }, 'team');
  });

  it.each(BY_A_MASTER)('%s: %s %s', async (_, method, path, options, answer) => {
    expect(outcome(await call(method, path, options))).toEqual(answer);
  });

  it.each(BY_A_MEMBER)('%s, by a MEMBER: %s %s', async (_, method, path, options, answer) => {
    expect(outcome(await call(method, path, { ...options, key: team.member.key }))).toEqual(answer);
  });

  it('and none of it has changed anything', async () => {
    const users = await call('GET', USERS);
    const companies = await call('GET', COMPANIES);
    expect([users.json.total_count, companies.json.total_count]).toEqual([3, 2]);
  });
});

describe('The rate of an account', () => {
  const subject = serviceFor({ flags: { 'key-rate': '1', 'key-burst': '100' } });
  const { call, clock } = subject;
  let account: Account;
  beforeAll(async () => {
    account = await createAccount(subject, 'MEMBER', { login: 'eager' });
  });
  /** On each node: what others answer within the same second is not known yet. */
  const exhaust = async (key: string) => {
    const calls = subject.service.nodeUrls.flatMap((url) => Array.from({ length: 110 }, () => `${url}${USERS}`));
    return await Promise.all(calls.map((url) => send(url, 'GET', { key })));
  };

  it('is looked at before permission, body, parameters and state', async () => {
    const { key } = account;
    const answers = await exhaust(key);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100 * subject.service.nodeUrls.length);
    const rows: [string, string, CallOptions][] = [
      ['GET', COMPANIES, {}],
      ['POST', COMPANIES, { body: '{', headers: TEXT }],
      ['PUT', `${USERS}/x`, {}],
      ['GET', `${USERS}?offset=x`, {}],
    ];
    for (const [method, path, options] of rows) {
      expect(outcome(await call(method, path, { ...options, key }))).toEqual(TOO_MANY);
    }
    expect(outcome(await call('GET', '/api/core/nothing', { key }))).toEqual(notFound('GET', '/api/core/nothing'));
  });

  it('is looked at after authentication', async () => {
    const { key, keyGuid } = await createKey(subject, account.guid);
    await exhaust(key);
    clock.advance({ minutes: 2 });
    await exhaust(key);
    await call('DELETE', `${USERS}/${account.guid}/api-keys/${keyGuid}`);
    expect(outcome(await call('GET', USERS, { key }))).toEqual(UNAUTHORIZED);
  });
});
