// Logging libraries of others (`npm run test:senders`), in a program that logs while the service is killed and started again and
// answers get lost: every line arrives, because the libraries send it again.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { npmProgram } from '#test/support/npm-program.ts';
import { tellSkipped } from '#test/support/python-environment.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { killableService } from './killable-service.ts';

const LINES = 50;
const SENDERS = { VIGIL_SENDERS: 'elasticsearch,loki', VIGIL_SENDERS_TABLE: 'inbox' };
/** The tables that the libraries send to, and the field with the line. */
const TABLES = { pino: 'msg', winston: 'message', inbox: 'line' };

const loggers = await npmProgram('loggers', join(import.meta.dirname, 'loggers'));
const reason = 'reason' in loggers ? loggers.reason : undefined;
if (reason !== undefined) tellSkipped('LOGGING LIBRARIES OF NPM', reason);

describe.skipIf(reason !== undefined)('pino-elasticsearch, winston-elasticsearch and winston-loki', () => {
  it('bring every line, whatever happens to the service and to answers', async () => {
    const service = await killableService(SENDERS);
    const first = await service.start();
    for (const table of Object.keys(TABLES)) await first.call('POST', '/api/core/tables', { form: { table } });
    const { folder } = loggers as { folder: string }; // Otherwise the suite is skipped.
    const program = spawn(process.execPath, ['send.js', service.url, MASTER_KEY], {
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    onTestFinished(() => void program.kill('SIGKILL'));
    const sent: string[] = [];
    const log = (phase: string) => {
      const lines = Array.from({ length: LINES }, (_, number) => `${phase}-${number}-end`);
      sent.push(...lines);
      program.stdin.write(`${lines.join('\n')}\n`);
    };
    const missing = async (caller: Parameters<typeof rowsOf>[0]) => {
      if (program.exitCode !== null) throw new Error('the program has ended by itself');
      const found = await Promise.all(
        Object.entries(TABLES).map(async ([table, field]) => ({
          table,
          text: (await rowsOf(caller, `table ${table} | fields ${field}`)).map((row) => String(row[field])).join('\n'),
        })),
      );
      return found.flatMap(({ table, text }) =>
        sent.filter((line) => !text.includes(line)).map((line) => [table, line]),
      );
    };
    const arrived = (caller: Parameters<typeof rowsOf>[0]) =>
      until(
        () => missing(caller),
        (left) => left.length === 0,
      );

    log('first');
    await arrived(first);
    for (const path of ['_bulk', '/loki/api/v1/push']) service.forwarder.loseAnswer(path);
    log('repeated');
    await arrived(first);
    await service.kill();
    log('delayed');
    const second = await service.start();
    await arrived(second);
    await service.kill();
    expect(await missing(await service.start())).toEqual([]);
  });
});
