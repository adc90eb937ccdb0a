// The snippets of docs/senders.md for curl, Python, logger and rsyslog are run as they stand.

import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { createCollector } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { rowsOf } from '#test/support/logs.ts';
import { startRsyslog } from '#test/support/rsyslog.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { snippets } from './document.ts';
import { listenAsDocumented } from './documented-logger.ts';

/** The set-up installs rsyslog, logger and curl together. */
const skip = inject('rsyslogReason');

describe('The document of senders', () => {
  const subject = serviceFor();
  // Loggers collect by the time of the system.
  const bulk = serviceFor({ clock: systemClock, flags: { senders: 'elasticsearch' } });

  it.skipIf(skip)('has a configuration of rsyslog for Elasticsearch that works', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-rsyslog-'));
    const { port } = new URL(bulk.service.url);
    const [action = ''] = snippets('### rsyslog');
    const here = action.replace('vigil.example.com', '127.0.0.1').replace('8470', port).replace('KEY', MASTER_KEY);
    await bulk.call('POST', '/api/core/tables', { form: { table: 'web' } });
    await using rsyslog = await startRsyslog({ folder, name: 'bulk', action: here });
    const texts = Array.from({ length: 20 }, (_, number) => `안녕 ${number}`);
    spawnSync('logger', ['-u', rsyslog.socket, '-t', 'tester'], { input: `${texts.join('\n')}\n` });
    const rows = await until(
      () => rowsOf(bulk, 'table web | sort _id'),
      (found) => found.length >= texts.length,
    );
    expect(rows.map(({ msg }) => String(msg).trim())).toEqual(texts);
    expect(rows[0]).toMatchObject({ app: 'tester', severity: 'notice', doc_id: expect.any(String) });
    expect(new Set(rows.map(({ doc_id }) => doc_id)).size).toBe(texts.length);
    rmSync(folder, { recursive: true, force: true });
  });

  const run = promisify(execFile);
  const rowsWith = (service: typeof subject, table: string, count: number) =>
    until(
      () => rowsOf(service, `table ${table} | sort _id`),
      (found) => found.length >= count,
    );

  it.skipIf(skip)('has snippets of curl and Python that work as they stand', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'vigil-snippets-'));
    writeFileSync(join(cwd, 'app.log'), '<13>Mar  1 08:00:00 web01 shop: from a file\n');
    writeFileSync(join(cwd, 'app.ndjson'), '{"msg":"compressed"}\n');
    const env = { ...process.env, URL: subject.service.url, KEY: MASTER_KEY };
    const commands = snippets('### curl', 'sh').map((one) =>
      one.replaceAll(/(?<!\$)\bURL\b/g, env.URL).replaceAll(/(?<!\$)\bKEY\b/g, env.KEY),
    );
    expect(commands.length).toBe(4);
    for (const command of commands) await run('sh', ['-c', command], { env, cwd });
    await run('python3', ['-c', snippets('### Python', 'python')[0] ?? ''], { env });
    expect((await rowsWith(subject, 'web', 5)).map(({ msg, level }) => [msg, level ?? null])).toEqual([
      ['hello', null],
      ['hello', null],
      ['from a file', null],
      ['compressed', null],
      ['hello', 'WARNING'],
    ]);
    rmSync(cwd, { recursive: true, force: true });
  });

  it.skipIf(skip)('has commands of logger that work as they stand', async () => {
    const commands = snippets('### logger', 'sh');
    expect(commands.length).toBe(2);
    for (const command of commands) {
      const [, kind = ''] = /--(udp|tcp) /.exec(command) ?? [];
      const port = await freePort();
      const factory = kind === 'udp' ? 'syslog-udp' : 'syslog-tcp';
      const configs = { port, bind: '127.0.0.1' };
      await createCollector(bulk, { table: `by_${kind}`, factory, configs, parser: 'syslog' });
      await run('sh', ['-c', command.replace('vigil.example.com', '127.0.0.1').replace('5514', String(port))]);
      expect((await rowsWith(bulk, `by_${kind}`, 1)).map(({ msg }) => msg)).toEqual(['hello']);
    }
  });

  it.skipIf(skip)('has a logger for TLS and a configuration of rsyslog for it that work', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-rsyslog-'));
    const { url, config } = bulk.service;
    await bulk.call('POST', '/api/core/tables', { form: { table: 'web' } });
    const port = await listenAsDocumented({ url, keys: config.keys, folder });
    const action = snippets('## Syslog').find((one) => one.includes('omfwd')) ?? '';
    const here = action
      .replaceAll('vigil.example.com', 'localhost')
      .replace('6514', String(port))
      .replaceAll('/etc/ssl/', `${folder}/`);
    await using rsyslog = await startRsyslog({ folder, name: 'tls', action: here });
    spawnSync('logger', ['-u', rsyslog.socket, '-t', 'tester'], { input: '안녕\n' });
    const rows = await until(
      () => rowsOf(bulk, 'table web | search sender_name == "CN=web01"'),
      (found) => found.length > 0,
    );
    expect(rows.map(({ msg }) => String(msg).trim())).toEqual(['안녕']);
    rmSync(folder, { recursive: true, force: true });
  });
});
