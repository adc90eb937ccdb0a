// Wires the way in: the address and certificate to listen with, the limits of bodies, and the metrics of connections.

import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { Bodies } from '#http/bodies.ts';
import type { ConnectionObserver, createServer } from '#http/server.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Metrics } from '#kernel/metrics.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Config } from '#settings/index.ts';

export type Listening = ReturnType<typeof createServer>;

export async function listen(server: Listening, { host, port }: Config): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new UsageError(
      code === 'EADDRINUSE' ? 'port-in-use' : 'cannot-listen',
      { host, port: String(port), code },
      { cause },
    );
  }
}

export function bodiesOf(config: Config, clock: Clock): Bodies {
  return new Bodies(clock, {
    bodyBytes: config['body-limit'],
    openBytes: config['open-body-limit'],
    dataBytes: config['push-limit'],
    heldBytes: config['bodies-limit'],
    values: config['body-values'],
    seconds: config['body-time'],
    rateBytes: config['body-rate'],
  });
}

export function readTls(config: Config): { cert: Buffer; key: Buffer } | undefined {
  const { 'tls-cert': cert, 'tls-key': key } = config;
  return cert && key ? { cert: readPem(cert), key: readPem(key) } : undefined;
}

function readPem(path: string): Buffer {
  if (!existsSync(path)) throw new UsageError('no-such-file', { path });
  return readFileSync(path);
}

export function urlOf({ address, family, port }: AddressInfo, config: Config): string {
  const scheme = config['tls-cert'] ? 'https' : 'http';
  // A service that listens on all addresses is reached on the loopback.
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `${scheme}://${host}:${port}`;
}

export function connectionInstruments(metrics: Metrics) {
  let connections = 0;
  metrics.gauge('vigil_http_connections_open', 'Open connections.', () => connections);
  const observer: ConnectionObserver = {
    connected() {
      connections += 1;
    },
    disconnected() {
      connections -= 1;
    },
  };
  return {
    ...observer,
    watchBodies(bodies: { readonly heldBytes: number }) {
      metrics.gauge('vigil_http_body_bytes', 'Bytes of request bodies held in memory.', () => bodies.heldBytes);
    },
  };
}
