import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import { append, cancel, complete, createTable, opened, STREAMS, TUS } from '#test/support/uploads.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const LOGS = '{"n":1}\n{"n":2}\n';
const gone = (token: string, status = 500) => refused(status, 'illegal-state', `upload stream not found: ${token}`);

onEachDatabase('Uploads that are cancelled', (subject) => {
  const { call } = subject;
  beforeAll(() => createTable(subject, 'web'));
  const folder = () => join(subject.service.config.data, 'uploads');
  const openLogs = () =>
    opened(subject, { file_name: 'logs.ndjson', file_size: LOGS.length, metadata: { table: 'web' } });

  it('are removed, with their bytes', async () => {
    const token = await openLogs();
    await append(subject, token, { offset: 0, body: LOGS });
    expect(existsSync(join(folder(), `${token}.part`))).toBe(true);
    expect(outcome(await cancel(subject, token))).toEqual([200, {}]);
    expect(readdirSync(folder())).toEqual([]);
    expect(outcome(await cancel(subject, token))).toEqual(gone(token));
    expect(outcome(await complete(subject, token))).toEqual(gone(token));
  });

  it('are so whatever Authorization says', async () => {
    for (const authorization of ['Bearer wrong', 'Basic x', '', 'Bearer ']) {
      const token = await openLogs();
      expect(outcome(await cancel(subject, token, { headers: { authorization } }))).toEqual([200, {}]);
    }
  });

  it('answer 204 to a client that speaks tus', async () => {
    const answer = await cancel(subject, await openLogs(), { headers: TUS });
    expect([answer.status, answer.text, answer.headers.get('tus-resumable')]).toEqual([204, '', '1.0.0']);
    const again = await cancel(subject, NOWHERE, { headers: TUS });
    expect(outcome(again)).toEqual(gone(NOWHERE));
    expect(again.headers.get('tus-resumable')).toBe('1.0.0');
  });

  it.each(['x', NOWHERE, 'a b', '한글', "'; drop table", '..', 'x'.repeat(100_000), NOWHERE.slice(1)])(
    'are not found by any other text: %.40s',
    async (text) => {
      // A path of dots alone would be taken for a folder by the client.
      const path = text === '..' ? '%2e%2e%2f' : encodeURIComponent(text);
      const answer = await call('DELETE', `${STREAMS}/${path}`, { key: null });
      expect(outcome(answer)).toEqual(gone(text === '..' ? '../' : text));
    },
  );

  it('never count as failed authentications', async () => {
    for (let count = 0; count < 70; count += 1)
      await cancel(subject, NOWHERE, { headers: { authorization: 'Bearer x' } });
    expect(outcome(await cancel(subject, NOWHERE))).toEqual(gone(NOWHERE));
    expect((await call('GET', STREAMS, { key: 'wrong' })).status).toBe(401);
  });

  it('complain like every operation about what cannot be read', async () => {
    const malformed = refused(400, 'invalid-argument', 'malformed request');
    expect(outcome(await call('DELETE', `${STREAMS}/%zz`, { key: null }))).toEqual(malformed);
    expect(outcome(await call('DELETE', `${STREAMS}/%00`, { key: null }))).toEqual(malformed);
    const empty = await call('DELETE', `${STREAMS}/`, { key: null });
    expect(outcome(empty)).toEqual(refused(400, 'null-argument', 'token should be not null'));
  });

  it('leave an entry in the name of who opened them; tokens that are none leave nothing by themselves', async () => {
    const token = await openLogs();
    const { json: before } = await call('GET', '/api/core/audit-logs?limit=1');
    expect(before.audit_logs[0]).toMatchObject({ module: 'upload-streams', method: 'create', user: 'master' });
    await cancel(subject, NOWHERE);
    await cancel(subject, token);
    await cancel(subject, token);
    const { json } = await call('GET', '/api/core/audit-logs?limit=2');
    expect(json.total).toBe(before.total + 1);
    expect(json.audit_logs[0]).toMatchObject({
      module: 'upload-streams',
      method: 'cancel',
      user: 'master',
      msg: 'Cancellation of the upload of logs.ndjson into table web',
    });
  });
});
