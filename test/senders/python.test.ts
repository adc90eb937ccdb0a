// Handlers of Python's logging that others wrote: OpenTelemetry's SDK with its exporter over HTTP, splunk-handler and
// python-logging-loki, at the versions that python-requirements.txt pins. The service is killed between and during their requests.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { pythonEnvironment, tellSkipped } from '#test/support/python-environment.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { killableService } from './killable-service.ts';

const LINES = 40;
const SENDERS = { VIGIL_SENDERS: 'otlp,splunk,loki', VIGIL_SENDERS_TABLE: 'inbox' };
/** The handler of Loki does not repeat. */
const PHASES = { first: ['otlp', 'splunk', 'loki'], delayed: ['otlp', 'splunk'] } as const;

const found = await pythonEnvironment('python-handlers', join(import.meta.dirname, 'python-requirements.txt'));
const reason = 'reason' in found ? found.reason : undefined;
if (reason !== undefined) tellSkipped("THE SUITE OF PYTHON'S HANDLERS", reason);

describe.skipIf(reason !== undefined)("Handlers of Python's logging", () => {
  it('have every record in the table that they flushed, whatever happens to the service', async () => {
    const { url, start, kill } = await killableService(SENDERS);
    const service = await start();
    await service.call('POST', '/api/core/tables', { form: { table: 'inbox' } });
    const { bin } = found as { bin: string }; // Otherwise the suite is skipped.
    const script = join(import.meta.dirname, 'python_handlers.py');
    const python = spawn(join(bin, 'python'), [script, url, MASTER_KEY, String(LINES)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void python.kill());
    const said = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
    const ordered = async (phase: keyof typeof PHASES) => {
      python.stdin.write(`${phase} ${PHASES[phase].join(' ')}\n`);
      expect((await said.next()).value).toBe(`sent ${phase}`);
    };

    await ordered('first');
    await kill();
    const delayed = ordered('delayed');
    await start();
    await delayed;
    await kill();
    const rows = await rowsOf(await start(), 'table inbox | fields line');
    const lines = new Set(rows.map(({ line }) => line));
    for (const [phase, names] of Object.entries(PHASES)) {
      for (const name of names) {
        const sent = Array.from({ length: LINES }, (_, number) => `${name}-${phase}-${number}`);
        expect(sent.filter((line) => !lines.has(line))).toEqual([]);
      }
    }
  });
});
