// What programs that others wrote put on the wire and do to files: as it was recorded, and as they do it themselves.

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { valuesOf } from '#test/support/collected-logs.ts';
import { createCollector, sendDatagrams, sendStream } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { rowsOf } from '#test/support/logs.ts';
import { startRsyslog } from '#test/support/rsyslog.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const root = mkdtempSync(join(tmpdir(), 'vigil-senders-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const bind = '127.0.0.1';
/** The set-up installs rsyslog, logger and logrotate together. */
const skip = inject('rsyslogReason');
const subject = serviceFor({ clock: systemClock, flags: { 'collect-folders': root } });

const collector = async (table: string, factory: 'syslog-udp' | 'syslog-tcp', more = {}) => {
  const port = await freePort();
  await createCollector(subject, { table, factory, configs: { port, bind, ...more }, parser: 'syslog' });
  return port;
};

describe('Messages as they were recorded', () => {
  it('of logger, over UDP and TCP', async () => {
    const udp = await collector('recorded_udp', 'syslog-udp');
    await sendDatagrams(udp, [
      '<13>1 2026-11-15T16:20:00.123456+00:00 host root - - [timeQuality tzKnown="1" isSynced="1" syncAccuracy="500"] hello 5424',
      '<13>Nov 15 16:20:00 host root: hello 3164',
    ]);
    const messages = await valuesOf(subject, 'recorded_udp', 2, 'msg');
    expect(messages).toEqual(['hello 5424', 'hello 3164']);
    const tcp = await collector('recorded_tcp', 'syslog-tcp');
    await sendStream(
      tcp,
      '<13>1 2026-11-15T16:20:00.1+00:00 host root - - - one\n52 <13>1 2026-11-15T16:20:00.1+00:00 host root - - - tw',
    );
    expect(await valuesOf(subject, 'recorded_tcp', 2, 'msg')).toEqual(['one', 'tw']);
  });
});

describe.skipIf(skip)('logger', () => {
  it.each([
    ['syslog-udp', ['-d', '--rfc5424']],
    ['syslog-udp', ['-d', '--rfc3164']],
    ['syslog-tcp', ['-T', '--rfc5424']],
    ['syslog-tcp', ['-T', '--rfc3164']],
    ['syslog-tcp', ['-T', '--rfc5424', '--octet-count']],
    ['syslog-tcp', ['-T', '--rfc3164', '--octet-count']],
  ] as const)('sends to a logger of kind %s with %j', async (factory, options) => {
    const table = `logger_${factory.slice(-3)}_${options.join('').replace(/\W/g, '')}`;
    const port = await collector(table, factory);
    execFileSync('logger', ['-n', bind, '-P', String(port), ...options, '-t', 'tester', '안녕 from logger']);
    const [row] = await until(
      () => rowsOf(subject, `table ${table}`),
      (rows) => rows.length > 0,
    );
    expect(row).toMatchObject({ msg: '안녕 from logger', sender_ip: bind });
    expect(row.facility).toBe(1);
  });
});

describe.skipIf(skip)('rsyslog', () => {
  it.each(['octet-counted', 'traditional'])('forwards over TCP, %s', async (framing) => {
    const table = `rsyslog_${framing.slice(0, 5)}`;
    const port = await collector(table, 'syslog-tcp');
    const forwarding = `action(type="omfwd" target="${bind}" port="${port}" protocol="tcp" TCP_Framing="${framing}" template="RSYSLOG_SyslogProtocol23Format")`;
    await using rsyslog = await startRsyslog({ folder: root, name: table, action: forwarding });
    const texts = Array.from({ length: 50 }, (_, index) => `message ${index}`);
    execFileSync('logger', ['-u', rsyslog.socket, '-t', 'tester'], { input: `${texts.join('\n')}\n` });
    const messages = await valuesOf(subject, table, 50, 'msg');
    // Its format for RFC 5424 has two blanks before the message.
    expect(messages.map((message) => String(message).trim())).toEqual(texts);
  });

  it('forwards over UDP', async () => {
    const port = await collector('rsyslog_udp', 'syslog-udp');
    const action = `action(type="omfwd" target="${bind}" port="${port}" protocol="udp")`;
    await using rsyslog = await startRsyslog({ folder: root, name: 'udp', action });
    execFileSync('logger', ['-u', rsyslog.socket, '-t', 'tester', 'over UDP']);
    expect(await valuesOf(subject, 'rsyslog_udp', 1, 'msg')).toEqual(['over UDP']);
  });
});

const PYTHON = `
import logging, logging.handlers, socket, sys
kind = socket.SOCK_STREAM if sys.argv[2] == 'tcp' else socket.SOCK_DGRAM
log = logging.getLogger('tester')
log.setLevel(logging.INFO)
log.addHandler(logging.handlers.SysLogHandler(('127.0.0.1', int(sys.argv[1])), socktype=kind))
for number in range(3): log.info('안녕 %d', number)
logging.shutdown()
`;

it.skipIf(skip).each(['tcp', 'udp'] as const)('SysLogHandler of Python sends over %s', async (transport) => {
  const table = `python_${transport}`;
  const port = await collector(table, `syslog-${transport}`);
  execFileSync('python3', ['-c', PYTHON, String(port), transport]);
  const messages = await valuesOf(subject, table, 3, 'msg');
  expect(messages).toEqual(['안녕 0', '안녕 1', '안녕 2']);
});

describe.skipIf(skip)('logrotate', () => {
  it.each([
    ['create', 'create', 'app.log'],
    ['create', 'create\n  compress\n  delaycompress', 'app.log*'],
    ['copytruncate', 'copytruncate', 'app.log'],
    ['copytruncate', 'copytruncate\n  dateext\n  dateformat -%s', 'app.log*'],
    ['copytruncate', 'copytruncate\n  compress\n  delaycompress', 'app.log*'],
  ])('rotates by %s, as %j, and nothing is lost or repeated by the name %s', async (_, options, pattern) => {
    const table = `rotated_${Math.random().toString(36).slice(2)}`;
    const folder = join(root, table);
    mkdirSync(folder);
    const file = join(folder, 'app.log');
    writeFileSync(file, '');
    const configs = { path: folder, pattern };
    await createCollector(subject, { table, factory: 'file', configs, fields: { interval: '1000' } });
    const config = join(folder, 'rotation.conf');
    writeFileSync(config, `${file} {\n  rotate 5\n  missingok\n  ${options}\n}\n`, { mode: 0o644 });
    const written: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (let count = 0; count < 20; count += 1) {
        written.push(`line ${written.length}`);
        appendFileSync(file, `${written.at(-1)}\n`);
        if (count === 10) await valuesOf(subject, table, written.length);
      }
      execFileSync('logrotate', ['-f', '-s', join(folder, 'state'), config]);
    }
    written.push('last');
    appendFileSync(file, 'last\n');
    expect(await valuesOf(subject, table, written.length)).toEqual(written);
  });
});
