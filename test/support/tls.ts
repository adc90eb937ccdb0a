// TLS of services under test: one certificate of the process, which its clients trust.

import { mkdtempSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inject } from 'vitest';
import { certificateFor } from './certificates.ts';

/** What a suite that holds over both is run over. */
export const TRANSPORTS = ['http', 'https'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** What suites are run over that do not say it: a suite that repeats others over TLS sets the variable first. */
export const defaultTransport = (): Transport => (process.env.VIGIL_TEST_TRANSPORT === 'https' ? 'https' : 'http');

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

const FILES = Symbol.for('vigil.tls');
/** The one object that all files of a process see. */
const shared = globalThis as { [FILES]?: CertificateFiles };

/** A certificate for 127.0.0.1 that the clients of this process trust. */
export function trustedCertificate(): CertificateFiles {
  shared[FILES] ??= makeTrusted();
  return shared[FILES];
}

/** Variables of a process that serves over `transport`. */
export function transportVariables(transport: Transport): Readonly<Record<string, string>> {
  if (transport === 'http') return {};
  const { cert, key } = trustedCertificate();
  return { VIGIL_TLS_CERT: cert, VIGIL_TLS_KEY: key };
}

/** Variables of a process that is a client of a service with the certificate. */
export const clientVariables = (): Readonly<Record<string, string>> => ({
  NODE_EXTRA_CA_CERTS: trustedCertificate().cert,
});

/** `node:http` or `node:https`, by the protocol of the url. */
export const clientFor = (url: string): Pick<typeof http, 'Agent' | 'request'> =>
  url.startsWith('https:') ? https : http;

function makeTrusted(): CertificateFiles {
  const folder = mkdtempSync(join(inject('folder'), 'tls-'));
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const { cert, key } = certificateFor('IP:127.0.0.1');
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key, { mode: 0o600 });
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  return files;
}

/** A connection to the service at `url`, by the protocol of the url. */
export function connectTo(url: string, onConnect?: () => void, { from }: { readonly from?: string } = {}): Socket {
  const { protocol, hostname, port } = new URL(url);
  const options = { host: hostname, port: Number(port), ...(from === undefined ? {} : { localAddress: from }) };
  return protocol === 'https:' ? connectTls(options, onConnect) : connectPlain(options, onConnect);
}
