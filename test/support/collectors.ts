// Loggers that collect by themselves, and what they collect from.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createLogger } from './logs.ts';
import type { Service } from './service.ts';

type Caller = Pick<Service, 'call'>;

export interface CollectorOptions {
  readonly table: string;
  readonly factory: 'syslog-udp' | 'syslog-tcp' | 'syslog-tls' | 'file';
  readonly configs: Readonly<Record<string, unknown>>;
  readonly parser?: string;
  readonly storage?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, string>>;
}

/** The guid of a logger at work, made here with its model and its table. */
export const createCollector = (service: Caller, { configs, fields = {}, ...options }: CollectorOptions) =>
  createLogger(service, { parser: 'text', ...options, fields: { ...fields, configs: JSON.stringify(configs) } });

export async function sendDatagrams(port: number, messages: readonly (string | Buffer)[]): Promise<void> {
  const socket = createSocket('udp4');
  for (const message of messages) {
    await new Promise<void>((resolve, reject) => {
      socket.send(message, port, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
    });
  }
  socket.close();
}

/** With `allowHalfOpen` it may go on sending after the other side has said that it ends. */
export async function connection(port: number, { allowHalfOpen = false } = {}): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  await once(socket, 'connect');
  return socket;
}

/** Sends and closes the connection, as a sender that has said all it has to say. */
export async function sendStream(port: number, ...chunks: readonly (string | Buffer)[]): Promise<void> {
  const socket = await connection(port);
  for (const chunk of chunks) await new Promise((resolve) => socket.write(chunk, resolve));
  socket.end();
  socket.resume();
  await once(socket, 'close');
}
