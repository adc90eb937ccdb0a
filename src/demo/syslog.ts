// Sends syslog as a server does: one datagram per message, without an answer.

import { createSocket } from 'node:dgram';
import type { Client } from './connection.ts';

interface Listening {
  readonly logger: { readonly configs: { readonly port: number; readonly bind: string } } | null;
}

interface SyslogSender extends Disposable {
  send(lines: readonly string[]): void;
}

/** Sends to the port of the logger; undefined for a logger that was removed. */
export async function syslogTo(client: Client, logger: string): Promise<SyslogSender | undefined> {
  const { logger: found } = await client.get<Listening>(`/loggers/${logger}`);
  if (!found) return undefined;
  const { port, bind } = found.configs;
  const socket = createSocket('udp4').unref();
  // A closed port is reported to the sender as an error.
  socket.on('error', () => undefined);
  return {
    send: (lines) => {
      for (const line of lines) socket.send(line, port, bind);
    },
    [Symbol.dispose]: () => socket.close(),
  };
}
