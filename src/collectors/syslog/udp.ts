// Syslog over UDP (RFC 5426): a datagram is a message. Nobody can be asked to wait, so what does not fit into the inbox
// is dropped, and counted.

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Collector, CollectorParts } from '#collectors/collector.ts';
import type { UdpConfigs } from '#collectors/configs.ts';
import { Inbox, type Message } from '#collectors/inbox.ts';
import { Keeper } from '#collectors/keeper.ts';
import { obstacleOf } from './listening.ts';
import { senderOf } from './sender.ts';

/** For what arrives while the process is at something else; the system may give less. */
const RECEIVE_BUFFER_BYTES = 8 * 1024 * 1024;

export async function openUdp(configs: UdpConfigs, parts: CollectorParts): Promise<Collector> {
  const { clock, limits } = parts;
  const giveUp = new AbortController();
  const keeper = new Keeper(parts, giveUp.signal);
  const inbox = new Inbox({ clock, mostBytes: limits.queueBytes, keep: (messages) => keeper.keep(messages) });
  const socket = await bound(configs);
  socket.on('message', (bytes, { address }) => {
    const message: Message = {
      bytes: bytes.length > limits.lineBytes ? bytes.subarray(0, limits.lineBytes) : bytes,
      sender: senderOf(address),
      at: clock.now().epochMilliseconds,
      isCut: bytes.length > limits.lineBytes,
    };
    if (inbox.isFull) keeper.drop([message]);
    else inbox.put(message);
  });
  const { promise: broken, reject } = Promise.withResolvers<never>();
  socket.on('error', (error) => reject(error));
  return {
    broken,
    async close(hurry) {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
      hurry.addEventListener('abort', () => giveUp.abort());
      if (hurry.aborted) giveUp.abort();
      await inbox.close();
    },
  };
}

async function bound({ port, bind }: UdpConfigs): Promise<Socket> {
  const type = isIPv6(bind) ? 'udp6' : 'udp4';
  const socket = createSocket({ type, recvBufferSize: RECEIVE_BUFFER_BYTES });
  try {
    socket.bind({ port, address: bind, exclusive: true });
    await once(socket, 'listening');
    return socket;
  } catch (error) {
    socket.close();
    throw obstacleOf(error, { port, bind });
  }
}
