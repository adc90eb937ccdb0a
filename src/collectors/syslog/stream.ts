// Collects syslog from a server of connections, whatever protocol is below the bytes of a connection.

import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import type { Collector, CollectorDeps } from '#collectors/collector.ts';
import { MessageWriter } from '#collectors/messages/message-writer.ts';
import type { Sender } from '#collectors/messages/sender.ts';
import { Connections } from './connections.ts';
import type { Framing } from './framer.ts';
import { type ListenAddress, listenErrorOf } from './listen-errors.ts';

/** Options of sockets: detects senders that vanished without closing the connection. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 60_000 };

export interface StreamConfigs extends ListenAddress {
  readonly framing: Framing | undefined;
}

export interface StreamServer {
  readonly server: Server;
  /** Called after the server has stopped listening: closes sockets that are not accepted yet. */
  end?(): void;
}

/** Called for each connection whose bytes are messages from now on. */
export type Accept = (socket: Socket, sender: Sender) => void;

export async function openStream(
  configs: StreamConfigs,
  deps: CollectorDeps,
  serverFor: (accept: Accept) => StreamServer,
): Promise<Collector> {
  const giveUp = new AbortController();
  const writer = new MessageWriter(deps, giveUp.signal);
  const connections = new Connections(configs.framing, deps, writer);
  const { server, end } = serverFor((socket, sender) => connections.add(socket, sender));
  await listen(server, configs).catch((error) => {
    end?.();
    throw error;
  });
  const { promise: broken, reject } = Promise.withResolvers<never>();
  server.on('error', (error) => reject(error));
  return {
    broken,
    async drain() {
      const closed = once(server, 'close');
      server.close();
      end?.();
      await connections.end();
      await closed;
    },
    async close(abandon) {
      abandon.addEventListener('abort', () => giveUp.abort());
      if (abandon.aborted) giveUp.abort();
      await connections.queue.close();
    },
  };
}

async function listen(server: Server, { port, bind }: ListenAddress): Promise<void> {
  try {
    server.listen({ port, host: bind, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw listenErrorOf(error, { port, bind });
  }
}
