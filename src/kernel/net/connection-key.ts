// Both ends of a TCP connection as one text. The accepted socket and the TLS socket over it are two objects; this is what they have
// in common. The peer alone does not name a connection: one port of a client may reach several addresses of this machine.

import type { Socket } from 'node:net';

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>;

/** Read it while the connection is open: a closed socket has no ends. */
export const connectionKey = ({ remoteAddress, remotePort, localAddress, localPort }: Ends): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
