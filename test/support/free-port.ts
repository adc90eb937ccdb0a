// Ports for servers that a test starts and that must be told theirs.

import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';
/** Below the ports that Linux gives to connections and to servers without a port of their own: none of them takes it meanwhile. */
const RANGE = { first: 11_000, end: 32_000 } as const;

/** A port that no server listens on, neither with TCP nor with UDP. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(RANGE.first, RANGE.end);
    if ((await isFree(port, openTcp)) && (await isFree(port, openUdp))) return port;
  }
}

interface Opened {
  readonly listening: Promise<unknown>;
  close(): Promise<unknown>;
}

async function isFree(port: number, open: (port: number) => Opened): Promise<boolean> {
  const { listening, close } = open(port);
  try {
    await listening;
  } catch {
    return false;
  }
  await close();
  return true;
}

function openTcp(port: number): Opened {
  const server = createServer().listen(port, LOOPBACK);
  return { listening: once(server, 'listening'), close: () => once(server.close(), 'close') };
}

function openUdp(port: number): Opened {
  const socket = createSocket('udp4').bind(port, LOOPBACK);
  return { listening: once(socket, 'listening'), close: () => once(socket.close(), 'close') };
}
