// What completing an upload leaves in the audit trail.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { auditLogs, entriesOf } from '#test/support/audit.ts';
import { rowsOf } from '#test/support/logs.ts';
import type { CallOptions } from '#test/support/service.ts';
import { countsWritten, onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { append, cancel, complete, createTable, openByTus, opened, STREAMS } from '#test/support/uploads.ts';

const LOGS = '{"n":1}\nno json\n{"n":2}\n';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const ANSWER = { accepted: 2, rejected: [{ line: 2, reason: 'malformed-json' }], rejected_count: 1 };
const ACTION = { module: 'upload-streams', method: 'complete' };

onEachDatabase(
  'Completing an upload',
  (subject) => {
    const { call, clock } = subject;
    let owner: Account;
    beforeAll(async () => {
      await createTable(subject, 'web');
      owner = await createAccount(subject, 'ADMIN', { login: 'owner' });
    });
    const fieldsOf = (table: string, file_name: string, file_size = LOGS.length) => ({
      file_name,
      file_size,
      metadata: { table },
    });
    const uploaded = async (table = 'web', file_name = 'logs.ndjson') => {
      const token = await opened(subject, fieldsOf(table, file_name), { key: owner.key });
      await append(subject, token, { offset: 0, body: LOGS });
      return token;
    };
    const noted = (token: string, table = 'web', file_name = 'logs.ndjson') => ({
      token,
      name: file_name,
      file_name,
      table,
      request_id: expect.any(String),
    });
    const byOwner = () => ({ ...ACTION, user_name: 'owner', user_guid: owner.guid, remote_ip: '127.0.0.1' });

    it('leaves one entry in the name of who opened it, and none when it only answers again', async () => {
      const token = await uploaded();
      const entries = await entriesOf(subject, async () => {
        const headers = { authorization: 'Bearer secret-of-somebody' };
        const { json } = await complete(subject, token, { headers });
        expect([json.accepted, json.rejected_count]).toEqual([ANSWER.accepted, ANSWER.rejected_count]);
        expect((await complete(subject, token.toUpperCase())).json).toEqual(json);
        expect((await complete(subject, token)).json).toEqual(json);
      });
      expect(entries).toMatchObject([
        {
          ...byOwner(),
          user: 'owner',
          category: 'Uploads',
          action: 'Complete upload',
          msg: 'Completion of the upload of logs.ndjson into table web',
          result: 'Success',
          params: { token },
        },
      ]);
      expect(entries[0].msg_params).toEqual({ ...noted(token), accepted: 2, rejected_count: 1 });
      expect(JSON.stringify(entries)).not.toContain('secret-of-somebody');
      const [korean] = await auditLogs(subject, 'locale=ko');
      expect(korean).toMatchObject({ action: '업로드 완료', msg: '테이블 web에 logs.ndjson 업로드 완료' });
    });

    it('leaves one entry for all who ask at the same time', async () => {
      await createTable(subject, 'busy');
      const token = await uploaded('busy');
      const entries = await entriesOf(subject, async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => complete(subject, token)));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      });
      expect(entries).toMatchObject([{ ...byOwner(), msg_params: { token, accepted: 2 } }]);
      expect(await rowsOf(subject, 'table busy')).toHaveLength(2);
    });

    it('leaves none where the last byte of tus has done it', async () => {
      const made = await openByTus(subject, LOGS.length, { filename: 'a', table: 'web' });
      const entries = await entriesOf(subject, async () => {
        expect((await append(subject, made.json.token, { offset: 0, body: LOGS })).status).toBe(204);
        expect((await complete(subject, made.json.token)).json.accepted).toBe(2);
      });
      expect(entries).toEqual([]);
    });

    it('leaves an entry with what was answered when bytes are missing', async () => {
      const token = await opened(subject, fieldsOf('web', 'logs.ndjson'), { key: owner.key });
      const error = `upload stream not completed: ${token}`;
      const entries = await entriesOf(subject, async () => {
        expect(outcome(await complete(subject, token))).toEqual(refused(500, 'illegal-state', error));
      });
      expect(entries).toMatchObject([{ ...byOwner(), error, result: 'Failure', params: { token } }]);
      expect(entries[0].msg_params).toEqual(noted(token));
    });

    it('leaves one when its table has gone, and when it is no gzip', async () => {
      await createTable(subject, 'passing');
      const lost = await uploaded('passing');
      await call('DELETE', '/api/core/tables/passing');
      const folded = await uploaded('web', 'logs.gz');
      const entries = await entriesOf(subject, async () => {
        await complete(subject, lost);
        await complete(subject, folded);
        await complete(subject, folded);
      });
      expect(entries).toMatchObject([
        { ...byOwner(), error: 'table not found: passing', msg_params: noted(lost, 'passing') },
        { ...byOwner(), error: `wrong gzip data: ${folded}`, msg_params: noted(folded, 'web', 'logs.gz') },
        { ...byOwner(), error: `wrong gzip data: ${folded}`, msg_params: noted(folded, 'web', 'logs.gz') },
      ]);
    });

    it('leaves one when its body is too large, as cancelling does', async () => {
      const token = await uploaded();
      const options: CallOptions = { form: { x: 'x'.repeat(10_000) } };
      const entries = await entriesOf(subject, async () => {
        expect((await complete(subject, token, options)).status).toBe(413);
        expect((await cancel(subject, token, options)).status).toBe(413);
      });
      const error = expect.stringMatching(/8192/);
      expect(entries).toMatchObject([
        { ...byOwner(), error, msg_params: noted(token) },
        { ...byOwner(), method: 'cancel', error, msg_params: noted(token) },
      ]);
      expect((await complete(subject, token)).json.accepted).toBe(2);
    });

    it('leaves none when it answers again after a restart', async () => {
      const token = await uploaded();
      const entries = await entriesOf(subject, async () => {
        await complete(subject, token);
        await subject.service.restart();
        await complete(subject, token);
      });
      expect(entries.filter(({ method }) => method === 'complete')).toMatchObject([{ msg_params: { token } }]);
      expect(readdirSync(join(subject.service.config.data, 'uploads'))).not.toContain(`${token}.part`);
    });

    it('of any text that is no token is one entry for each address and minute, however many there are', async () => {
      const total = async () => (await call('GET', '/api/core/audit-logs?limit=0')).json.total;
      const from = (address: string) => ({ key: null, headers: { 'x-forwarded-for': address } });
      const done = await uploaded();
      await complete(subject, done);
      const before = await total();
      const texts = [NOWHERE, 'x'.repeat(5000), 'a b', '%00', done];
      for (const text of texts) {
        const path = `${STREAMS}/${encodeURIComponent(text)}`;
        const gone = refused(500, 'illegal-state', `upload stream not found: ${text}`);
        expect(outcome(await call('DELETE', path, from('203.0.113.1')))).toEqual(gone);
        expect(outcome(await call('POST', `${path}/complete`, from('203.0.113.2')))).toEqual(gone);
      }
      await call('POST', `${STREAMS}/${'x'.repeat(5000)}/complete`, from('203.0.113.3'));
      await call('POST', `${STREAMS}/%zz/complete`, from('203.0.113.3'));
      expect(await total()).toBe(before);
      clock.advance({ minutes: 1 });
      await countsWritten(subject);
      await until(total, (now) => now >= before + 3);
      const entries = (await auditLogs(subject, 'locale=en')).slice(0, (await total()) - before).reverse();
      const nobody = { module: 'upload-streams', user_name: '-', result: 'Failure' };
      const error = `upload stream not found: ${NOWHERE}`;
      expect(entries).toMatchObject([
        { ...nobody, method: 'cancel', remote_ip: '203.0.113.1', error },
        { ...nobody, method: 'complete', remote_ip: '203.0.113.2', error },
        { ...nobody, method: 'complete', remote_ip: '203.0.113.3' },
      ]);
      expect(entries.map(({ msg_params }) => msg_params)).toEqual([{ count: 5 }, { count: 5 }, { count: 2 }]);
      expect(entries[2].error).toBe(`upload stream not found: ${'x'.repeat(5000)}`.slice(0, 2000));
      expect(entries[0].msg).toContain('5 time(s)');
    });
  },
  { flags: { 'trusted-proxies': '127.0.0.1' } },
);
