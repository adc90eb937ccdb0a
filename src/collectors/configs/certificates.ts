// Certificates of loggers: PEM files of the keys folder, named by `configs`, or the certificate of the service itself.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CollectorError } from '#collectors/collector.ts';
import { notFound } from '#contract/errors.ts';
import type { TlsConfigs } from './configs.ts';

/** A file name without a path; hidden files are none. */
const FILE_NAME = /^[^./\\\0][^/\\\0]*$/;
/** Files of this size are no certificates. */
const MAX_FILE_BYTES = 1024 * 1024;
const ONE_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export interface CertificatesOptions {
  readonly keysFolder: string;
  /** Paths of the certificate of the service; undefined without TLS. */
  readonly own: { readonly cert: string; readonly key: string } | undefined;
}

export interface Identity {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Authorities of client certificates. */
  readonly ca?: Buffer;
}

/** A file with its name in messages. */
interface PemFile {
  readonly name: string;
  readonly path: string;
}

type Files = { readonly [K in keyof Identity]: PemFile };

export class Certificates {
  readonly #options: CertificatesOptions;

  constructor(options: CertificatesOptions) {
    this.#options = options;
  }

  /** Refuses a configuration whose files do not exist. */
  async require(configs: TlsConfigs): Promise<void> {
    for (const file of Object.values(this.#filesOf(configs))) await requireFile(file);
  }

  /** Rejects with the reason where the files do not exist or cannot be used. */
  async read(configs: TlsConfigs): Promise<Identity> {
    const files = this.#filesOf(configs);
    const cert = await contentOf(files.cert);
    const key = await contentOf(files.key);
    requireMatch(readCertificates(cert, files.cert)[0], readKey(key, files.key), files.key);
    if (!files.ca) return { cert, key };
    const ca = await contentOf(files.ca);
    readCertificates(ca, files.ca);
    return { cert, key, ca };
  }

  #filesOf({ cert, key, client_auth, client_ca }: TlsConfigs): Files {
    const { own } = this.#options;
    const ca = client_auth === 'none' || client_ca === undefined ? {} : { ca: this.#inKeysFolder(client_ca) };
    if (cert !== undefined && key !== undefined) {
      return { cert: this.#inKeysFolder(cert), key: this.#inKeysFolder(key), ...ca };
    }
    if (!own) throw notFound('certificate', 'tls-cert');
    return { cert: { name: 'tls-cert', path: own.cert }, key: { name: 'tls-key', path: own.key }, ...ca };
  }

  #inKeysFolder(name: string): PemFile {
    if (!FILE_NAME.test(name)) throw notFound('certificate', name);
    return { name, path: join(this.#options.keysFolder, name) };
  }
}

async function requireFile({ name, path }: PemFile): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > MAX_FILE_BYTES) throw notFound('certificate', name);
}

async function contentOf(file: PemFile): Promise<Buffer> {
  await requireFile(file);
  return await readFile(file.path).catch((cause) => {
    throw new CollectorError(`certificate cannot be read: ${file.name}`, { cause });
  });
}

/** At least one. Each is parsed: OpenSSL skips what it cannot read in a list of authorities. */
function readCertificates(pem: Buffer, { name }: PemFile): readonly X509Certificate[] {
  try {
    const found = pem
      .toString('latin1')
      .match(ONE_CERTIFICATE)
      ?.map((text) => new X509Certificate(text));
    if (found) return found;
  } catch (cause) {
    throw new CollectorError(`certificate is not valid: ${name}`, { cause });
  }
  throw new CollectorError(`certificate is not valid: ${name}`);
}

function readKey(pem: Buffer, { name }: PemFile): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new CollectorError(`key is not valid: ${name}`, { cause });
  }
}

function requireMatch(certificate: X509Certificate | undefined, key: KeyObject, { name }: PemFile): void {
  if (!certificate?.checkPrivateKey(key)) throw new CollectorError(`key is not that of the certificate: ${name}`);
}
