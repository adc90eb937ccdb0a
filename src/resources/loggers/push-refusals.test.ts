import { describe, expect, it } from 'vitest';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { sendAndLeave, sendBytes } from '#test/support/raw-http.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const TOOK_ONE = [200, { accepted: 1, rejected: [], rejected_count: 0 }];

describe('A push is refused', () => {
  const subject = serviceFor();
  const { call } = subject;

  it('for a logger that does not exist, is of another kind, or is stopped', async () => {
    expect(outcome(await push(subject, NOWHERE, { body: '{}' }))).toEqual(illegal(`logger not found: ${NOWHERE}`));
    const notGuid = refused(400, 'invalid-param-type', 'guid should be guid type.');
    expect(outcome(await push(subject, 'x', { body: '{}' }))).toEqual(notGuid);
    const syslog = await createLogger(subject, {
      table: 'syslog',
      factory: 'syslog-udp',
      fields: { configs: '{"port":10514,"bind":"127.0.0.1"}' },
    });
    const notPushable = illegal(`logger does not accept pushed logs: ${syslog}`);
    expect(outcome(await push(subject, syslog, { body: '{}' }))).toEqual(notPushable);
    const stopped = await createLogger(subject, { table: 'stopped', enabled: false });
    expect(outcome(await push(subject, stopped, { body: '{}' }))).toEqual(illegal(`logger is not running: ${stopped}`));
    await call('POST', `/api/core/loggers/${stopped}/enable`);
    expect(outcome(await push(subject, stopped, { body: '{}' }))).toEqual(TOOK_ONE);
  });

  it('in another content type or encoding', async () => {
    const logger = await createLogger(subject, { table: 'typed' });
    const unsupported = (what: string) => refused(415, 'unsupported-media-type', `unsupported content type: ${what}`);
    for (const type of ['text/csv', 'multipart/form-data; boundary=x', 'text/plain; charset=latin1']) {
      expect(outcome(await push(subject, logger, { type, body: 'a=1' }))).toEqual(unsupported(type));
    }
    const headers = { 'content-encoding': 'br' };
    expect(outcome(await push(subject, logger, { headers, body: '{}' }))).toEqual(unsupported('br'));
  });
});

describe('A refused push', () => {
  const subject = serviceFor();

  it('is told what is wrong with its body before what is wrong with its logger', async () => {
    const answer = await push(subject, 'x', { type: 'text/csv', body: 'a' });
    expect(answer.status).toBe(415);
  });

  it('leaves its connection usable, whatever of the body was not read', async () => {
    const { url } = subject.service;
    const refusedPush = [
      `POST /api/core/loggers/${NOWHERE}/logs HTTP/1.1`,
      'host: x',
      `authorization: Bearer ${MASTER_KEY}`,
      'content-type: application/x-ndjson',
      'content-encoding: gzip',
      'content-length: 100000',
      '',
      'x'.repeat(100_000),
    ].join('\r\n');
    const second = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    const { status, text } = await sendBytes(url, refusedPush + second);
    expect(status).toBe(400);
    expect(text).toContain('malformed request body');
    expect(text).toContain('HTTP/1.1 200 OK');
  });

  it('that breaks off in the middle keeps nothing and is no defect', async () => {
    const logger = await createLogger(subject, { table: 'broken' });
    await push(subject, logger, { body: '{"a":1}' });
    const head = [
      `POST /api/core/loggers/${logger}/logs HTTP/1.1`,
      'host: x',
      `authorization: Bearer ${MASTER_KEY}`,
      'content-type: application/x-ndjson',
      'content-length: 1000',
    ].join('\r\n');
    await sendAndLeave(subject.service.url, `${head}\r\n\r\n{"a":2}\n`);
    expect(await rowsOf(subject, 'table broken | stats count')).toEqual([{ count: 1 }]);
    const { text } = await subject.call('GET', '/metrics');
    expect(text).not.toMatch(/defects_total [1-9]/);
  });

  it('to a logger whose model has gone says so', async () => {
    const logger = await createLogger(subject, { table: 'orphan' });
    const { model_guid } = (await subject.call('GET', `/api/core/loggers/${logger}`)).json.logger;
    await subject.call('DELETE', '/api/core/logger-models', { form: { guids: model_guid } });
    const answer = await push(subject, logger, { body: '{}' });
    expect(outcome(answer)).toEqual(illegal(`logger model not found: ${model_guid}`));
  });
});
