// How long queries take through the published operation, beside the fastest SQL over the very same files. Answers are checked
// at every turn, counts of every command at the first.

import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, type Effort, ofRaggedLog, type Row } from './support/bench.ts';
import { CLICKHOUSE_NOTE, type ClickHouse, isClickHouse } from './support/clickhouse.ts';
import { callConcurrently } from './support/concurrent-calls.ts';
import { CORPUS_VARIABLE } from './support/log-corpus.ts';
import { median, percentile } from './support/numbers.ts';
import { addOwners } from './support/owners.ts';
import { type Asked, type Pipeline, type PipelineTurn, pipelines } from './support/pipelines.ts';
import { answered, comparable, type QueryStatus, statusOf } from './support/query-calls.ts';
import { MIXED_QUERIES, raggedAsked, raggedPipelines, TINY_QUERY } from './support/ragged-pipelines.ts';
import { requireSame } from './support/require-same.ts';
import { launch, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { NEEDS_GENERATED, type StoredLog, storedLog } from './support/stored-log.ts';
import { timed } from './support/timed.ts';

const WORDS = 40;
const WARM_UPS = 2;
/** Of one pipeline: as many turns as fit in here, but some at least. */
const MAX_MS = 10_000;
const MIN_TURNS = 5;
const MAX_TURNS = 21;
const TINY_TURNS = 300;
const REHEARSAL_MS = 10_000;
const CLIENTS = 50;
const BESIDE_CLICKHOUSE = { of: 'ratio', is: 'at most', bound: 1.5 } as const;

export const queryPipelines: Bench = {
  name: 'query-pipelines',
  question: 'How long do queries take?',
  yardstick: 'the fastest SQL in DuckDB alone with the same threads and memory, over the very same Parquet files',
  aim: 'the one of each row, 1.15 times as long where the row has no other',

  async run(effort) {
    const ragged = await raggedRows(effort);
    const { about } = await effort.raggedLogs.corpus();
    if (process.env[CORPUS_VARIABLE])
      return { rows: ragged, notes: [NEEDS_GENERATED, about, ...NOTES, await clickHouseNote(effort)] };
    await using uniform = await uniformSubject(effort);
    const rows = await askAll(pipelines, uniform, effort);
    const notes = [(await effort.logs.corpus()).about, about, ...NOTES, await clickHouseNote(effort)];
    return { rows: [...rows, ...ragged], notes };
  },
};

const NOTES = [
  'GET /api/core/query of `vigil serve` over HTTP, with authentication, an audit entry that is durable before the answer, and exact counts of every command; plain SQL runs in the process of the bench. Both in turn, 5 to 21 times, as often as fits in ten seconds.',
  'Every answer is compared with that of plain SQL, value by value, and push_count of the commands with counts by plain SQL: a difference fails the bench.',
  'Words are found without regard to case by fulltext; plain SQL says contains(), which heeds case and asks for less. A rare token is one word of one record, another at each turn.',
  `A service over the ragged log is asked ${TINY_TURNS} tiny queries before the first pipeline, and has ${REHEARSAL_MS / 1000} seconds for itself.`,
  `The tiny query reads no table. ${CLIENTS} clients ask a filter with a count, a group, the chart of the last hour, the newest hundred and the newest hundred with a word, each the next when it has its answer.`,
];

/** A service over a log. */
interface Subject extends AsyncDisposable {
  readonly service: Service;
  readonly log: StoredLog;
  readonly asked: Asked;
  /** With the same log. */
  readonly clickHouse?: ClickHouse;
  /** Counts by plain SQL, by their text: the log does not change. */
  readonly counts: Map<string, number>;
}

async function subjectOf(log: StoredLog, asked: Omit<Asked, 'files'>, clickHouse?: ClickHouse): Promise<Subject> {
  const server = await launch(vigil({ folder: log.folder }));
  await server.ready('/readyz');
  return {
    service: serviceOf(server),
    log,
    asked: { files: log.files, ...asked },
    counts: new Map(),
    ...(clickHouse ? { clickHouse } : {}),
    [Symbol.asyncDispose]: async () => await server.stop(),
  };
}

/** With the second table that the join needs. */
async function uniformSubject(effort: Effort): Promise<Subject> {
  const log = await storedLog(effort);
  const owners = await addOwners(log);
  const found = await log.duckdb.rows(`select trace from ${log.files} order by md5(trace) limit ${WORDS}`);
  return await subjectOf(log, {
    owners,
    texts: [],
    columns: new Set(),
    words: found.map(({ trace }) => String(trace)),
    users: [],
  });
}

async function raggedRows(effort: Effort): Promise<Row[]> {
  const log = await storedLog({ logs: effort.raggedLogs });
  const asked = await raggedAsked(log, WORDS);
  await using subject = await subjectOf(log, asked, await filledClickHouse(effort));
  await warm(subject, effort);
  const rows = await askAll(raggedPipelines, subject, effort);
  return ofRaggedLog([...rows, ...(await tinyRows(subject, effort)), await clientsRow(subject, effort)]);
}

/** As a service that has been in use for a while: V8 has compiled what every query runs. */
async function warm({ service }: Subject, { isQuick, say }: Effort): Promise<void> {
  say('warming up');
  for (let turn = 0; turn < (isQuick ? 2 : TINY_TURNS); turn += 1) await answered(service, TINY_QUERY);
  // It rehearses while nobody asks.
  await pause(isQuick ? 0 : REHEARSAL_MS);
}

async function filledClickHouse({ raggedLogs, say }: Effort): Promise<ClickHouse | undefined> {
  const clickHouse = await raggedLogs.clickHouse();
  if (!isClickHouse(clickHouse)) return undefined;
  say('ClickHouse takes the log');
  const { file } = await raggedLogs.corpus();
  await clickHouse.ingest({ file, batch: 50_000, clients: 1 });
  return clickHouse;
}

async function clickHouseNote({ raggedLogs }: Effort): Promise<string> {
  const found = await raggedLogs.clickHouse();
  return isClickHouse(found) ? CLICKHOUSE_NOTE : found.reason;
}

async function askAll(asked: readonly Pipeline[], subject: Subject, effort: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  for (const pipeline of asked) rows.push(...(await askInTurn(pipeline, subject, effort)));
  return rows;
}

/** Milliseconds of the turns. */
class Times {
  readonly ours: number[] = [];
  readonly plain: number[] = [];
  readonly clickHouse: number[] = [];
}

async function askInTurn(pipeline: Pipeline, subject: Subject, { isQuick, say }: Effort): Promise<Row[]> {
  const times = new Times();
  const [most, until] = isQuick ? [MIN_TURNS, 0] : [MAX_TURNS, performance.now() + MAX_MS];
  for (let turn = 0; turn < WARM_UPS + most; turn += 1) {
    say(`${pipeline.name}, ${turn + 1}`);
    if (turn >= WARM_UPS + MIN_TURNS && performance.now() > until) break;
    const asked = pipeline.turn(turn, subject.asked);
    await askOnce(asked, subject, turn < WARM_UPS ? new Times() : times, turn === 0);
  }
  const beside = (what: string, share: number): Row => ({
    what: `${pipeline.name}: ${what}`,
    value: percentile(times.ours, share),
    unit: 'ms',
    yardstick: percentile(times.plain, share),
  });
  const rows = [{ ...beside('p50', 0.5), aim: pipeline.aim }, beside('p95', 0.95)];
  if (times.clickHouse.length === 0) return rows;
  const yardstick = median(times.clickHouse);
  return [
    ...rows,
    { ...beside('p50, beside ClickHouse', 0.5), yardstick, aim: pipeline.besideClickHouse ?? BESIDE_CLICKHOUSE },
  ];
}

async function askOnce(turn: PipelineTurn, subject: Subject, times: Times, isFirst: boolean): Promise<void> {
  const { query, sql, answer, shape = (rows) => rows } = turn;
  const ours = await timed(() => answered(subject.service, query));
  const plain = await timed(() => subject.log.duckdb.rows(sql));
  times.ours.push(ours.milliseconds);
  times.plain.push(plain.milliseconds);
  if (subject.clickHouse && turn.clickHouse !== undefined) {
    const theirs = await subject.clickHouse.query(turn.clickHouse);
    times.clickHouse.push(theirs.milliseconds);
    if (!turn.shape) requireSame(`${turn.clickHouse}, its rows`, theirs.rows, ours.value.rows.length);
  }
  const expectedRows = answer === undefined ? plain.value : await subject.log.duckdb.rows(answer);
  requireSame(query, comparable(ours.value.rows), comparable(shape(expectedRows)));
  if (!isFirst || !turn.pushes) return;
  const status = await statusOf(subject.service, ours.value.id);
  requireSame(`${query}, its status`, told(status), await expected(turn, subject, plain.value.length));
}

async function tinyRows({ service }: Subject, { isQuick, say }: Effort): Promise<Row[]> {
  say('tiny query');
  const milliseconds: number[] = [];
  for (let turn = 0; turn < (isQuick ? 20 : TINY_TURNS); turn += 1) {
    milliseconds.push((await timed(() => answered(service, TINY_QUERY))).milliseconds);
  }
  const warm = milliseconds.slice(WARM_UPS);
  return [
    { what: 'tiny query: p50', value: median(warm), unit: 'ms', aim: { of: 'value', is: 'at most', bound: 4 } },
    {
      what: 'tiny query: p99',
      value: percentile(warm, 0.99),
      unit: 'ms',
      aim: { of: 'value', is: 'at most', bound: 12 },
    },
  ];
}

async function clientsRow({ service }: Subject, { isQuick, say }: Effort): Promise<Row> {
  say(`${CLIENTS} clients`);
  const queries = isQuick ? 100 : 1000;
  const ask = async (number: number) => {
    await answered(service, MIXED_QUERIES[number % MIXED_QUERIES.length] ?? TINY_QUERY);
  };
  const { milliseconds } = await timed(() => callConcurrently(queries, ask, { atOnce: CLIENTS }));
  const aim = { of: 'value', is: 'at least', bound: 45 } as const;
  return { what: `${CLIENTS} clients: queries`, value: (queries / milliseconds) * 1000, unit: '/s', aim };
}

const told = ({ is_finished, is_cancelled, rows, commands, sub_queries }: QueryStatus) => ({
  is_finished,
  is_cancelled,
  rows,
  statuses: [...new Set([commands, ...sub_queries.map((one) => one.commands)].flat().map(({ status }) => status))],
  pushes: commands.map(({ push_count }) => push_count),
  subPushes: sub_queries.map((one) => one.commands.map(({ push_count }) => push_count)),
});

async function expected({ pushes = [], subPushes = [] }: PipelineTurn, subject: Subject, rows: number) {
  const counted = async (statements: readonly string[]) =>
    await Array.fromAsync(statements, (sql) => countBy(sql, subject));
  return {
    is_finished: true,
    is_cancelled: false,
    rows,
    statuses: ['End'],
    pushes: await counted(pushes),
    subPushes: await Array.fromAsync(subPushes, counted),
  };
}

async function countBy(sql: string, { log, counts }: Subject): Promise<number> {
  const known = counts.get(sql);
  if (known !== undefined) return known;
  const [row] = await log.duckdb.rows(sql);
  const count = Number(row?.count);
  counts.set(sql, count);
  return count;
}
