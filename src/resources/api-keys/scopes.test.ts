// A key of scope `push` sends logs and does nothing else.

import { beforeAll, describe, expect, it } from 'vitest';
import { allEndpoints } from '#resources/index.ts';
import { createAccount, createKey, masterGuid } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const STREAMS = '/api/core/upload-streams';
const TOOK_ONE = [200, { accepted: 1, rejected: [], rejected_count: 0 }];

const uploadInto = (metadata: object) => ({
  form: { file_name: 'a', file_size: '1', metadata: JSON.stringify(metadata) },
});

onEachDatabase('A key of scope push', (subject) => {
  const { call } = subject;
  let logger = '';
  let key = '';
  let guid = '';
  beforeAll(async () => {
    logger = await createLogger(subject, { table: 'web' });
    await createLogger(subject, { table: 'other' });
    ({ guid } = await createAccount(subject, 'MEMBER', { login: 'sender' }));
    ({ key } = await createKey(subject, guid, { name: 'push only', scope: 'push' }));
  });

  it('is listed with its scope, also after a restart', async () => {
    await subject.service.restart();
    const { json } = await call('GET', `/api/core/users/${guid}/api-keys?keywords=only`);
    expect(json.api_keys).toMatchObject([{ name: 'push only', scope: 'push' }]);
  });

  it('writes where its account may write, and nowhere else', async () => {
    const grant = { shared_users: [{ guid, read_only: false }] };
    await call('PUT', '/api/core/tables/web', { json: grant });
    expect(outcome(await push(subject, logger, { key, body: '{"a":1}' }))).toEqual(TOOK_ONE);
    expect((await call('POST', STREAMS, { key, ...uploadInto({ table: 'web' }) })).status).toBe(201);
    const unseen = refused(500, 'illegal-state', 'table not found: other');
    expect(outcome(await call('POST', STREAMS, { key, ...uploadInto({ table: 'other' }) }))).toEqual(unseen);
  });

  it('opens no upload into a lookup that its account may write', async () => {
    const json = { name: 'own', columns: ['a'], key: 'a', shared_users: [{ guid, read_only: false }] };
    const lookup: string = (await call('POST', '/api/core/lookups', { json })).json.guid;
    const own = await createKey(subject, guid);
    expect((await call('POST', STREAMS, { key: own.key, ...uploadInto({ lookup }) })).status).toBe(201);
    expect(outcome(await call('POST', STREAMS, { key, ...uploadInto({ lookup }) }))).toEqual(NO_PERMISSION);
  });

  it('opens no session, which is a failed authentication', async () => {
    const entries = await entriesOf(subject, async () => {
      const answer = await call('POST', '/api/core/sessions', { key: null, form: { api_key: key } });
      expect(outcome(answer)).toEqual(refused(401, 'unauthorized', 'invalid api key'));
      expect(answer.headers.get('set-cookie')).toBeNull();
    });
    expect(entries).toEqual([]);
  });

  it('leaves an entry for each refusal', async () => {
    const entries = await entriesOf(subject, async () => {
      expect(outcome(await call('GET', '/api/core/tables', { key }))).toEqual(NO_PERMISSION);
    });
    expect(entries).toMatchObject([{ user_name: 'sender', module: 'tables', method: 'read', error: 'no-permission' }]);
  });
});

describe('Of all operations, a key of scope push of the account master', () => {
  const subject = serviceFor({ flags: { metrics: 'closed' } });
  const { call } = subject;
  const needingKeys = allEndpoints('closed').filter(({ access }) => access !== 'none' && access !== 'token');

  it('may call those that take logs', () => {
    const taking = needingKeys.filter(({ takesLogs, path }) => takesLogs && path.startsWith('/api/'));
    expect(taking.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'POST /api/core/loggers/:guid/logs',
      'POST /api/core/tables/:table/logs',
      'POST /api/core/upload-streams',
    ]);
  });

  it('is refused by every other one', async () => {
    const { key } = await createKey(subject, await masterGuid(subject), { scope: 'push' });
    const others = needingKeys.filter(({ takesLogs }) => !takesLogs);
    expect(others.length).toBeGreaterThan(100);
    const answers = await Promise.all(
      others.map(async ({ method, path }) => {
        // An answer to HEAD has no body.
        const { status, text } = await call(method, path, { key });
        return { operation: `${method} ${path}`, status, text };
      }),
    );
    const refusal = '{"error_code":"illegal-state","error_msg":"no-permission"}';
    expect(answers.filter(({ status, text }) => status !== 500 || text !== refusal)).toEqual([]);
  });
});
