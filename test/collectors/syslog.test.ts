// Syslog over real sockets.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { loggerRecord, metricOf, valuesOf } from '#test/support/collected-logs.ts';
import { connection, createCollector, sendDatagrams, sendStream } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { rowsOf, sent } from '#test/support/logs.ts';
import { onEachDatabase, outcome } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const LOGGERS = '/api/core/loggers';
const bind = '127.0.0.1';

onEachDatabase(
  'Syslog over UDP',
  (subject) => {
    it('makes a log of every datagram, with the address of its sender, and counts it', async () => {
      const port = await freePort();
      const guid = await createCollector(subject, { table: 'udp', factory: 'syslog-udp', configs: { port, bind } });
      expect(await loggerRecord(subject, guid)).toMatchObject({ status: 'running', failure: null, is_passive: true });
      const messages = [
        '<34>1 2024-03-01T00:00:00Z host app - - - 안녕',
        '<13>Mar  1 00:00:00 host app: two\n',
        'three\0',
      ];
      await sendDatagrams(port, [...messages, '', '\r\n']);
      expect(await valuesOf(subject, 'udp', 3)).toEqual([messages[0], '<13>Mar  1 00:00:00 host app: two', 'three']);
      expect((await rowsOf(subject, 'table udp')).map((row) => row.sender_ip)).toEqual([bind, bind, bind]);
      const volume = messages.reduce((total, message) => total + Buffer.byteLength(message), 0);
      const counted = await until(
        () => loggerRecord(subject, guid),
        ({ log_count }) => log_count === 3,
      );
      expect(counted).toMatchObject({ log_count: 3, drop_count: 0, drop_volume: 0 });
      expect(counted.log_volume).toBeGreaterThanOrEqual(volume);
      await expect.poll(() => metricOf(subject, 'vigil_ingested_records_total', guid)).toBe(3);
    });

    it('keeps what its parser cannot read as text, and counts that', async () => {
      const port = await freePort();
      const configs = { port, bind };
      const guid = await createCollector(subject, { table: 'json', factory: 'syslog-udp', configs, parser: 'json' });
      await sendDatagrams(port, ['{"a":1,"sender_ip":"mine"}', '{"a":', Buffer.from([0xff, 0x41]), 'a\0b']);
      const rows = await until(
        () => rowsOf(subject, 'table json | sort _id'),
        (found) => found.length >= 4,
      );
      expect(rows.map(sent)).toEqual([
        { a: 1, sender_ip: bind },
        { line: '{"a":', sender_ip: bind },
        { line: '\ufffdA', sender_ip: bind, _repaired: true },
        { line: 'a\ufffdb', sender_ip: bind, _repaired: true },
      ]);
      await expect.poll(() => metricOf(subject, 'vigil_malformed_records_total', guid)).toBe(3);
    });

    it('follows what is done to the logger at once', async () => {
      const port = await freePort();
      const other = await freePort();
      const guid = await createCollector(subject, { table: 'moves', factory: 'syslog-udp', configs: { port, bind } });
      const { model_guid } = await loggerRecord(subject, guid);
      await sendDatagrams(port, ['before']);
      expect(await valuesOf(subject, 'moves', 1)).toEqual(['before']);
      const json = { model_guid, name: 'moved', table_name: 'moves', enabled: true, configs: { port: other, bind } };
      expect(outcome(await subject.call('PUT', `${LOGGERS}/${guid}`, { json }))).toEqual([200, {}]);
      await sendDatagrams(port, ['lost']);
      await sendDatagrams(other, ['after']);
      expect(await valuesOf(subject, 'moves', 2)).toEqual(['before', 'after']);
      await subject.call('POST', `${LOGGERS}/${guid}/disable`);
      expect(await loggerRecord(subject, guid)).toMatchObject({ status: 'stopped', failure: null });
      await sendDatagrams(other, ['lost']);
      await subject.call('POST', `${LOGGERS}/${guid}/enable`);
      await sendDatagrams(other, ['again']);
      expect(await valuesOf(subject, 'moves', 3)).toEqual(['before', 'after', 'again']);
      const model = { name: 'model of moves', logger_factory_name: 'syslog-udp', parser_code: 'json' };
      await subject.call('PUT', `/api/core/logger-models/${model_guid}`, { form: model });
      await sendDatagrams(other, ['{"line":"parsed"}']);
      expect(await valuesOf(subject, 'moves', 4)).toEqual(['before', 'after', 'again', 'parsed']);
      await subject.call('DELETE', LOGGERS, { form: { guids: guid, drop_table: 'true' } });
      await createCollector(subject, { table: 'moves_on', factory: 'syslog-udp', configs: { port: other, bind } });
      await sendDatagrams(other, ['another']);
      expect(await valuesOf(subject, 'moves_on', 1)).toEqual(['another']);
    });

    it('tells why it does not run, and begins when it can', async () => {
      const port = await freePort();
      const first = await createCollector(subject, { table: 'one', factory: 'syslog-udp', configs: { port, bind } });
      const second = await createCollector(subject, { table: 'two', factory: 'syslog-udp', configs: { port, bind } });
      expect(await loggerRecord(subject, second)).toMatchObject({
        enabled: true,
        status: 'stopped',
        failure: `port is in use: ${port}`,
      });
      await subject.call('POST', `${LOGGERS}/${first}/disable`);
      const running = await until(
        () => loggerRecord(subject, second),
        ({ status }) => status === 'running',
      );
      expect(running).toMatchObject({ status: 'running', failure: null });
      await sendDatagrams(port, ['here']);
      expect(await valuesOf(subject, 'two', 1)).toEqual(['here']);
      const { model_guid } = running;
      const nowhere = { port, bind: '192.0.2.1' };
      const json = { model_guid, name: 'two', table_name: 'two', enabled: true, configs: nowhere };
      await subject.call('PUT', `${LOGGERS}/${second}`, { json });
      expect((await loggerRecord(subject, second)).failure).toBe('address is not available: 192.0.2.1');
      const model = { name: 'model of two', logger_factory_name: 'file', parser_code: 'text' };
      await subject.call('PUT', `/api/core/logger-models/${model_guid}`, { form: model });
      expect(await loggerRecord(subject, second)).toMatchObject({
        status: 'stopped',
        failure: 'configs.path should be not null',
      });
      await subject.call('DELETE', '/api/core/logger-models', { form: { guids: model_guid } });
      expect(await loggerRecord(subject, second)).toMatchObject({
        status: 'stopped',
        failure: `logger model not found: ${model_guid}`,
      });
    });

    it('goes on after a restart', async () => {
      const port = await freePort();
      await createCollector(subject, { table: 'stays', factory: 'syslog-udp', configs: { port, bind } });
      await sendDatagrams(port, ['one']);
      await valuesOf(subject, 'stays', 1);
      await subject.service.restart();
      await sendDatagrams(port, ['two']);
      expect(await valuesOf(subject, 'stays', 2)).toEqual(['one', 'two']);
      const { json } = await subject.call('GET', '/readyz');
      expect(json.checks).toMatchObject({ ingest: 'ok' });
    });
  },
  { clock: systemClock, flags: { metrics: 'closed' } },
);

