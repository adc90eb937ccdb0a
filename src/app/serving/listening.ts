// Wires the way in: the address and certificate to listen with, the limits of bodies, and the metrics of connections.

import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { Bodies } from '#http/bodies/bodies.ts';
import { type ConnectionObserver, Connections } from '#http/connections/connections.ts';
import type { ConsoleFiles } from '#http/console/console-files.ts';
import { createServer, type ServerDeps } from '#http/server.ts';
import type { Metrics } from '#kernel/metrics.ts';
import { addressSet } from '#kernel/net/address.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { senderPortEndpoints, servedEndpoints } from '#resources/index.ts';
import type { Config } from '#settings/index.ts';

type Listening = ReturnType<typeof createServer>;

export interface Servers {
  readonly main: Listening;
  /** On the port for senders alone, where there is one. */
  readonly senders: Listening | undefined;
  /** Those of both. */
  readonly connections: Connections;
}

interface ServerParts extends Pick<ServerDeps, 'ownServices' | 'callDeps' | 'state' | 'clock' | 'bodies'> {
  readonly observer: ServerDeps['observer'] & ConnectionObserver;
}

export function createServers(config: Config, console: ConsoleFiles, parts: ServerParts): Servers {
  const trustedProxies = addressSet(config['trusted-proxies']);
  const { clock, observer } = parts;
  const connections = new Connections({ max: config.connections, trustedProxies, clock, observer });
  const shared = {
    ...parts,
    trustedProxies,
    allowedHosts: config['allowed-hosts'],
    publicOrigins: config['public-origins'],
    hstsSeconds: config.hsts,
    connections,
    tls: readTls(config),
  };
  const hasOwnPort = config['senders-port'] !== undefined;
  return {
    main: createServer({
      ...shared,
      console,
      endpoints: servedEndpoints(config.metrics, hasOwnPort ? [] : config.senders),
    }),
    senders: hasOwnPort ? createServer({ ...shared, endpoints: senderPortEndpoints(config.senders) }) : undefined,
    connections,
  };
}

export async function listen({ main, senders }: Servers, config: Config): Promise<void> {
  await listenOn(main, config);
  const { 'senders-host': host = config.host, 'senders-port': port = 0 } = config;
  if (senders) await listenOn(senders, { host, port });
}

export async function closeServers({ main, senders, connections }: Servers): Promise<void> {
  for (const server of [main, senders]) {
    server?.server.closeAllConnections();
    await server?.close();
  }
  connections[Symbol.dispose]();
}

async function listenOn(server: Listening, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
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

function readTls(config: Config): { cert: Buffer; key: Buffer } | undefined {
  const { 'tls-cert': cert, 'tls-key': key } = config;
  return cert && key ? { cert: readPem(cert), key: readPem(key) } : undefined;
}

function readPem(path: string): Buffer {
  if (!existsSync(path)) throw new UsageError('no-such-file', { path });
  return readFileSync(path);
}

export function urlOf({ server }: Listening, config: Config): string {
  const { address, family, port } = server.address() as AddressInfo; // It listens on a port.
  const scheme = config['tls-cert'] ? 'https' : 'http';
  // A service that listens on all addresses is reached on the loopback.
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `${scheme}://${host}:${port}`;
}

export function connectionInstruments(metrics: Metrics) {
  let connections = 0;
  metrics.gauge('vigil_http_connections_open', 'Open connections.', () => connections);
  const closed = metrics.counter(
    'vigil_http_connections_closed_total',
    'Connections closed by the service, by reason: a limit, no request within 10 s, or too many incomplete headers.',
  );
  const observer: ConnectionObserver = {
    connected() {
      connections += 1;
    },
    disconnected() {
      connections -= 1;
    },
    connectionClosed: (reason) => closed.add({ reason }),
  };
  return {
    ...observer,
    watchBodies(bodies: { readonly heldBytes: number }) {
      metrics.gauge('vigil_http_body_bytes', 'Bytes of request bodies held in memory.', () => bodies.heldBytes);
    },
  };
}
