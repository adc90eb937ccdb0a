// npm run bench: runs all benches or those named, prints what they found and keeps it under results/. A missed aim is
// told, never an error: a busy machine must not fail a build.

import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nearMiss } from '#kernel/text/near-miss.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { isCurrent } from '#runtime/bundle.ts';
import { auditSearch } from './audit-search.ts';
import { auditSearchPostgres } from './audit-search-postgres.ts';
import { auditWrite } from './audit-write.ts';
import { cluster } from './cluster.ts';
import { consoleBench } from './console.ts';
import { detection } from './detection.ts';
import { encryption } from './encryption.ts';
import { localEvaluator } from './local-evaluator.ts';
import { logMemory } from './log-memory.ts';
import { logPush } from './log-push.ts';
import { logRead } from './log-read.ts';
import { logSize } from './log-size.ts';
import { logsOnClickhouse } from './logs-on-clickhouse.ts';
import { manyTables } from './many-tables.ts';
import { queryCancel } from './query-cancel.ts';
import { queryFirstRow } from './query-first-row.ts';
import { queryLimits } from './query-limits.ts';
import { queryLoop } from './query-loop.ts';
import { queryPipelines } from './query-pipelines.ts';
import { recovery } from './recovery.ts';
import { release } from './release.ts';
import { request } from './request.ts';
import { schedules } from './schedules.ts';
import { senders } from './senders.ts';
import { serviceMemory } from './service-memory.ts';
import { start } from './start.ts';
import { streamRules } from './stream-rules.ts';
import type { Bench } from './support/bench.ts';
import { exitOnSignals } from './support/cleanup.ts';
import { makeCorpus, makeRaggedCorpus } from './support/log-corpus.ts';
import { thisMachine } from './support/machine.ts';
import { keep, resultOf, table } from './support/report.ts';
import { SharedLogs } from './support/shared-logs.ts';
import { syslog } from './syslog.ts';
import { tableList } from './table-list.ts';
import { upload } from './upload.ts';

const benches: readonly Bench[] = [
  ...[request, start, release, recovery, auditWrite, auditSearch, auditSearchPostgres],
  ...[logPush, logMemory, logRead, logSize, upload, syslog, senders, encryption, tableList, manyTables],
  ...[queryPipelines, queryLoop, queryCancel, queryFirstRow, queryLimits, localEvaluator],
  ...[schedules, detection, streamRules, consoleBench, logsOnClickhouse, cluster, serviceMemory],
];

exitOnSignals();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, date: { type: 'string' } },
});
const today = systemClock.now().toZonedDateTimeISO('UTC').toPlainDate().toString();
const date = values.date ?? today;

// Every service runs as its bundle.
if (!isCurrent()) execFileSync(process.execPath, [join(import.meta.dirname, '../bin/build.ts')], { stdio: 'inherit' });

using logs = new SharedLogs(makeCorpus, { isQuick: values.quick, say });
using raggedLogs = new SharedLogs(makeRaggedCorpus, { isQuick: values.quick, say });
for (const bench of selected(positionals)) {
  console.log(`\n${bench.name}: ${bench.question}\nyardstick: ${bench.yardstick}\naim: ${bench.aim}\n`);
  const [load = 0] = loadavg();
  const findings = await bench.run({ isQuick: values.quick, say, logs, raggedLogs });
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  console.log(table(findings));
  console.log(['', ...findings.notes.map((note) => `- ${note}`)].join('\n'));
  // A short run says that the bench works, not how fast the service is.
  if (!values.quick) keep(resultOf(bench, findings, { date, machine: thisMachine(), load }));
}

function selected(names: readonly string[]): readonly Bench[] {
  if (names.length === 0) return benches;
  return names.map((name) => {
    const bench = benches.find((candidate) => candidate.name === name);
    if (bench) return bench;
    const known = benches.map((candidate) => candidate.name);
    throw new Error(`no bench ${name}: did you mean ${nearMiss(name, known) ?? known.join(', ')}?`);
  });
}

/** Progress, on one line that the table replaces; nothing where nobody watches. */
function say(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
}
