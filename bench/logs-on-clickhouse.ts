// What logs on ClickHouse cost: pushes beside plain inserts of the same lines into the same server, queries beside the embedded
// engine, with the bytes that travel for them. Both services answer the same, or the bench fails.

import { type ClickhouseServer, clickhouseProgram, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { createLogger, rowsOf } from '#test/support/logs.ts';
import { type Bench, type Effort, ofRaggedLog, type Row } from './support/bench.ts';
import { type CountingRelay, startRelay } from './support/counting-relay.ts';
import { TABLE } from './support/log-fill.ts';
import { median } from './support/numbers.ts';
import type { Asked, Pipeline } from './support/pipelines.ts';
import { insertAll } from './support/plain-inserts.ts';
import { pushAll } from './support/push.ts';
import { answered, type WireRow } from './support/query-calls.ts';
import { raggedAsked, raggedPipelines } from './support/ragged-pipelines.ts';
import { requireSame } from './support/require-same.ts';
import { launch, MASTER_KEY, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { USUAL } from './support/shared-logs.ts';
import { storedLog } from './support/stored-log.ts';
import { timed } from './support/timed.ts';
import { workFolder } from './support/work-folder.ts';

const CLIENTS = [1, 4];
const BATCH = 5_000;
const WARM_UPS = 1;
const TURNS = 7;
const WORDS = 10;
const MEGABYTE = 1_000_000;

export const logsOnClickhouse: Bench = {
  name: 'logs-on-clickhouse',
  question: 'What do logs on ClickHouse cost?',
  yardstick:
    'pushes: plain durable inserts over HTTP into the same server; queries: the embedded engine with the same log',
  aim: 'none yet: the bench tells what moves',

  async run(effort) {
    const { python, reason } = await clickhouseProgram();
    if (reason) {
      console.error(`\nCLICKHOUSE DID NOT RUN, there are no rows: ${reason}\n`);
      return { rows: [], notes: [reason] };
    }
    using folder = workFolder();
    await using server = await startClickhouse({ home: { python, folder: folder.at('clickhouse') } });
    const rows: Row[] = [];
    for (const clients of CLIENTS) rows.push(...(await pushRows(effort, server, clients)));
    rows.push(...(await queryRows(effort, server)));
    const { about } = await effort.raggedLogs.corpus();
    return { rows: ofRaggedLog(rows), notes: [about, ...NOTES] };
  },
};

const NOTES = [
  `ClickHouse is chdb 4.4.0 behind the HTTP front of the tests, on one shard, with a connection per request; the service keeps its metadata in SQLite. Batches of ${BATCH} lines, each durable before its answer.`,
  `Both services are asked in turn, ${TURNS} times, and give the same rows. The bytes are those that ClickHouse sends to the service for one query, heads of HTTP included; rows are not counted on the way.`,
];

/** A service whose logs are on ClickHouse, behind a relay that counts. */
async function serviceOn(server: ClickhouseServer) {
  const folder = workFolder();
  const relay = await startRelay(Number(new URL(server.origin).port));
  const database = await server.createDatabase();
  const url = logsUrl([{ ...server, origin: relay.origin }], database);
  const process = await launch(vigil({ folder: folder.path, settings: { logs: url } }));
  await process.ready('/readyz');
  return {
    process,
    relay,
    service: serviceOf(process),
    async [Symbol.asyncDispose]() {
      await process.stop();
      relay[Symbol.dispose]();
      folder[Symbol.dispose]();
      await server.ask(`drop database ${database} sync`);
    },
  };
}

type OnClickhouse = Awaited<ReturnType<typeof serviceOn>>;

async function fill({ process, service }: OnClickhouse, { raggedLogs, say }: Effort, clients: number) {
  const { file, records } = await raggedLogs.corpus();
  const logger = await createLogger(service, { table: TABLE, storage: { layout: 'columnar', compression: 'snappy' } });
  const headers = { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/x-ndjson' };
  const order = { port: process.port, path: `/api/core/loggers/${logger}/logs`, headers, file };
  const pushed = await pushAll({ ...order, records, recordsPerBatch: BATCH, clients }, (done) =>
    say(`on ClickHouse, ${clients} clients: ${done} of ${records} records`),
  );
  const [row] = await rowsOf(service, `table ${TABLE} | stats count`);
  requireSame('records on ClickHouse', [pushed.records, row.count], [records, records]);
  return pushed.milliseconds / 1000;
}

async function pushRows(effort: Effort, server: ClickhouseServer, clients: number): Promise<Row[]> {
  await using subject = await serviceOn(server);
  const cpuBefore = subject.process.cpuSeconds() ?? Number.NaN;
  const seconds = await fill(subject, effort, clients);
  const cpuSeconds = (subject.process.cpuSeconds() ?? Number.NaN) - cpuBefore;
  const { file, records } = await effort.raggedLogs.corpus();
  effort.say(`plain inserts, ${clients} clients`);
  const plain = await insertAll(server, { file, records, batch: BATCH, clients });
  const what = `push, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
  return [
    { what: `${what}: time`, value: seconds, unit: 's', yardstick: plain },
    { what: `${what}: processor time of the service`, value: cpuSeconds, unit: 's' },
  ];
}

async function queryRows(effort: Effort, server: ClickhouseServer): Promise<Row[]> {
  // One client: both give the records the same ids.
  await effort.raggedLogs.filled({ ...USUAL, clients: 1, recordsPerBatch: BATCH });
  await using log = await embeddedLog(effort);
  await using subject = await serviceOn(server);
  await fill(subject, effort, 1);
  const rows: Row[] = [];
  for (const pipeline of raggedPipelines) {
    effort.say(pipeline.name);
    rows.push(...(await askInTurn(pipeline, log, subject)));
  }
  return rows;
}

async function embeddedLog({ raggedLogs }: Effort) {
  const log = await storedLog({ logs: raggedLogs });
  const asked = await raggedAsked(log, WORDS);
  const process = await launch(vigil({ folder: log.folder }));
  await process.ready('/readyz');
  return { asked, service: serviceOf(process), [Symbol.asyncDispose]: async () => await process.stop() };
}

async function askInTurn(
  pipeline: Pipeline,
  { asked, service }: { readonly asked: Asked; readonly service: Service },
  subject: { readonly service: Service; readonly relay: CountingRelay },
): Promise<Row[]> {
  const [there, here, bytes]: [number[], number[], number[]] = [[], [], []];
  for (let turn = 0; turn < WARM_UPS + TURNS; turn += 1) {
    const { query } = pipeline.turn(turn, asked);
    const before = subject.relay.bytes;
    const theirs = await timed(() => answered(subject.service, query));
    const moved = subject.relay.bytes - before;
    const ours = await timed(() => answered(service, query));
    requireSame(query, sorted(theirs.value.rows), sorted(ours.value.rows));
    if (turn < WARM_UPS) continue;
    there.push(theirs.milliseconds);
    here.push(ours.milliseconds);
    bytes.push(moved);
  }
  return [
    { what: `${pipeline.name}: p50`, value: median(there), unit: 'ms', yardstick: median(here) },
    { what: `${pipeline.name}: from ClickHouse`, value: median(bytes) / MEGABYTE, unit: 'MB' },
  ];
}

/** Records of one time stand in the order of their arrival, which the services may see differently. */
const sorted = (rows: readonly WireRow[]): readonly string[] =>
  rows
    .map(({ _id, ...row }) => JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1))))
    .sort();
