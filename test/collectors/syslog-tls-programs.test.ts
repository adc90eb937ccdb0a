// Syslog over TLS as programs that others wrote speak it: openssl and rsyslog.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { authority, certificateFor } from '#test/support/certificates.ts';
import { valuesOf } from '#test/support/collected-logs.ts';
import { createCollector } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { rowsOf } from '#test/support/logs.ts';
import { startRsyslog } from '#test/support/rsyslog.ts';
import { serviceFor } from '#test/support/suites.ts';

const bind = '127.0.0.1';
const folder = mkdtempSync(join(tmpdir(), 'vigil-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const own = certificateFor(`IP:${bind}`);
const ca = authority();
const client = ca.sign({ C: 'KR', O: 'Example, Inc.', CN: '웹01' });

describe.skipIf(inject('rsyslogReason') !== '')('Syslog over TLS', () => {
  const subject = serviceFor({ clock: systemClock });
  const collector = async (table: string, configs: object = {}, parser = 'text') => {
    const port = await freePort();
    const all = { port, bind, cert: 'syslog.pem', key: 'syslog-key.pem', ...configs };
    await createCollector(subject, { table, factory: 'syslog-tls', configs: all, parser });
    return { port };
  };

  beforeAll(() => {
    const files = { 'syslog.pem': own.cert, 'syslog-key.pem': own.key, 'senders.pem': ca.cert };
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(subject.service.config.keys, name), text, { mode: 0o600 });
  });

  it('is taken from openssl s_client', async () => {
    const { port } = await collector('openssl');
    const child = spawn('openssl', ['s_client', '-quiet', '-connect', `${bind}:${port}`], { stdio: 'pipe' });
    child.stdin.write('<1>by openssl\n25 <1>with a count by openssl');
    expect(await valuesOf(subject, 'openssl', 2)).toEqual(['<1>by openssl', '<1>with a count by openss']);
    child.kill();
    await once(child, 'exit');
  });

  it.each([
    ['gtls', 'traditional'],
    ['gtls', 'octet-counted'],
    ['ossl', 'traditional'],
    ['ossl', 'octet-counted'],
  ])('is taken from rsyslog by its driver %s, %s', async (driver, framing) => {
    const table = `rsyslog_${driver}_${framing.slice(0, 5)}`;
    const { port } = await collector(table, { client_auth: 'required', client_ca: 'senders.pem' }, 'syslog');
    const [caFile, certFile, keyFile] = ['ca', 'cert', 'key'].map((name) => join(folder, `${table}-${name}.pem`));
    for (const [file, text] of [
      [caFile, own.cert],
      [certFile, client.cert],
      [keyFile, client.key],
    ] as const)
      writeFileSync(file ?? '', text);
    await using rsyslog = await startRsyslog({
      folder,
      name: table,
      globals: `DefaultNetstreamDriverCAFile="${caFile}" DefaultNetstreamDriverCertFile="${certFile}" DefaultNetstreamDriverKeyFile="${keyFile}"`,
      action: `action(type="omfwd" target="${bind}" port="${port}" protocol="tcp" StreamDriver="${driver}" StreamDriverMode="1" StreamDriverAuthMode="x509/certvalid" TCP_Framing="${framing}" template="RSYSLOG_SyslogProtocol23Format")`,
    });
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    execFileSync('logger', ['-u', rsyslog.socket, '-t', 'tester'], { input: `${texts.join('\n')}\n` });
    const messages = await valuesOf(subject, table, texts.length, 'msg');
    expect(messages.map((message) => String(message).trim())).toEqual(texts);
    expect((await rowsOf(subject, `table ${table} | limit 1`))[0].sender_name).toContain('CN=웹01');
  });
});
