// syslog-ng (`npm run test:senders`), configured as docs/senders.md says: over TLS, and over HTTP with a queue on disk. It follows a
// file while the service is killed and started again, an answer gets lost, and syslog-ng itself is killed.

import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, onTestFinished } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { tellSkipped } from '#test/support/python-environment.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { startSyslogNg, syslogNgFolder } from '#test/support/syslog-ng.ts';
import { until } from '#test/support/until.ts';
import { snippets } from './document.ts';
import { listenAsDocumented } from './documented-logger.ts';
import { killableService } from './killable-service.ts';

const LINES = 200;

const unpacked = await syslogNgFolder();
const reason = 'reason' in unpacked ? unpacked.reason : undefined;
if (reason !== undefined) tellSkipped('SYSLOG-NG', reason);

type Caller = Parameters<typeof rowsOf>[0];

const configOf = (folder: string, { url, port }: { url: string; port: number }): string => {
  const [overTls = '', overHttp = ''] = snippets('### syslog-ng');
  const here = `${overTls}\n${overHttp}`
    .replaceAll('vigil.example.com', 'localhost')
    .replaceAll('6514', String(port))
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replaceAll('URL', url)
    .replaceAll('KEY', MASTER_KEY);
  return `options { time-reopen(1); };
source s_src { file("${folder}/app.log" follow-freq(0.2) flags(no-parse)); };
${here.replaceAll('reliable(yes)', `reliable(yes) dir("${folder}")`)}`;
};

describe.skipIf(reason !== undefined)('syslog-ng', () => {
  it('brings every line over HTTP, and over TLS what is sent while the service is there', async () => {
    const service = await killableService({});
    const folder = mkdtempSync(join(tmpdir(), 'vigil-syslog-ng-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const first = await service.start();
    await first.call('POST', '/api/core/tables', { form: { table: 'web' } });
    const port = await listenAsDocumented({ ...service, folder });
    const { folder: program } = unpacked as { folder: string }; // Otherwise the suite is skipped.
    const start = () => startSyslogNg({ program, folder, config: configOf(folder, { url: service.url, port }) });
    const write = (phase: string) => {
      const lines = Array.from({ length: LINES }, (_, number) => `${phase}-${number} 안녕`);
      appendFileSync(join(folder, 'app.log'), `${lines.join('\n')}\n`);
      return lines;
    };
    const arrived = async (caller: Caller, lines: readonly string[], way: 'tls' | 'http') => {
      const missing = async () => {
        const rows = await rowsOf(caller, 'table web | fields msg, sender_name');
        const found = rows.filter(({ sender_name }) => (sender_name === 'CN=web01') === (way === 'tls'));
        const texts = new Set(found.map(({ msg }) => String(msg).trim()));
        return lines.filter((line) => !texts.has(line));
      };
      await until(
        async () => ({ way, missing: await missing() }),
        (left) => left.missing.length === 0,
      );
    };

    const sent = write('first');
    let syslogNg = start();
    onTestFinished(() => void syslogNg.child.kill('SIGKILL'));
    for (const way of ['tls', 'http'] as const) await arrived(first, sent, way);
    service.forwarder.loseAnswer('/api/core/tables/web/logs');
    sent.push(...write('repeated'));
    await arrived(first, sent, 'http');
    await service.kill();
    sent.push(...write('delayed'));
    const second = await service.start();
    await arrived(second, sent, 'http');
    const later = write('later');
    for (const way of ['tls', 'http'] as const) await arrived(second, later, way);
    syslogNg.child.kill('SIGKILL');
    await once(syslogNg.child, 'exit');
    sent.push(...later, ...write('resumed'));
    syslogNg = start();
    await arrived(second, sent, 'http');
    await service.kill();
    await arrived(await service.start(), sent, 'http');
    await syslogNg[Symbol.asyncDispose]();
  });
});
