// What logs on ClickHouse cost: pushes beside plain inserts of the same lines into the same server, queries beside the embedded
// engine, with the bytes that travel for them. Both services answer the same, or the bench fails.

import { type ClickhouseServer, clickhouseProgram, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { createLogger, rowsOf } from '#test/support/logs.ts';
import { type Bench, type Effort, ofRaggedLog, type Row } from './support/bench.ts';
import { type HandWritten, handWritten, type StoredTable } from './support/clickhouse-statements.ts';
import { type CountingRelay, startRelay } from './support/counting-relay.ts';
import { TABLE } from './support/log-fill.ts';
import { median } from './support/numbers.ts';
import type { Asked } from './support/pipelines.ts';
import { insertAll } from './support/plain-inserts.ts';
import { pushAll } from './support/push.ts';
import { answered, type WireRow } from './support/query-calls.ts';
import { raggedAsked } from './support/ragged-pipelines.ts';
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
const BY_HAND = { of: 'ratio', is: 'at most', bound: 1.3 } as const;
const MOVED = { of: 'value', is: 'at most', bound: 1 } as const;

export const logsOnClickhouse: Bench = {
  name: 'logs-on-clickhouse',
  question: 'What do logs on ClickHouse cost?',
  yardstick:
    'pushes: plain durable inserts over HTTP into the same server; queries: the embedded engine with the same log, and statements of ClickHouse written by hand over the very same table',
  aim: 'where ClickHouse makes the groups or chooses the rows, 1.3 times as long as the statement, and 1 MB from it at most',

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
  `Both services and ClickHouse itself are asked in turn, ${TURNS} times, and the services give the same rows. The bytes are those that ClickHouse sends to the service for one query, heads of HTTP included; the rows are those that explain tells.`,
  'A statement by hand goes over the same HTTP as those of the service, and gives its rows as JSON. It knows nothing of uploads, of rows that are hidden, of accounts, and keeps no audit entry.',
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
    database,
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
  const stored = await storedTable(server, subject.database);
  const rows: Row[] = [];
  for (const asked of handWritten) {
    effort.say(asked.pipeline.name);
    rows.push(...(await askInTurn(asked, { log, subject, stored, server })));
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

/** Comments of columns say which fields they are. */
async function storedTable(server: ClickhouseServer, database: string): Promise<StoredTable> {
  const found = await server.ask(
    `select table, comment, name, type from system.columns where database = '${database}' and name like 'f%'`,
  );
  const columns = new Map(found.map(([, field = '', name = '']) => [field, name]));
  return {
    table: `${database}.${found[0]?.[0]}`,
    column: (field) => columns.get(field) ?? field,
    texts: found.filter(([, , , type]) => type?.includes('String')).map(([, , name = '']) => name),
  };
}

interface Subjects {
  readonly log: { readonly asked: Asked; readonly service: Service };
  readonly subject: { readonly service: Service; readonly relay: CountingRelay };
  readonly stored: StoredTable;
  readonly server: ClickhouseServer;
}

async function askInTurn({ pipeline, sql, isWhole }: HandWritten, subjects: Subjects): Promise<Row[]> {
  const { log, subject, stored, server } = subjects;
  const there: number[] = [];
  const here: number[] = [];
  const byHand: number[] = [];
  const bytes: number[] = [];
  for (let turn = 0; turn < WARM_UPS + TURNS; turn += 1) {
    const query = pipeline.query(turn, log.asked);
    const before = subject.relay.bytes;
    const theirs = await timed(() => answered(subject.service, query));
    const moved = subject.relay.bytes - before;
    const plain = await timed(() => server.ask(sql(stored, turn, log.asked)));
    const ours = await timed(() => answered(log.service, query));
    requireSame(query, sorted(theirs.value.rows), sorted(ours.value.rows));
    if (!query.includes('timechart')) requireSame(`rows of ${query}`, plain.value.length, ours.value.rows.length);
    if (turn < WARM_UPS) continue;
    there.push(theirs.milliseconds);
    here.push(ours.milliseconds);
    byHand.push(plain.milliseconds);
    bytes.push(moved);
  }
  const { name } = pipeline;
  const p50 = { value: median(there), unit: 'ms' } as const;
  return [
    { what: `${name}: p50`, ...p50, yardstick: median(here) },
    { what: `${name}: p50, beside plain SQL`, ...p50, yardstick: median(byHand), ...(isWhole ? { aim: BY_HAND } : {}) },
    {
      what: `${name}: from ClickHouse`,
      value: median(bytes) / MEGABYTE,
      unit: 'MB',
      ...(isWhole ? { aim: MOVED } : {}),
    },
    {
      what: `${name}: rows from ClickHouse`,
      value: await rowsMoved(subject, pipeline.query(0, log.asked)),
      unit: 'rows',
    },
  ];
}

async function rowsMoved({ service }: Subjects['subject'], q: string): Promise<number> {
  const { json } = await service.call('POST', '/api/core/queries/explain', { form: { q, run: 'true' } });
  const stages: readonly { readonly rows_moved: number }[] = json.stages;
  return stages.reduce((sum, { rows_moved }) => sum + rows_moved, 0);
}

/** Records of one time stand in the order of their arrival, which the services may see differently. */
const sorted = (rows: readonly WireRow[]): readonly string[] =>
  rows
    .map(({ _id, ...row }) => JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1))))
    .sort();
