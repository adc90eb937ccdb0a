// Sends syslog messages as a busy host would: all of one form, each with its own number.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SyslogOrder, SyslogSent } from './syslog.ts';

const BEAT_MS = 5;
const CHUNK_MESSAGES = 200;

process.on('message', async (order: SyslogOrder) => {
  try {
    process.send?.(await send(order));
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});

async function send(order: SyslogOrder): Promise<SyslogSent> {
  const begun = performance.now();
  await (order.transport === 'udp' ? sendDatagrams(order) : sendStream(order));
  return { milliseconds: performance.now() - begun };
}

async function sendDatagrams({ port, messages, perSecond = Number.POSITIVE_INFINITY }: SyslogOrder): Promise<void> {
  const socket = createSocket('udp4');
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const begun = performance.now();
  for (let sent = 0; sent < messages; ) {
    const due = Math.min(messages, Math.ceil(((performance.now() - begun) / 1000) * perSecond));
    const last = Promise.withResolvers<void>();
    const beginning = sent;
    for (; sent < due; sent += 1) {
      const isLast = sent === due - 1;
      socket.send(messageOf(sent), (error) => {
        if (error) last.reject(error);
        else if (isLast) last.resolve();
      });
    }
    if (sent > beginning) await last.promise;
    await pause(BEAT_MS);
  }
  socket.close();
}

async function sendStream({ port, messages }: SyslogOrder): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  for (let sent = 0; sent < messages; ) {
    const lines: string[] = [];
    for (; sent < messages && lines.length < CHUNK_MESSAGES; sent += 1) lines.push(`${messageOf(sent)}\n`);
    if (!socket.write(lines.join(''))) await once(socket, 'drain');
  }
  socket.end();
  socket.resume();
  await once(socket, 'close');
}

const messageOf = (number: number): string =>
  `<134>1 2026-11-15T09:30:00.000Z web-${number % 20} nginx ${1000 + (number % 50)} - - GET /page/${number} HTTP/1.1 200 ${number % 5000}`;
