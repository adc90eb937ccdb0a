// Syslog over UDP (RFC 5426): a datagram is a message. Senders cannot be paused, so datagrams beyond the queue limit are
// dropped and counted.

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Collector, CollectorDeps } from '#collectors/collector.ts';
import type { UdpConfigs } from '#collectors/configs/configs.ts';
import { type Message, MessageQueue } from '#collectors/messages/message-queue.ts';
import { MessageWriter } from '#collectors/messages/message-writer.ts';
import { senderIp } from '#collectors/messages/sender.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';
import { Periodic } from '#runtime/periodic.ts';
import { listenErrorOf } from './listen-errors.ts';
import { systemDrops } from './system-drops.ts';

/** Buffer for datagrams that arrive while the process is busy; the system may grant less. */
const RECEIVE_BUFFER_BYTES = 8 * 1024 * 1024;

/** Each turn reads some dozens of datagrams. */
const MAX_DRAIN_TURNS = 2_000;
/** Polling period for drops of the system. */
const POLL_PERIOD = Temporal.Duration.from({ seconds: 5 });

export async function openUdp(configs: UdpConfigs, deps: CollectorDeps): Promise<Collector> {
  const { clock, limits } = deps;
  const giveUp = new AbortController();
  const writer = new MessageWriter(deps, giveUp.signal);
  const queue = new MessageQueue({ clock, maxBytes: limits.queueBytes, write: (messages) => writer.write(messages) });
  const socket = await bindSocket(configs);
  let received = 0;
  socket.on('message', (bytes, { address }) => {
    received += 1;
    const message: Message = {
      bytes: bytes.length > limits.lineBytes ? bytes.subarray(0, limits.lineBytes) : bytes,
      sender: { ip: senderIp(address) },
      at: clock.now().epochMilliseconds,
      isCut: bytes.length > limits.lineBytes,
    };
    if (queue.isFull) writer.drop([message]);
    else queue.add(message);
  });
  const missing = await watchSystemDrops(configs.port, deps, writer);
  const { promise: broken, reject } = Promise.withResolvers<never>();
  socket.on('error', (error) => reject(error));
  return {
    broken,
    async close(abandon) {
      await drainReceiveBuffer(() => received);
      await missing.end();
      const closed = once(socket, 'close');
      socket.close();
      await closed;
      abandon.addEventListener('abort', () => giveUp.abort());
      if (abandon.aborted) giveUp.abort();
      await queue.close();
    },
  };
}

/** Reads the receive buffer of the system before the socket is closed; bounded, because a sender may never pause. */
async function drainReceiveBuffer(received: () => number): Promise<void> {
  for (let turns = 0, before = -1; turns < MAX_DRAIN_TURNS && before !== received(); turns += 1) {
    before = received();
    // The first turn lets the poll phase run.
    for (let rounds = 0; rounds < 2; rounds += 1) await yieldToEventLoop();
  }
}

/** Counts drops of the system from now on. */
async function watchSystemDrops(port: number, { clock, failed }: CollectorDeps, writer: MessageWriter) {
  let known = (await systemDrops(port)) ?? 0;
  const look = async () => {
    const drops = (await systemDrops(port)) ?? known;
    writer.countSystemDrops(drops - known);
    known = drops;
  };
  const looking = new Periodic({ clock, period: POLL_PERIOD, work: () => look(), failed });
  return {
    async end() {
      looking[Symbol.dispose]();
      await look();
    },
  };
}

async function bindSocket({ port, bind }: UdpConfigs): Promise<Socket> {
  const type = isIPv6(bind) ? 'udp6' : 'udp4';
  const socket = createSocket({ type, recvBufferSize: RECEIVE_BUFFER_BYTES });
  try {
    socket.bind({ port, address: bind, exclusive: true });
    await once(socket, 'listening');
    return socket;
  } catch (error) {
    socket.close();
    throw listenErrorOf(error, { port, bind });
  }
}
