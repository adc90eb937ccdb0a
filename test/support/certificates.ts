// Certificates of a test's own: signed by themselves, for a name or an address, or by an authority of the test.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const EC_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** `names` as a certificate lists them: `DNS:api.example.com`, `IP:127.0.0.1`. */
export const certificateFor = (...names: readonly string[]): Certificate =>
  inFolder(({ key, cert, openssl }) => {
    const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${names.join(',')}`];
    openssl('req', '-x509', ...EC_KEY, '-days', '2', '-keyout', key, '-out', cert, ...subject);
  });

/** An authority that signs certificates of clients. */
export function authority(): Certificate & { sign(subject: string): Certificate } {
  const own = inFolder(({ key, cert, openssl }) =>
    openssl('req', '-x509', ...EC_KEY, '-days', '2', '-keyout', key, '-out', cert, '-subj', '/CN=authority'),
  );
  return {
    ...own,
    /** `subject` as openssl takes it: `/O=Example/CN=web01`. */
    sign: (subject) =>
      inFolder(({ folder, key, cert, openssl }) => {
        const [request, caCert, caKey] = ['request.pem', 'ca.pem', 'ca-key.pem'].map((name) => join(folder, name));
        writeFileSync(caCert ?? '', own.cert);
        writeFileSync(caKey ?? '', own.key);
        openssl('req', ...EC_KEY, '-utf8', '-keyout', key, '-out', request ?? '', '-subj', subject);
        const signer = ['-CA', caCert ?? '', '-CAkey', caKey ?? '', '-CAcreateserial', '-days', '2'];
        openssl('x509', '-req', '-in', request ?? '', '-out', cert, ...signer);
      }),
  };
}

interface Making {
  readonly folder: string;
  readonly key: string;
  readonly cert: string;
  openssl(...options: readonly string[]): void;
}

function inFolder(make: (making: Making) => void): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-cert-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    make({ folder, key, cert, openssl: (...options) => execFileSync('openssl', options, { stdio: 'ignore' }) });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
