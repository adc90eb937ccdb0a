// A server of a test on a port of its own.

import { once } from 'node:events';
import type { Server } from 'node:net';

/** Where it is reached. */
export async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}
