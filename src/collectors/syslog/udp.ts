// Syslog over UDP (RFC 5426): a datagram is a message. Nobody can be asked to wait, so what does not fit into the inbox
// is dropped, and counted.

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Collector, CollectorParts } from '#collectors/collector.ts';
import type { UdpConfigs } from '#collectors/configs.ts';
import { Inbox, type Message } from '#collectors/inbox.ts';
import { Keeper } from '#collectors/keeper.ts';
import { yieldToEventLoop } from '#kernel/event-loop.ts';
import { obstacleOf } from './listening.ts';
import { senderOf } from './sender.ts';
import { systemDrops } from './system-drops.ts';

/** For what arrives while the process is at something else; the system may give less. */
const RECEIVE_BUFFER_BYTES = 8 * 1024 * 1024;

/** Each takes some dozens of messages. */
const LAST_TURNS = 2_000;
/** How often the system is asked what it dropped. */
const LOOK_PERIOD = Temporal.Duration.from({ seconds: 5 });

export async function openUdp(configs: UdpConfigs, parts: CollectorParts): Promise<Collector> {
  const { clock, limits } = parts;
  const giveUp = new AbortController();
  const keeper = new Keeper(parts, giveUp.signal);
  const inbox = new Inbox({ clock, mostBytes: limits.queueBytes, keep: (messages) => keeper.keep(messages) });
  const socket = await bound(configs);
  let received = 0;
  socket.on('message', (bytes, { address }) => {
    received += 1;
    const message: Message = {
      bytes: bytes.length > limits.lineBytes ? bytes.subarray(0, limits.lineBytes) : bytes,
      sender: senderOf(address),
      at: clock.now().epochMilliseconds,
      isCut: bytes.length > limits.lineBytes,
    };
    if (inbox.isFull) keeper.drop([message]);
    else inbox.put(message);
  });
  const missing = await watchMissing(configs.port, parts, keeper);
  const { promise: broken, reject } = Promise.withResolvers<never>();
  socket.on('error', (error) => reject(error));
  return {
    broken,
    async close(hurry) {
      await quiet(() => received);
      await missing.end();
      const closed = once(socket, 'close');
      socket.close();
      await closed;
      hurry.addEventListener('abort', () => giveUp.abort());
      if (hurry.aborted) giveUp.abort();
      await inbox.close();
    },
  };
}

/** What waits in the buffer of the system is taken before the socket goes; for whoever never rests it is no use to wait. */
async function quiet(received: () => number): Promise<void> {
  for (let turns = 0, before = -1; turns < LAST_TURNS && before !== received(); turns += 1) {
    before = received();
    // The first lets the poll come that follows whatever was done here.
    for (let rounds = 0; rounds < 2; rounds += 1) await yieldToEventLoop();
  }
}

/** Counts what the system drops from now on. */
async function watchMissing(port: number, { clock, failed }: CollectorParts, keeper: Keeper) {
  let known = (await systemDrops(port)) ?? 0;
  const look = async () => {
    const drops = (await systemDrops(port)) ?? known;
    keeper.missed(drops - known);
    known = drops;
  };
  const looking = clock.every(LOOK_PERIOD, () => void look().catch(failed));
  return {
    async end() {
      looking[Symbol.dispose]();
      await look();
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
