// Syslog over TCP (RFC 6587).

import { createServer } from 'node:net';
import type { Collector, CollectorDeps } from '#collectors/collector.ts';
import type { TcpConfigs } from '#collectors/configs/configs.ts';
import { senderIp } from '#collectors/messages/sender.ts';
import { KEEP_ALIVE, openStream } from './stream.ts';

export const openTcp = (configs: TcpConfigs, deps: CollectorDeps): Promise<Collector> =>
  openStream(configs, deps, (accept) => ({
    server: createServer(KEEP_ALIVE, (socket) => accept(socket, { ip: senderIp(socket.remoteAddress ?? '') })),
  }));
