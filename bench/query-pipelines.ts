// How long pipelines take through the published operation, beside SQL written by hand over the very same files, and how
// both grow with the log. Answers and the counts of every command are checked at every turn.

import type { Bench, Effort, Row } from './support/bench.ts';
import { CORPUS_VARIABLE } from './support/log-corpus.ts';
import { median, percentile } from './support/numbers.ts';
import { addOwners } from './support/owners.ts';
import { type Asked, type Pipeline, type PipelineTurn, pipelines } from './support/pipelines.ts';
import { answered, comparable, type QueryStatus, statusOf } from './support/query-calls.ts';
import { requireSame } from './support/require-same.ts';
import { launch, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { NEEDS_GENERATED, type StoredLog, storedLog } from './support/stored-log.ts';
import { timed } from './support/timed.ts';

const SMALL_SHARE = 0.1;
const TRACES = 40;
const AIM = { of: 'ratio', is: 'at most', bound: 1.15 } as const;

export const queryPipelines: Bench = {
  name: 'query-pipelines',
  question: 'How long do pipelines take, and how does that grow with the log?',
  yardstick: 'SQL written by hand, in DuckDB alone with the same threads and memory, over the very same Parquet files',
  aim: 'at most 1.15 times as long over the whole log',

  async run(effort) {
    if (process.env[CORPUS_VARIABLE]) return { rows: [], notes: [NEEDS_GENERATED] };
    await using started = new AsyncDisposableStack();
    const whole = started.use(await subjectOf(await storedLog(effort)));
    const small = started.use(await subjectOf(await storedLog(effort, SMALL_SHARE)));
    const rows: Row[] = [];
    for (const pipeline of pipelines) rows.push(...(await askInTurn(pipeline, { whole, small }, effort)));
    return { rows, notes: [(await effort.logs.corpus()).about, ...NOTES] };
  },
};

const NOTES = [
  'GET /api/core/query of `vigil serve` over HTTP, with authentication, an audit entry that is durable before the answer, and exact counts of every command; plain SQL runs in the process of the bench. Both in turn.',
  'Every answer is compared with that of plain SQL, value by value, and every push_count of the status record with a count by plain SQL: a difference fails the bench.',
  '"a tenth" is a service of its own with the first tenth of the log. "growth" holds the p50 over the whole log against that over the tenth: ten times the records.',
  'The rare string is one word of one record, another at each turn, found without regard to case; plain SQL says ILIKE over every text column. The row below it is beside contains(), which heeds case and asks for less.',
];

/** A service over a log, with the second table that the join needs. */
interface Subject extends AsyncDisposable {
  readonly service: Service;
  readonly log: StoredLog;
  readonly asked: Asked;
  /** Counts by plain SQL, by their text: the log does not change. */
  readonly counts: Map<string, number>;
}

async function subjectOf(log: StoredLog): Promise<Subject> {
  const { duckdb, files, folder } = log;
  const owners = await addOwners(log);
  const found = await duckdb.rows(`select trace from ${files} order by md5(trace) limit ${TRACES}`);
  const server = await launch(vigil({ folder }));
  await server.ready('/readyz');
  return {
    service: serviceOf(server),
    log,
    asked: { files, owners, traces: found.map(({ trace }) => String(trace)) },
    counts: new Map(),
    [Symbol.asyncDispose]: async () => await server.stop(),
  };
}

interface Subjects {
  readonly whole: Subject;
  readonly small: Subject;
}

/** Milliseconds of the turns. */
class Times {
  readonly ours: number[] = [];
  readonly plain: number[] = [];
}

async function askInTurn(pipeline: Pipeline, { whole, small }: Subjects, { isQuick, say }: Effort): Promise<Row[]> {
  const [warmUps, turns] = isQuick ? [1, 5] : [2, 20];
  const [ofWhole, ofSmall] = [new Times(), new Times()];
  for (let turn = 0; turn < warmUps + turns; turn += 1) {
    say(`${pipeline.name}, ${turn + 1} of ${warmUps + turns}`);
    const isWarm = turn >= warmUps;
    await askOnce(pipeline.turn(turn, whole.asked), whole, isWarm ? ofWhole : new Times());
    await askOnce(pipeline.turn(turn, small.asked), small, isWarm ? ofSmall : new Times());
  }
  return rowsOf(pipeline, ofWhole, ofSmall);
}

function rowsOf({ name, isToldOnly }: Pipeline, whole: Times, small: Times): Row[] {
  const beside = (what: string, { ours, plain }: Times, share: number): Row => ({
    what: `${name}${what}`,
    value: percentile(ours, share),
    unit: 'ms',
    yardstick: percentile(plain, share),
  });
  const growth = (what: string, of: (times: Times) => readonly number[]): Row => ({
    what: `${name}, growth${what}`,
    value: median(of(whole)),
    unit: 'ms',
    yardstick: median(of(small)),
  });
  return [
    { ...beside(': p50', whole, 0.5), ...(isToldOnly ? {} : { aim: AIM }) },
    beside(': p95', whole, 0.95),
    beside(', a tenth: p50', small, 0.5),
    growth('', ({ ours }) => ours),
    growth(' of plain SQL', ({ plain }) => plain),
  ];
}

async function askOnce(turn: PipelineTurn, subject: Subject, times: Times): Promise<void> {
  const { query, sql } = turn;
  const ours = await timed(() => answered(subject.service, query));
  const plain = await timed(() => subject.log.duckdb.rows(sql));
  times.ours.push(ours.milliseconds);
  times.plain.push(plain.milliseconds);
  requireSame(query, comparable(ours.value.rows), comparable(plain.value));
  const status = await statusOf(subject.service, ours.value.id);
  requireSame(`${query}, its status`, told(status), await expected(turn, subject, plain.value.length));
}

const told = ({ is_finished, is_cancelled, rows, commands, sub_queries }: QueryStatus) => ({
  is_finished,
  is_cancelled,
  rows,
  statuses: [...new Set([commands, ...sub_queries.map((one) => one.commands)].flat().map(({ status }) => status))],
  pushes: commands.map(({ push_count }) => push_count),
  subPushes: sub_queries.map((one) => one.commands.map(({ push_count }) => push_count)),
});

async function expected({ pushes, subPushes = [] }: PipelineTurn, subject: Subject, rows: number) {
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
