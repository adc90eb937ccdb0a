// Programs of others that send logs (`npm run test:senders`): the OpenTelemetry Collector, configured as docs/senders.md says. Each
// program follows a file while the service is killed and started again, answers get lost, and the program itself is killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { goProgram } from '#test/support/go-program.ts';
import { rowsOf } from '#test/support/logs.ts';
import { tellSkipped } from '#test/support/python-environment.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { snippets } from './document.ts';
import { killableService } from './killable-service.ts';

const LINES = 200;
const SENDERS = { VIGIL_SENDERS: 'otlp,splunk' };

const collector = await goProgram('otelcol', join(import.meta.dirname, 'collector'));
const reason = 'reason' in collector ? collector.reason : undefined;
if (reason !== undefined) tellSkipped('THE OPENTELEMETRY COLLECTOR', reason);

/** The exporter and the pipeline of the document. */
const documented = (url: string): string => {
  const [snippet = ''] = snippets('### Collector', 'yaml');
  return snippet.replaceAll('URL', url).replaceAll('KEY', MASTER_KEY);
};

/** What a collector has beside: its source, a queue on disk, and a second pipeline to Splunk's collector. */
const beside = (folder: string, url: string): string => `
extensions:
  file_storage: { directory: ${folder}/storage }
receivers:
  filelog: { include: [${folder}/app.log], start_at: beginning, storage: file_storage }
exporters:
  otlp_http/vigil:
    retry_on_failure: { initial_interval: 200ms, max_interval: 1s, max_elapsed_time: 0s }
    sending_queue: { storage: file_storage }
  splunk_hec/vigil:
    endpoint: ${url}/services/collector
    token: ${MASTER_KEY}
    index: events
    retry_on_failure: { initial_interval: 200ms, max_interval: 1s, max_elapsed_time: 0s }
    sending_queue: { storage: file_storage }
service:
  extensions: [file_storage]
  telemetry: { metrics: { level: none }, logs: { level: error } }
  pipelines:
    logs: { receivers: [filelog] }
    logs/events: { receivers: [filelog], exporters: [splunk_hec/vigil] }
`;

describe.skipIf(reason !== undefined)('The OpenTelemetry Collector', () => {
  it('has every line in the tables, whatever happens to the service, to answers and to the collector', async () => {
    const service = await killableService(SENDERS);
    const folder = mkdtempSync(join(tmpdir(), 'vigil-collector-'));
    mkdirSync(join(folder, 'storage'));
    writeFileSync(join(folder, 'documented.yaml'), documented(service.url));
    writeFileSync(join(folder, 'beside.yaml'), beside(folder, service.url));
    const { path } = collector as { path: string }; // Otherwise the suite is skipped.
    let running: ChildProcess | undefined;
    const start = () => {
      const configs = ['documented', 'beside'].flatMap((name) => ['--config', `file:${folder}/${name}.yaml`]);
      running = spawn(path, configs, { stdio: ['ignore', 'ignore', 'inherit'] });
    };
    const kill = async () => {
      running?.kill('SIGKILL');
      if (running) await once(running, 'exit');
    };
    onTestFinished(() => {
      running?.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
    const sent: string[] = [];
    const write = (phase: string) => {
      const lines = Array.from({ length: LINES }, (_, number) => `${phase}-${number}`);
      sent.push(...lines);
      appendFileSync(join(folder, 'app.log'), `${lines.join('\n')}\n`);
    };
    const missing = async (caller: Parameters<typeof rowsOf>[0]) => {
      if (running && running.exitCode !== null) throw new Error('the collector has ended by itself');
      const lines = async (table: string) =>
        new Set((await rowsOf(caller, `table ${table} | fields line`)).map((row) => row.line));
      const web = await lines('web');
      const events = await lines('events');
      return sent.filter((line) => !web.has(line) || !events.has(line));
    };
    const arrived = (caller: Parameters<typeof rowsOf>[0]) =>
      until(
        () => missing(caller),
        (left) => left.length === 0,
      );

    const first = await service.start();
    for (const table of ['web', 'events']) await first.call('POST', '/api/core/tables', { form: { table } });
    write('first');
    start();
    await arrived(first);
    for (const text of ['/v1/logs', '/services/collector']) service.forwarder.loseAnswer(text);
    write('repeated');
    await arrived(first);
    await service.kill();
    write('delayed');
    const second = await service.start();
    await arrived(second);
    write('killed');
    await kill();
    write('resumed');
    start();
    await arrived(second);
    await service.kill();
    expect(await missing(await service.start())).toEqual([]);
    await kill();
  });
});
