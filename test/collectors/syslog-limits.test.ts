// Syslog that comes too fast, in too large pieces, or over too many connections.

import { describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { loggerRecord, metricOf, valuesOf } from '#test/support/collected.ts';
import { connection, createCollector, freePort, sendDatagrams, sendStream } from '#test/support/collectors.ts';
import { serviceFor, until } from '#test/support/suites.ts';

const bind = '127.0.0.1';

describe('Syslog beyond its limits', () => {
  const subject = serviceFor({ clock: systemClock, flags: { 'line-limit': '20', 'collect-queue': '4096' } });

  it('over UDP is dropped where there is no room, and counted', async () => {
    const port = await freePort();
    const guid = await createCollector(subject, { table: 'udp', factory: 'syslog-udp', configs: { port, bind } });
    const messages = Array.from({ length: 300 }, (_, index) => `message ${index}`);
    await sendDatagrams(port, messages);
    const record = await until(
      () => loggerRecord(subject, guid),
      ({ log_count, drop_count }) => log_count + drop_count === messages.length,
      500,
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
    expect(await loggerRecord(subject, guid)).toMatchObject({ log_count: messages.length, drop_count: 0 });
  });

  it('is cut where it is too long, kept as text and counted', async () => {
    const port = await freePort();
    const configs = { port, bind };
    const udp = await createCollector(subject, { table: 'udp_cut', factory: 'syslog-udp', configs, parser: 'json' });
    await sendDatagrams(port, ['{"a":1}', `{"a":"${'x'.repeat(30)}"}`, `${'x'.repeat(19)}한`]);
    const cut = [undefined, `{"a":"${'x'.repeat(14)}`, `${'x'.repeat(19)}\ufffd`];
    expect(await valuesOf(subject, 'udp_cut', 3)).toEqual(cut);
    expect(await metricOf(subject, 'vigil_malformed_records_total', udp)).toBe(2);
    const tcp = await createCollector(subject, { table: 'tcp_cut', factory: 'syslog-tcp', configs });
    await sendStream(port, `${'y'.repeat(5000)}\nshort\n30 <1>${'z'.repeat(27)}7 <1>last`);
    expect(await valuesOf(subject, 'tcp_cut', 4)).toEqual(['y'.repeat(20), 'short', `<1>${'z'.repeat(17)}`, '<1>last']);
    expect(await metricOf(subject, 'vigil_malformed_records_total', tcp)).toBe(2);
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
