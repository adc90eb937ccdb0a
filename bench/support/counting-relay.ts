// A relay to a server on this machine that counts what the server sends.

import { connect, createServer, type Socket } from 'node:net';

export interface CountingRelay extends Disposable {
  readonly origin: string;
  /** Sent by the server so far. */
  readonly bytes: number;
}

export async function startRelay(port: number): Promise<CountingRelay> {
  let bytes = 0;
  const sockets = new Set<Socket>();
  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => sockets.delete(socket));
    }
    server.on('data', (chunk) => {
      bytes += chunk.length;
    });
    client.pipe(server);
    server.pipe(client);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    get bytes() {
      return bytes;
    },
    [Symbol.dispose]() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
