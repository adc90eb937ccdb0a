// Syslog over TLS, with Node's client; syslog-tls-programs.test.ts has those of others.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { authority, certificateFor } from '#test/support/certificates.ts';
import { loggerRecord, metricOf, valuesOf } from '#test/support/collected-logs.ts';
import { createCollector } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { rowsOf, sent } from '#test/support/logs.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const LOGGERS = '/api/core/loggers';
const bind = '127.0.0.1';
const folder = mkdtempSync(join(tmpdir(), 'vigil-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const own = certificateFor(`IP:${bind}`);
const ca = authority();
const client = ca.sign({ C: 'KR', O: 'Example, Inc.', CN: '웹01' });
const stranger = authority().sign({ CN: 'web01' });
const own_files = { 'tls-cert': join(folder, 'own.pem'), 'tls-key': join(folder, 'own-key.pem') };
writeFileSync(own_files['tls-cert'], own.cert);
writeFileSync(own_files['tls-key'], own.key);

const secure = async (port: number, options: ConnectionOptions = {}): Promise<TLSSocket> => {
  const socket = connect({ port, host: bind, ca: own.cert, ...options });
  await once(socket, 'secureConnect');
  return socket;
};
const send = async (port: number, text: string, options: ConnectionOptions = {}) => {
  const socket = await secure(port, options);
  socket.on('error', () => undefined);
  socket.end(text);
  socket.resume();
  await once(socket, 'close');
};

describe('Syslog over TLS', () => {
  const subject = serviceFor({ clock: systemClock, flags: { 'collect-connections': '3', metrics: 'closed' } });
  const files = { cert: 'syslog.pem', key: 'syslog-key.pem' };
  const collector = async (table: string, configs: object = {}, parser = 'text') => {
    const port = await freePort();
    const all = { port, bind, ...files, ...configs };
    return { port, guid: await createCollector(subject, { table, factory: 'syslog-tls', configs: all, parser }) };
  };
  const keep = (name: string, text: string) =>
    writeFileSync(join(subject.service.config.keys, name), text, { mode: 0o600 });

  beforeAll(() => {
    keep('syslog.pem', own.cert);
    keep('syslog-key.pem', own.key);
    keep('other-key.pem', stranger.key);
    keep('broken.pem', own.cert.replace(/[A-Za-z]{20}/, '!'));
    keep('senders.pem', ca.cert);
  });

  it.each([
    ['TLSv1.2', undefined, '<1>a\n4 <1>b4 <1>c\n<1>한', ['<1>a', '<1>b', '<1>c', '<1>한']],
    ['TLSv1.3', undefined, '<1>a\n4 <1>b', ['<1>a', '<1>b']],
    ['TLSv1.3', 'octet-count', '4 <1>a6 <1>b\nc', ['<1>a', '<1>b\nc']],
    ['TLSv1.2', 'newline', '5 <1>c\n', ['5 <1>c']],
  ] as const)('of version %s with framing %s reads both framings: %j', async (version, framing, text, logs) => {
    const table = `framed_${Math.random().toString(36).slice(2)}`;
    const { port, guid } = await collector(table, { framing });
    expect(await loggerRecord(subject, guid)).toMatchObject({ status: 'running', failure: null, is_passive: true });
    await send(port, text, { minVersion: version, maxVersion: version });
    expect(await valuesOf(subject, table, logs.length)).toEqual(logs);
    expect((await rowsOf(subject, `table ${table}`)).map((row) => row.sender_ip)).toEqual(logs.map(() => bind));
    await expect.poll(() => loggerRecord(subject, guid)).toMatchObject({ log_count: logs.length, drop_count: 0 });
  });

  it('of an older version, or none, is refused and counted', async () => {
    const { port, guid } = await collector('old');
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(secure(port, old)).rejects.toThrow();
    const plain = connectPlain(port, bind);
    plain.on('error', () => undefined);
    plain.end('<1>in clear\n');
    await once(plain.resume(), 'close');
    await send(port, '<1>encrypted\n');
    expect(await valuesOf(subject, 'old', 1)).toEqual(['<1>encrypted']);
    await expect.poll(() => metricOf(subject, 'vigil_refused_handshakes_total', guid)).toBe(2);
  });

  it('keeps the subject of a checked certificate, and refuses a wrong one', async () => {
    const configs = { client_auth: 'optional', client_ca: 'senders.pem' };
    const { port, guid } = await collector('named', configs, 'json');
    const claim = '{"n":1,"sender_name":"CN=forged"}\n';
    await send(port, claim, client);
    await valuesOf(subject, 'named', 1);
    await send(port, `${claim}no json\n`);
    await valuesOf(subject, 'named', 3);
    await send(port, claim, stranger).catch(() => undefined);
    await expect.poll(() => metricOf(subject, 'vigil_refused_handshakes_total', guid)).toBe(1);
    const rows = await rowsOf(subject, 'table named | sort _id');
    expect(rows.map(sent)).toEqual([
      { n: 1, sender_ip: bind, sender_name: 'CN=웹01,O=Example\\, Inc.,C=KR' },
      expect.objectContaining({ n: 1, sender_ip: bind }),
      expect.objectContaining({ line: 'no json', sender_ip: bind }),
    ]);
    expect(rows.slice(1).map((row) => row.sender_name ?? null)).toEqual([null, null]);
  });

  it('requires a certificate where it is told to', async () => {
    const { port, guid } = await collector('required', { client_auth: 'required', client_ca: 'senders.pem' });
    for (const options of [{}, stranger]) await send(port, '<1>no\n', options).catch(() => undefined);
    await send(port, '<1>yes\n', client);
    expect(await valuesOf(subject, 'required', 1)).toEqual(['<1>yes']);
    expect((await rowsOf(subject, 'table required'))[0].sender_name).toContain('CN=웹01');
    await expect.poll(() => metricOf(subject, 'vigil_refused_handshakes_total', guid)).toBe(2);
  });

  it('loses nothing of a sender that stops when it is told to', async () => {
    const { port, guid } = await collector('told');
    const plain = connectPlain({ port, host: bind, allowHalfOpen: true });
    const socket = await secure(port, { socket: plain });
    socket.write('<1>before\n');
    await valuesOf(subject, 'told', 1);
    const told = once(socket.resume(), 'end');
    const disabled = subject.call('POST', `${LOGGERS}/${guid}/disable`);
    await told;
    socket.end('<1>after\n<1>half');
    expect(outcome(await disabled)).toEqual([200, {}]);
    expect(await valuesOf(subject, 'told', 3)).toEqual(['<1>before', '<1>after', '<1>half']);
  });

  it('closes the connection that is idle longest, and does not wait for silent handshakes at its end', async () => {
    const { port, guid } = await collector('many');
    const silent = connectPlain(port, bind);
    await once(silent, 'connect');
    const first = await secure(port);
    first.write('<1>first\n');
    await valuesOf(subject, 'many', 1);
    const closed = once(first.resume(), 'close');
    const others = await Promise.all([secure(port), secure(port), secure(port)]);
    await closed;
    for (const [index, one] of others.entries()) one.end(`<1>${index}\n`);
    await valuesOf(subject, 'many', 4);
    const gone = once(silent.resume(), 'close');
    await subject.call('POST', `${LOGGERS}/${guid}/disable`);
    await gone;
  });

  const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
  const notFound = (name: string) => refused(500, 'illegal-state', `certificate not found: ${name}`);
  it.each([
    [{ port: undefined }, missing('configs.port')],
    [{ key: undefined }, missing('configs.key')],
    [{ cert: undefined }, missing('configs.cert')],
    [{ client_auth: 'required' }, missing('configs.client_ca')],
    [
      { client_auth: 'maybe' },
      refused(400, 'invalid-argument', "configs.client_auth value must be one of 'none', 'optional', 'required'."),
    ],
    [{ cert: undefined, key: undefined }, notFound('tls-cert')],
    [{ cert: 'gone.pem' }, notFound('gone.pem')],
    [{ key: '../own-key.pem' }, notFound('../own-key.pem')],
    [{ key: '/etc/passwd' }, notFound('/etc/passwd')],
    [{ client_auth: 'optional', client_ca: 'gone.pem' }, notFound('gone.pem')],
  ])('is refused with %j', async (configs, complaint) => {
    const form = { name: `m${Math.random()}`, logger_factory_name: 'syslog-tls', parser_code: 'text' };
    const model_guid = (await subject.call('POST', '/api/core/logger-models', { form })).json.guid;
    await subject.call('POST', '/api/core/tables', { form: { table: 'refused' } });
    const json = { model_guid, name: 'x', table_name: 'refused', configs: { port: 6514, ...files, ...configs } };
    expect(outcome(await subject.call('POST', LOGGERS, { json }))).toEqual(complaint);
  });

  it.each([
    [{ cert: 'broken.pem' }, 'certificate is not valid: broken.pem'],
    [{ cert: 'syslog-key.pem' }, 'certificate is not valid: syslog-key.pem'],
    [{ key: 'syslog.pem' }, 'key is not valid: syslog.pem'],
    [{ key: 'other-key.pem' }, 'key is not that of the certificate: other-key.pem'],
    [{ client_auth: 'required', client_ca: 'other-key.pem' }, 'certificate is not valid: other-key.pem'],
  ])('does not run with %j, and says why', async (configs, failure) => {
    const { guid } = await collector(`broken_${Math.random().toString(36).slice(2)}`, configs);
    expect(await loggerRecord(subject, guid)).toMatchObject({ status: 'stopped', failure });
  });
});

describe('Syslog over TLS without a certificate of its own', () => {
  const subject = serviceFor({ clock: systemClock, flags: { ...own_files, metrics: 'closed' } });

  it('has that of the service', async () => {
    const port = await freePort();
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const guid = await createCollector(subject, { table: 'own', factory: 'syslog-tls', configs: { port, bind } });
    await send(port, '<1>hello\n');
    expect(await valuesOf(subject, 'own', 1)).toEqual(['<1>hello']);
    const record = await until(
      () => loggerRecord(subject, guid),
      ({ log_count }) => log_count === 1,
    );
    expect(record).toMatchObject({ status: 'running', failure: null });
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });
});