onEachDatabase(
  'Syslog over TCP',
  (subject) => {
    it.each([
      ['newline', '<1>a\n<1>b\n5 <1>c', ['<1>a', '<1>b', '5 <1>c']],
      ['octet-count', '4 <1>a6 <1>b\nc7 <1>', ['<1>a', '<1>b\nc', '<1>']],
      ['octet-count', '4 <1>a<1>no count\n<1>b', ['<1>a', '<1>no count\n<1>b']],
      [undefined, '<1>a\n4 <1>b4 <1>c\n<1>d', ['<1>a', '<1>b', '<1>c', '<1>d']],
    ])('with framing %s makes logs of %j', async (framing, text, logs) => {
      const port = await freePort();
      const table = `tcp${port}`;
      await createCollector(subject, { table, factory: 'syslog-tcp', configs: { port, bind, framing } });
      await sendStream(port, text);
      expect(await valuesOf(subject, table, logs.length)).toEqual(logs);
    });

    it('lets a sender that breaks the rules go, and no other', async () => {
      const port = await freePort();
      const configs = { port, bind, framing: 'octet-count' };
      await createCollector(subject, { table: 'rules', factory: 'syslog-tcp', configs });
      const good = await connection(port);
      good.write('4 <1>a');
      await valuesOf(subject, 'rules', 1);
      await sendStream(port, 'x');
      good.write('4 <1>b');
      expect(new Set(await valuesOf(subject, 'rules', 3))).toEqual(new Set(['<1>a', 'x', '<1>b']));
      good.destroy();
    });

    it('loses nothing of a sender that stops when it is told to', async () => {
      const port = await freePort();
      const configs = { port, bind };
      const guid = await createCollector(subject, { table: 'told', factory: 'syslog-tcp', configs });
      const socket = await connection(port, { allowHalfOpen: true });
      const told = once(socket.resume(), 'end');
      let count = 0;
      let isTold = false;
      const writing = (async () => {
        for (; !isTold; count += 1) {
          // What is on its way is bounded by the buffers of the connection, as with any sender that minds them.
          if (!socket.write(`line ${count} ${'x'.repeat(1000)}\n`)) await once(socket, 'drain');
          else await new Promise(setImmediate);
        }
        socket.end();
      })();
      await valuesOf(subject, 'told', 100);
      const disabled = subject.call('POST', `${LOGGERS}/${guid}/disable`);
      await told;
      isTold = true;
      await writing;
      expect(outcome(await disabled)).toEqual([200, {}]);
      const kept = await until(
        () => rowsOf(subject, 'table told | stats count'),
        ([row]) => row.count >= count,
      );
      expect(kept).toEqual([{ count }]);
    });

    it('reads on while a sender that was told is still sending, for as long as it takes', async () => {
      const port = await freePort();
      const configs = { port, bind };
      const guid = await createCollector(subject, { table: 'late', factory: 'syslog-tcp', configs });
      const socket = await connection(port, { allowHalfOpen: true });
      socket.write('line 0\n');
      await valuesOf(subject, 'late', 1);
      const told = once(socket.resume(), 'end');
      const disabled = subject.call('POST', `${LOGGERS}/${guid}/disable`);
      await told;
      // Longer than any second that a stop might have given it, with rests as a busy machine makes them.
      for (let count = 1; count <= 6; count += 1) {
        await new Promise((resolve) => socket.write(`line ${count}\n`, resolve));
        await sleep(400);
      }
      socket.end();
      expect(outcome(await disabled)).toEqual([200, {}]);
      expect(await valuesOf(subject, 'late', 7)).toEqual(Array.from({ length: 7 }, (_, count) => `line ${count}`));
    });

    it('keeps what arrived when the service stops, the beginning of a message too', async () => {
      const port = await freePort();
      await createCollector(subject, { table: 'stops', factory: 'syslog-tcp', configs: { port, bind } });
      const socket = await connection(port);
      socket.on('error', () => undefined);
      socket.write('<1>first\n');
      await valuesOf(subject, 'stops', 1);
      const lines = Array.from({ length: 2000 }, (_, index) => `<1>${index}`);
      await new Promise((resolve) => socket.write(`${lines.join('\n')}\n<1>half`, resolve));
      await until(
        () => rowsOf(subject, 'table stops | stats count'),
        ([row]) => row.count === 2001,
      );
      await subject.service.restart();
      expect(await valuesOf(subject, 'stops', 2002)).toEqual(['<1>first', ...lines, '<1>half']);
    });
  },
  { clock: systemClock },
);
