import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceLog } from '#app/service-log.ts';
import { auditLogs } from '#test/support/audit.ts';
import { type Service, startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const COMPANIES = '/api/core/companies';

/** A service log that remembers what it was told. */
function remembering(): { log: ServiceLog; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const keep = (fields: object, message: string) => void lines.push({ ...fields, message });
  return { log: { info: keep, warn: keep, error: keep, flush() {} }, lines };
}

describe('The request id', () => {
  const { log, lines } = remembering();
  let service: Service;
  beforeAll(async () => {
    service = await startService({ log });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it.each([
    ['GET', '/healthz', {}],
    ['GET', '/metrics', {}],
    ['GET', '/nowhere', {}],
    ['PATCH', COMPANIES, {}],
    ['GET', COMPANIES, {}],
    ['GET', COMPANIES, { key: null }],
    ['GET', '/api/core/users/%zz', {}],
    ['POST', COMPANIES, {}],
    ['POST', COMPANIES, { form: { name: 'x' } }],
    ['POST', COMPANIES, { body: 'x', headers: { 'content-type': 'text/plain' } }],
    ['POST', COMPANIES, { body: 'x'.repeat(17_000_000), headers: { 'content-type': 'text/plain' } }],
    ['GET', '/api/core/audit-logs/export', {}],
  ])('is on the answer and in the service log: %s %s', async (method, path, options) => {
    const answer = await service.call(method, path, options);
    const id = answer.headers.get('x-request-id');
    expect(id).toMatch(/^\S+$/);
    // It is logged when the answer has been sent, which its receiver may see first.
    const logged = async () => lines.filter((line) => line.request_id === id);
    expect(await until(logged, ({ length }) => length > 0)).toHaveLength(1);
  });

  it('is in the service log when the client leaves with its refusal, still sending', async () => {
    const headers = { connection: 'close', 'content-type': 'text/plain', 'content-length': '17000000' };
    const sent = request(`${service.url}${COMPANIES}`, { method: 'POST', agent: false, headers });
    sent.on('error', () => undefined).write('x');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    for await (const _ of answer) break;
    const id = answer.headers['x-request-id'];
    sent.destroy();
    const logged = async () => lines.filter((line) => line.request_id === id);
    expect(await until(logged, ({ length }) => length > 0)).toHaveLength(1);
  });

  it('is in the audit entry, of success and of failure', async () => {
    for (const form of [{ name: 'entered' }, { name: 'entered' }]) {
      const answer = await service.call('POST', COMPANIES, { form });
      const [entry] = await auditLogs(service);
      expect(JSON.stringify(entry)).toContain(answer.headers.get('x-request-id'));
    }
  });

  it('is never the same twice, nor taken from the client', async () => {
    const ask = () => service.call('GET', '/healthz', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    const ids = new Set(answers.map(({ headers }) => headers.get('x-request-id')));
    expect(ids.size).toBe(50);
    expect(ids).not.toContain('mine');
  });

  it('stands in a log that never holds keys, paths as sent or parameters', async () => {
    await service.call('GET', `${COMPANIES}?keywords=confidential`);
    await service.call('GET', '/api/core/users/confidential', { key: 'vgl_confidential' });
    await service.call('GET', '/confidential');
    expect(JSON.stringify(lines)).not.toContain('confidential');
  });
});
