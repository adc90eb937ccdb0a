// The logger for syslog over TLS that docs/senders.md shows, made by the commands of the document.

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { authority, certificateFor } from '#test/support/certificates.ts';
import { freePort } from '#test/support/free-port.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { snippets } from './document.ts';

interface DocumentedLogger {
  readonly url: string;
  /** The keys folder of the service. */
  readonly keys: string;
  /** Of the sender, for its certificates. */
  readonly folder: string;
}

/** At a port of its own, for the table `web`, with certificates of both sides. Gives the port. */
export async function listenAsDocumented({ url, keys, folder }: DocumentedLogger): Promise<number> {
  const own = certificateFor('DNS:localhost');
  const ca = authority();
  const client = ca.sign({ CN: 'web01' });
  const files = [
    [keys, 'syslog.pem', own.cert],
    [keys, 'syslog-key.pem', own.key],
    [keys, 'senders.pem', ca.cert],
    [folder, 'vigil-ca.pem', own.cert],
    [folder, 'web01.pem', client.cert],
    [folder, 'web01-key.pem', client.key],
  ] as const;
  for (const [folder, name, text] of files) writeFileSync(join(folder, name), text, { mode: 0o600 });
  const port = await freePort();
  const [commands = ''] = snippets('## Syslog', 'sh');
  const env = { ...process.env, URL: url, KEY: MASTER_KEY };
  await promisify(execFile)('sh', ['-c', commands.replace('6514', String(port))], { env });
  return port;
}
