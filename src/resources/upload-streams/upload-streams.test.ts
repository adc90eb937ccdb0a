import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { rowsOf, sent } from '#test/support/logs.ts';
import { onEachDatabase, outcome, refused, type Subject } from '#test/support/suites.ts';
import {
  append,
  cancel,
  complete,
  createTable,
  offsetOf,
  openByTus,
  opened,
  openWith,
  probe,
  STREAMS,
} from '#test/support/uploads.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const LOGS = '{"n":1}\n{"n":2}\nnot json\n{"n":3}\n';
const OUTCOME = { accepted: 3, rejected: [{ line: 3, reason: 'malformed-json' }], rejected_count: 1 };
const gone = (token: string, status = 500) => refused(status, 'illegal-state', `upload stream not found: ${token}`);
const partsOf = ({ service }: Subject): string[] => readdirSync(join(service.config.data, 'uploads'));

onEachDatabase('Uploads', (subject) => {
  const { call } = subject;
  beforeAll(() => createTable(subject, 'web'));
  const openLogs = (size: number = LOGS.length) =>
    opened(subject, { file_name: 'logs.ndjson', file_size: size, metadata: { table: 'web', origin: 'gw-1' } });

  it('are told what they may be', async () => {
    const answer = await call('OPTIONS', STREAMS, { key: null });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-resumable': '1.0.0',
      'tus-extension': 'creation,termination,expiration',
      'tus-max-size': '68719476736',
    });
    expect(answer.text).toBe('');
  });

  it('are opened with form fields or JSON, answered with token, place and time of expiry', async () => {
    const form = await openWith(subject, { file_size: 5, metadata: { table: 'web' } });
    const { token } = form.json;
    expect(form.status).toBe(201);
    expect(form.json).toEqual({ token: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(form.headers.get('location')).toBe(`/api/core/upload-streams/${token}`);
    expect(form.headers.get('upload-expires')).toBe('Sat, 02 Mar 2024 00:00:00 GMT');
    expect(form.headers.get('tus-resumable')).toBeNull();
    const json = await call('POST', STREAMS, { json: { file_name: 'a', file_size: 1, metadata: { table: 'web' } } });
    expect(json.status).toBe(201);
    for (const made of [token, json.json.token]) expect(outcome(await cancel(subject, made))).toEqual([200, {}]);
  });

  it('are listed with everything known of them, newest first, and found by file name and login', async () => {
    const token = await openLogs();
    await append(subject, token, { offset: 0, body: LOGS.slice(0, 8) });
    const second = await opened(subject, { file_name: 'Zweite.csv', file_size: 0, metadata: { table: 'web' } });
    const { json } = await call('GET', STREAMS);
    expect(json.total_count).toBe(2);
    expect(json.streams.map(({ file_name }: { file_name: string }) => file_name)).toEqual([
      'Zweite.csv',
      'logs.ndjson',
    ]);
    const record = {
      token,
      remote_addr: '127.0.0.1',
      login_name: 'master',
      file_name: 'logs.ndjson',
      file_size: LOGS.length,
      uploaded_size: 8,
      created: '2024-03-01 00:00:00+0000',
      last_upload: '2024-03-01 00:00:00+0000',
      expires_at: '2024-03-02 00:00:00+0000',
      node: 'vigil',
      metadata: { table: 'web', origin: 'gw-1' },
    };
    expect(json.streams[1]).toEqual(record);
    expect(json.streams[0]).toMatchObject({ uploaded_size: 0, last_upload: null });
    expect((await call('GET', `${STREAMS}/${token}`)).json).toEqual({ stream: record });
    expect((await call('GET', `${STREAMS}/${token.toUpperCase()}`)).json).toEqual({ stream: record });
    expect((await call('GET', `${STREAMS}?keywords=zweite`)).json.total_count).toBe(1);
    expect((await call('GET', `${STREAMS}?keywords=MASTER&limit=1`)).json).toMatchObject({
      total_count: 2,
      streams: [{ token: second }],
    });
    expect((await call('GET', `${STREAMS}?keywords=nothing`)).json).toEqual({ total_count: 0, streams: [] });
    for (const made of [token, second]) await cancel(subject, made);
    expect((await call('GET', `${STREAMS}/${token}`)).json).toEqual({ stream: null });
  });

  it('that are no GUID are no stream to read', async () => {
    const answer = await call('GET', `${STREAMS}/x`);
    expect(outcome(answer)).toEqual(refused(400, 'invalid-argument', "'token' parameter should be GUID type"));
    expect((await call('GET', `${STREAMS}/${NOWHERE}`)).json).toEqual({ stream: null });
  });

  it('come in parts, and are imported when they are told to be complete', async () => {
    const token = await openLogs();
    const first = await append(subject, token, { offset: 0, body: LOGS.slice(0, 10) });
    expect([first.status, first.headers.get('upload-offset'), first.text]).toEqual([204, '10', '']);
    expect(first.headers.get('tus-resumable')).toBe('1.0.0');
    const head = await probe(subject, token);
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'upload-offset': '10',
      'upload-length': String(LOGS.length),
      'upload-expires': 'Sat, 02 Mar 2024 00:00:00 GMT',
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
    });
    expect(outcome(await complete(subject, token))).toEqual(
      refused(500, 'illegal-state', `upload stream not completed: ${token}`),
    );
    await append(subject, token, { offset: 10, body: LOGS.slice(10) });
    expect(await rowsOf(subject, 'table web')).toEqual([]);
    const answer = await complete(subject, token);
    expect(outcome(answer)).toEqual([200, OUTCOME]);
    expect((await rowsOf(subject, 'table web')).map(sent)).toEqual([{ n: 3 }, { n: 2 }, { n: 1 }]);
    expect(partsOf(subject)).toEqual([]);
  });

  it('answer a repeated completion the same again, HEAD with the full offset, and are gone for everything else', async () => {
    const token = await openLogs();
    await append(subject, token, { offset: 0, body: LOGS });
    const before = (await rowsOf(subject, 'table web | stats count'))[0].count;
    const [one, two] = await Promise.all([complete(subject, token), complete(subject, token)]);
    expect([outcome(one), outcome(two)]).toEqual([
      [200, OUTCOME],
      [200, OUTCOME],
    ]);
    await subject.service.restart();
    expect(outcome(await complete(subject, token))).toEqual([200, OUTCOME]);
    expect((await rowsOf(subject, 'table web | stats count'))[0].count).toBe(before + 3);
    expect((await call('GET', `${STREAMS}/${token}`)).json).toEqual({ stream: null });
    expect(await offsetOf(subject, token)).toBe(LOGS.length);
    expect(outcome(await append(subject, token, { offset: LOGS.length, body: '' }))).toEqual(gone(token, 404));
    expect(outcome(await cancel(subject, token))).toEqual(gone(token));
  });

  it('opened by tus are complete with their last byte', async () => {
    const made = await openByTus(subject, LOGS.length, { filename: 'tus.log', table: 'web', extra: 'ü' });
    expect(made.status).toBe(201);
    expect(made.headers.get('tus-resumable')).toBe('1.0.0');
    const token = String(made.headers.get('location')).split('/').at(-1) ?? '';
    expect((await call('GET', `${STREAMS}/${token}`)).json.stream).toMatchObject({
      file_name: 'tus.log',
      file_size: LOGS.length,
      metadata: { table: 'web', extra: 'ü' },
    });
    const before = (await rowsOf(subject, 'table web | stats count'))[0].count;
    await append(subject, token, { offset: 0, body: LOGS.slice(0, 9) });
    const last = await append(subject, token, { offset: 9, body: LOGS.slice(9) });
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, String(LOGS.length)]);
    expect((await rowsOf(subject, 'table web | stats count'))[0].count).toBe(before + 3);
    expect(await offsetOf(subject, token)).toBe(LOGS.length);
    expect(outcome(await complete(subject, token))).toEqual([200, OUTCOME]);
  });

  it('refused for good have no offset, which would pass for success', async () => {
    const token = await opened(subject, { file_name: 'broken.gz', file_size: 2, metadata: { table: 'web' } });
    await append(subject, token, { offset: 0, body: '{}' });
    expect(await offsetOf(subject, token)).toBe(2);
    const wrong = refused(500, 'illegal-state', `wrong gzip data: ${token}`);
    expect(outcome(await complete(subject, token))).toEqual(wrong);
    expect(await offsetOf(subject, token)).toBeUndefined();
  });

  it('of nothing are complete at once by tus, and on request otherwise', async () => {
    const made = await openByTus(subject, 0, { filename: 'empty', table: 'web' });
    const nothing = { accepted: 0, rejected: [], rejected_count: 0 };
    expect(await offsetOf(subject, made.json.token)).toBe(0);
    expect(outcome(await complete(subject, made.json.token))).toEqual([200, nothing]);
    const token = await openLogs(0);
    expect(await offsetOf(subject, token)).toBe(0);
    expect(outcome(await complete(subject, token))).toEqual([200, nothing]);
  });

  it('survive a restart where they were', async () => {
    const token = await openLogs();
    await append(subject, token, { offset: 0, body: LOGS.slice(0, 20) });
    await subject.service.restart();
    expect(await offsetOf(subject, token)).toBe(20);
    await append(subject, token, { offset: 20, body: LOGS.slice(20) });
    expect(outcome(await complete(subject, token))).toEqual([200, OUTCOME]);
  });

  it('of a table that was dropped cannot be completed', async () => {
    await createTable(subject, 'short');
    const token = await opened(subject, { file_size: 2, metadata: { table: 'short' } });
    await append(subject, token, { offset: 0, body: '{}' });
    await call('DELETE', '/api/core/tables/short');
    await createTable(subject, 'short');
    expect(outcome(await complete(subject, token))).toEqual(refused(500, 'illegal-state', 'table not found: short'));
    await cancel(subject, token);
  });

  it('may be opened by a MEMBER that may write to the table, by no other', async () => {
    const member = await createAccount(subject, 'MEMBER', { login: 'lee' });
    const open = () => openWith(subject, { file_size: 1, metadata: { table: 'web' } }, { key: member.key });
    const grant = (read_only: boolean, table = 'web') =>
      call('PUT', `/api/core/tables/${table}`, { json: { shared_users: [{ guid: member.guid, read_only }] } });
    const forbidden = refused(500, 'illegal-state', 'no-permission');
    expect(outcome(await open())).toEqual(forbidden);
    await grant(true);
    expect(outcome(await open())).toEqual(forbidden);
    await createTable(subject, 'other');
    await grant(false, 'other');
    expect(outcome(await open())).toEqual(forbidden);
    await call('PUT', '/api/core/tables/web', { json: { shared_users: [] } });
    expect(outcome(await open())).toEqual(refused(500, 'illegal-state', 'table not found: web'));
    await grant(false);
    const answer = await open();
    expect(answer.status).toBe(201);
    await cancel(subject, answer.json.token);
    for (const path of [STREAMS, `${STREAMS}/${NOWHERE}`]) {
      expect(outcome(await call('GET', path, { key: member.key }))).toEqual(forbidden);
    }
  });

  it('need the right of their account as long as they last', async () => {
    const member = await createAccount(subject, 'MEMBER', { login: 'park' });
    const grant = (grants: readonly { guid: string; read_only: boolean }[]) =>
      call('PUT', '/api/core/tables/web', { json: { shared_users: grants } });
    await grant([{ guid: member.guid, read_only: false }]);
    const open = () => opened(subject, { file_size: 2, metadata: { table: 'web' } }, { key: member.key });
    const half = await open();
    const whole = await open();
    expect((await append(subject, half, { offset: 0, body: '{' })).status).toBe(204);
    expect((await append(subject, whole, { offset: 0, body: '{}' })).status).toBe(204);
    await grant([{ guid: member.guid, read_only: true }]);
    const forbidden = refused(500, 'illegal-state', 'no-permission');
    expect(outcome(await append(subject, half, { offset: 1, body: '}' }))).toEqual(forbidden);
    expect(outcome(await complete(subject, whole))).toEqual(forbidden);
    await grant([{ guid: member.guid, read_only: false }]);
    expect((await append(subject, half, { offset: 1, body: '}' })).status).toBe(204);
    await call('DELETE', '/api/core/users', { json: { guids: [member.guid] } });
    expect((await probe(subject, half)).status).toBe(404);
    for (const token of [half, whole]) expect(outcome(await complete(subject, token))).toEqual(gone(token));
  });

  it('answer 404 to HEAD and PATCH, and 500 to the rest, when there is no such stream', async () => {
    const head = await probe(subject, NOWHERE);
    expect([head.status, head.text]).toEqual([404, '']);
    expect(outcome(await append(subject, 'x', { offset: 0, body: 'x' }))).toEqual(gone('x', 404));
    expect(outcome(await complete(subject, NOWHERE))).toEqual(gone(NOWHERE));
    expect((await call('HEAD', `${STREAMS}/${NOWHERE}`, { key: null })).status).toBe(400);
  });
});
