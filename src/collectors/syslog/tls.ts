// Syslog over TLS (RFC 5425): the stream of TCP below TLS 1.2 or later. rsyslog ends messages by line feeds here as well, so
// that both framings are read.

import { constants } from 'node:crypto';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import type { Collector, CollectorDeps } from '#collectors/collector.ts';
import type { Identity } from '#collectors/configs/certificates.ts';
import type { TlsConfigs } from '#collectors/configs/configs.ts';
import { senderIp } from '#collectors/messages/sender.ts';
import { Handshakes } from './handshakes.ts';
import { type Accept, KEEP_ALIVE, openStream, type StreamServer } from './stream.ts';

/** Characters of a subject that are kept. */
const MAX_NAME = 1000;

interface ServerOptions extends Identity {
  readonly clientAuth: TlsConfigs['client_auth'];
}

export async function openTls(configs: TlsConfigs, deps: CollectorDeps): Promise<Collector> {
  const identity = await deps.certificates.read(configs);
  return await openStream(configs, deps, (accept) =>
    serverOf({ ...identity, clientAuth: configs.client_auth }, deps, accept),
  );
}

function serverOf(options: ServerOptions, deps: CollectorDeps, accept: Accept): StreamServer {
  const { clock, counters, assignment } = deps;
  const isChecked = options.clientAuth !== 'none';
  const handshakes = new Handshakes(clock);
  const refuse = () => counters.handshakeRefused(assignment.guid);
  const server = createServer(tlsOptionsOf(options), (socket) => {
    handshakes.finish(socket);
    if (isChecked && !socket.authorized && socket.getPeerX509Certificate()) {
      refuse();
      socket.destroy();
      return;
    }
    const ip = senderIp(socket.remoteAddress ?? '');
    accept(socket, isChecked ? { ip, name: subjectOf(socket) } : { ip });
  });
  server.on('connection', (socket) => handshakes.begin(socket));
  server.on('tlsClientError', refuse);
  return { server, end: () => handshakes.end() };
}

function tlsOptionsOf({ cert, key, ca, clientAuth }: ServerOptions): TlsOptions {
  return {
    ...KEEP_ALIVE,
    cert,
    key,
    ...(ca === undefined ? {} : { ca }),
    minVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    requestCert: clientAuth !== 'none',
    // With `optional` a sender without a certificate passes; a wrong certificate is refused after the handshake.
    rejectUnauthorized: clientAuth === 'required',
  };
}

/** As RFC 4514 writes it, the most specific part first. Node gives one part on each line, escaped already. */
function subjectOf(socket: TLSSocket): string | null {
  const subject = socket.authorized ? socket.getPeerX509Certificate()?.subject : undefined;
  return subject === undefined ? null : subject.split('\n').toReversed().join(',').slice(0, MAX_NAME);
}
