// Syslog as a server sends it: a datagram for each message, and no answer.

import { createSocket } from 'node:dgram';
import type { Client } from './connection.ts';

interface Listening {
  readonly logger: { readonly configs: { readonly port: number; readonly bind: string } } | null;
}

interface SyslogSender extends Disposable {
  send(lines: readonly string[]): void;
}

/** To the logger, wherever it listens; undefined where it is not there any more. */
export async function syslogTo(client: Client, logger: string): Promise<SyslogSender | undefined> {
  const { logger: found } = await client.get<Listening>(`/loggers/${logger}`);
  if (!found) return undefined;
  const { port, bind } = found.configs;
  const socket = createSocket('udp4').unref();
  // Nobody may be listening, which a sender of datagrams is told now and then.
  socket.on('error', () => undefined);
  return {
    send: (lines) => {
      for (const line of lines) socket.send(line, port, bind);
    },
    [Symbol.dispose]: () => socket.close(),
  };
}
