// Which hosts a request may name, and what a proxy with TLS in front of the service changes.

import { describe, expect, it } from 'vitest';
import { bodiesOf, closeServers, createServers } from '#app/serving/listening.ts';
import { ConsoleFiles } from '#http/console/console-files.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { readSettings } from '#settings/read-config.ts';
import { sendBytes } from '#test/support/raw-http.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';

const PATH = '/api/core/companies';

function asker(subject: { readonly service: { readonly url: string } }) {
  return async (path: string, ...hosts: string[]) => {
    const lines = [
      `GET ${path} HTTP/1.1`,
      ...hosts.map((host) => `Host: ${host}`),
      `Authorization: Bearer ${MASTER_KEY}`,
      'Connection: close',
    ];
    const { status, text } = await sendBytes(subject.service.url, `${lines.join('\r\n')}\r\n\r\n`);
    return [status, JSON.parse(text).error_msg] as const;
  };
}

describe('With allowed-hosts, a request', () => {
  const subject = serviceFor({ flags: { 'allowed-hosts': 'vigil.example, Logs.Example:9000' } });
  const ask = asker(subject);

  it.each([
    'vigil.example',
    'vigil.example:8470',
    'VIGIL.Example',
    'vigil.example.',
    'logs.example',
    'localhost',
    'LOCALHOST:1',
    '127.0.0.1',
    '203.0.113.5:80',
    '[::1]',
    '[2001:db8::1]:8470',
  ])('to %s is answered', async (host) => {
    expect(await ask(PATH, host)).toEqual([200, undefined]);
  });

  it.each([
    'evil.example',
    'evil.example:8470',
    'vigil.example.evil.example',
    'notvigil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '[vigil.example',
    'vigil.example:x',
  ])('to %s is refused', async (host) => {
    expect(await ask(PATH, host)).toEqual([421, `unknown host: ${host}`]);
  });

  it('without a host, or with a second one that is not allowed, is refused', async () => {
    expect(await ask(PATH)).toEqual([421, 'unknown host: ']);
    expect(await ask(PATH, 'vigil.example', 'evil.example')).toEqual([421, 'unknown host: evil.example']);
  });

  it('is told first that there is no such operation', async () => {
    expect(await ask('/api/core/nothing', 'evil.example')).toEqual([404, 'no such operation: GET /api/core/nothing']);
  });

  it.each(['/healthz', '/readyz', '/metrics'])('to %s is answered under every host', async (path) => {
    const lines = `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${MASTER_KEY}\r\n`;
    expect((await sendBytes(subject.service.url, `${lines}Connection: close\r\n\r\n`)).status).toBe(200);
  });
});

describe('Without allowed-hosts', () => {
  const ask = asker(serviceFor());

  it('every host is as good as another', async () => {
    expect(await ask(PATH, 'evil.example')).toEqual([200, undefined]);
    expect(await ask(PATH)).toEqual([200, undefined]);
  });
});

it('A service that is starting asks a node to send its request again, under whatever host it came', async () => {
  const { config } = await readSettings({ flags: { 'allowed-hosts': 'vigil.example' }, environment: {} });
  const requests = { begun() {}, ended() {}, answered() {}, defect() {} };
  const observer = { ...requests, connected() {}, disconnected() {}, connectionClosed() {} };
  using bodies = bodiesOf(config, systemClock);
  const servers = createServers(config, new ConsoleFiles(config.data), {
    ownServices: {},
    clock: systemClock,
    bodies,
    observer,
    callDeps: () => undefined,
    state: () => 'starting',
  });
  const ask = async (more: Readonly<Record<string, string>>) => {
    const headers = { host: 'inside.example', ...more };
    const { statusCode, payload } = await servers.main.inject({ url: '/api/core/queries/7', headers });
    return [statusCode, JSON.parse(payload).error_msg];
  };
  expect(await ask({ 'x-vigil-forwarded': 'a.b' })).toEqual([503, 'service is starting']);
  expect(await ask({})).toEqual([421, 'unknown host: inside.example']);
  await closeServers(servers);
});
