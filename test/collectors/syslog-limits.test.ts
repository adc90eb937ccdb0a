// Syslog that comes too fast, in too large pieces, or over too many connections.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { loggerRecord, metricOf, valuesOf } from '#test/support/collected-logs.ts';
import { connection, createCollector, sendDatagrams, sendStream } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const bind = '127.0.0.1';
const CONNECTIONS = 300;
const LIMITS = {
  'line-limit': '20',
  'collect-queue': '4096',
  'collect-connections': String(CONNECTIONS),
  metrics: 'closed',
};
const FLOOD = `
  const [port, messages, bytes] = process.argv.slice(1).map(Number);
  const socket = require('node:dgram').createSocket('udp4');
  let sent = 0;
  const send = () => sent++ < messages ? socket.send('x'.repeat(bytes), port, '127.0.0.1', send) : socket.close();
  send();
`;

describe('Syslog beyond its limits', () => {
  const subject = serviceFor({ clock: systemClock, flags: LIMITS });

  it('over UDP is dropped where there is no room, and counted', async () => {
    const port = await freePort();
    const guid = await createCollector(subject, { table: 'udp', factory: 'syslog-udp', configs: { port, bind } });
    const messages = Array.from({ length: 300 }, (_, index) => `message ${index}`);
    await sendDatagrams(port, messages);
    const record = await until(
      () => loggerRecord(subject, guid),
      ({ log_count, drop_count }) => log_count + drop_count === messages.length,
    );
    expect(record.log_count + record.drop_count).toBe(messages.length);
    expect(record.drop_count).toBeGreaterThan(0);
    expect(record.drop_volume).toBeGreaterThanOrEqual(record.drop_count * 'message 0'.length);
    expect(await metricOf(subject, 'vigil_dropped_records_total', guid)).toBe(record.drop_count);
    const kept = await valuesOf(subject, 'udp', record.log_count);
    expect(kept).toEqual(messages.filter((message) => kept.includes(message)));
    await sendDatagrams(port, ['afterwards']);
    expect((await valuesOf(subject, 'udp', record.log_count + 1)).at(-1)).toBe('afterwards');
  });

  it('over TCP waits, and nothing is lost', async () => {
    const port = await freePort();
    const guid = await createCollector(subject, { table: 'tcp', factory: 'syslog-tcp', configs: { port, bind } });
    const messages = Array.from({ length: 20_000 }, (_, index) => `<1>message ${index}`);
    await sendStream(port, ...chunked(`${messages.join('\n')}\n`));
    expect(await valuesOf(subject, 'tcp', messages.length)).toEqual(messages);
    await expect.poll(() => loggerRecord(subject, guid)).toMatchObject({ log_count: messages.length, drop_count: 0 });
  });

  it('is cut where it is too long, kept as text and counted', async () => {
    const port = await freePort();
    const configs = { port, bind };
    const udp = await createCollector(subject, { table: 'udp_cut', factory: 'syslog-udp', configs, parser: 'json' });
    await sendDatagrams(port, ['{"a":1}', `{"a":"${'x'.repeat(30)}"}`, `${'x'.repeat(19)}한`]);
    const cut = [undefined, `{"a":"${'x'.repeat(14)}`, 'x'.repeat(19)];
    expect(await valuesOf(subject, 'udp_cut', 3)).toEqual(cut);
    await expect.poll(() => metricOf(subject, 'vigil_malformed_records_total', udp)).toBe(2);
    const tcp = await createCollector(subject, { table: 'tcp_cut', factory: 'syslog-tcp', configs });
    await sendStream(port, `${'y'.repeat(5000)}\nshort\n30 <1>${'z'.repeat(27)}7 <1>last`);
    expect(await valuesOf(subject, 'tcp_cut', 4)).toEqual(['y'.repeat(20), 'short', `<1>${'z'.repeat(17)}`, '<1>last']);
    await expect.poll(() => metricOf(subject, 'vigil_malformed_records_total', tcp)).toBe(2);
  });

  it.runIf(process.platform === 'linux')(
    'that the system drops, because nobody takes it in time, is counted, too',
    async () => {
      const port = await freePort();
      const guid = await createCollector(subject, { table: 'busy', factory: 'syslog-udp', configs: { port, bind } });
      const messages = 40_000;
      const bytes = 1000;
      // Nothing else happens in this process while the other one sends.
      execFileSync(process.execPath, ['-e', FLOOD, String(port), String(messages), String(bytes)]);
      await subject.call('POST', `/api/core/loggers/${guid}/disable`);
      const { log_count, drop_count } = await loggerRecord(subject, guid);
      expect(drop_count).toBeGreaterThan(0);
      expect(log_count + drop_count).toBe(messages);
    },
  );

  it('over too many connections closes the one that was silent longest, and keeps what it sent', async () => {
    const port = await freePort();
    await createCollector(subject, { table: 'crowd', factory: 'syslog-tcp', configs: { port, bind } });
    const sockets = [];
    for (let index = 0; index < CONNECTIONS; index += 1) sockets.push(await connection(port));
    const [silent, ...busy] = sockets;
    silent?.write('<1>half a mess');
    for (const [index, socket] of busy.entries()) socket.write(`<1>${index}\n`);
    await valuesOf(subject, 'crowd', busy.length);
    const closed = silent && once(silent, 'close');
    silent?.resume();
    const late = await connection(port);
    await closed;
    late.write('<1>late\n');
    const texts = await valuesOf(subject, 'crowd', busy.length + 2);
    expect(texts.slice(-2).sort()).toEqual(['<1>half a mess', '<1>late']);
    for (const socket of [...busy, late]) socket.destroy();
  });

  it('over many connections comes from each of them', async () => {
    const port = await freePort();
    await createCollector(subject, { table: 'many', factory: 'syslog-tcp', configs: { port, bind } });
    const sockets = await Promise.all(Array.from({ length: 200 }, () => connection(port)));
    for (const [index, socket] of sockets.entries()) socket.write(`<1>hello ${index}\n`);
    expect(await valuesOf(subject, 'many', 200)).toHaveLength(200);
    for (const [index, socket] of sockets.entries()) socket.write(`<1>bye ${index}\n`);
    expect(new Set(await valuesOf(subject, 'many', 400)).size).toBe(400);
    for (const socket of sockets) socket.destroy();
  });
});

const chunked = (text: string): string[] => text.match(/[\s\S]{1,1000}/g) ?? [];
