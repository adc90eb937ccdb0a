// How long reading a sealed table takes through the published operation, beside plain SQL over the very same files.

import { toStamp } from '#contract/times.ts';
import { rowsOf } from '#test/support/logs.ts';
import type { BareDuckdb } from './support/bare-duckdb.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import { type LogFill, TABLE } from './support/log-fill.ts';
import { percentile } from './support/numbers.ts';
import { requireSame } from './support/require-same.ts';
import { launch, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { USUAL } from './support/shared-logs.ts';
import { timed } from './support/timed.ts';

const LAST = 100;
const WINDOW_SHARE = 0.05;
const DAY_MS = 86_400_000;
const MAX_VALUES = 5;

export const logRead: Bench = {
  name: 'log-read',
  question: 'How long do the last 100 records, a filter with a count and counts of a range take over a sealed table?',
  yardstick: 'hand-written SQL in DuckDB alone, over a glob of the very same Parquet files',
  aim: 'none, told only',

  async run(effort) {
    const { about } = await effort.logs.corpus();
    const subject = await subjectOf(effort);
    await using server = await launch(vigil({ folder: subject.folder }));
    await server.ready('/readyz');
    const service = serviceOf(server);
    await requireSameRecords(service, subject);
    const rows: Row[] = [];
    for (const question of questions) rows.push(...(await askInTurn(question, { subject, service }, effort)));
    return { rows, notes: [about, ...NOTES] };
  },
};

const NOTES = [
  'GET /api/core/query of `vigil serve` over HTTP, with authentication and an audit entry that is durable before the answer; plain SQL runs in the process of the bench. Both in turn; every answer is compared with that of plain SQL, counts of a range with the bare copy of the log too.',
  '"filter and count" compares a field with one of its most frequent values, another at each turn: the text field with the fewest different values, but more than one. "count of a while" is of another twentieth of the log’s time at each turn.',
  'The count of a day is told twice: beside a condition on `_time` over all files, and beside a count of the files of that day’s folder, which needs to know how the table is laid out.',
];

interface Subject {
  readonly folder: string;
  readonly duckdb: BareDuckdb;
  /** Of all files of the table, and of those of one day. */
  readonly glob: string;
  globOf(day: string): string;
  /** The bare copy, where it has the times of the records. */
  readonly bareFile: string | undefined;
  readonly records: number;
  /** Epoch milliseconds of the first record and of the last. */
  readonly first: number;
  readonly last: number;
  readonly filter: Filter | undefined;
}

/** A field to filter by, and values that it has. */
interface Filter {
  readonly field: string;
  readonly values: readonly string[];
}

async function subjectOf({ logs }: Effort): Promise<Subject> {
  const fill: LogFill = await logs.filled(USUAL);
  const { isTimed, records } = await logs.corpus();
  const duckdb = await logs.duckdb();
  const glob = `${fill.tableFolder}/*/*.parquet`;
  const [ends] = await duckdb.rows(
    `select epoch_ms(min(_time))::double as first, epoch_ms(max(_time))::double as last from read_parquet('${glob}')`,
  );
  return {
    folder: fill.folder,
    duckdb,
    glob,
    globOf: (day) => `${fill.tableFolder}/${day}/*.parquet`,
    bareFile: isTimed ? (await logs.copied()).file : undefined,
    records,
    first: Number(ends?.first),
    last: Number(ends?.last),
    filter: await filterFor(duckdb, glob),
  };
}

async function filterFor(duckdb: BareDuckdb, glob: string): Promise<Filter | undefined> {
  const columns = await duckdb.rows(`describe select * from ${read(glob)}`);
  const texts = columns
    .filter(({ column_type }) => column_type === 'VARCHAR')
    .map(({ column_name }) => String(column_name));
  const different = texts.map((name, at) => `approx_count_distinct(${identifier(name)}) as c${at}`);
  const [found = {}] = texts.length === 0 ? [] : await duckdb.rows(`select ${different.join(', ')} from ${read(glob)}`);
  const counted = texts.map((field, at) => ({ field, count: Number(found[`c${at}`]) }));
  const [fewest] = counted.filter(({ count }) => count > 1).sort((a, b) => a.count - b.count);
  if (!fewest) return undefined;
  const name = identifier(fewest.field);
  const values = await duckdb.rows(
    `select ${name} as value from ${read(glob)} where ${name} is not null group by all order by count(*) desc limit ${MAX_VALUES}`,
  );
  return { field: fewest.field, values: values.map(({ value }) => String(value)) };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** One turn of a question, in both languages, and what both must answer. */
interface Turn {
  readonly query: string;
  readonly sql: string;
  /** Of rows on either side. */
  answerOf(rows: readonly Record<string, unknown>[]): unknown;
  /** The condition of a count, which the bare copy must answer alike. */
  readonly where?: string;
}

interface Question {
  readonly name: string;
  /** Undefined where the log has nothing to ask for. */
  turn(turn: number, subject: Subject): Turn | undefined;
}

const questions: readonly Question[] = [
  {
    name: `last ${LAST} records`,
    turn: (_, { glob }) => ({
      query: `table limit=${LAST} ${TABLE}`,
      sql: `select * from ${read(glob)} order by _time desc, _id desc limit ${LAST}`,
      answerOf: (rows) => rows.map(({ _id }) => Number(_id)),
    }),
  },
  { name: 'filter and count', turn: filtering },
  { name: 'count of a while', turn: (turn, subject) => counting(windowAt(turn, subject), subject.glob) },
  { name: 'count of one day', turn: (turn, subject) => counting(dayAt(turn, subject), subject.glob) },
  {
    name: 'count of one day, its files only',
    turn(turn, subject) {
      const range = dayAt(turn, subject);
      const day = Temporal.Instant.fromEpochMilliseconds(range.from).toString().slice(0, 10);
      return { ...counting(range, subject.glob), sql: `select count(*) as count from ${read(subject.globOf(day))}` };
    },
  },
  {
    name: 'count of all',
    turn: (_, { glob }) => ({
      query: `table ${TABLE} | stats count`,
      sql: `select count(*) as count from ${read(glob)}`,
      answerOf: countIn,
    }),
  },
];

const read = (glob: string): string => `read_parquet('${glob}', union_by_name = true)`;

const countIn = ([row]: readonly Record<string, unknown>[]): number => Number(row?.count);

function counting(range: Range, glob: string): Turn {
  const where = `_time >= ${timestamp(range.from)} and _time < ${timestamp(range.to)}`;
  return {
    query: `table from=${digits(range.from)} to=${digits(range.to)} ${TABLE} | stats count`,
    sql: countSql(`read_parquet('${glob}')`, where),
    answerOf: countIn,
    where,
  };
}

function filtering(turn: number, { glob, filter }: Subject): Turn | undefined {
  if (!filter) return undefined;
  const { field, values } = filter;
  const value = values[turn % values.length] ?? '';
  const where = `${identifier(field)} = '${value.replaceAll("'", "''")}'`;
  // Quoted, and no pattern.
  const text = value.replaceAll(/[\\"*]/g, '\\$&');
  return {
    query: `table ${TABLE} | search field("${field}") == "${text}" | stats count`,
    sql: countSql(`read_parquet('${glob}')`, where),
    answerOf: countIn,
    where,
  };
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const countSql = (source: string, where: string): string => `select count(*) as count from ${source} where ${where}`;

/** Whole seconds, which is what a query can say without quotes. */
function windowAt(turn: number, { first, last }: Subject): Range {
  const seconds = Math.max(1, Math.floor(((last - first) * WINDOW_SHARE) / 1000));
  const room = Math.max(1, Math.floor((last - first) / 1000) - seconds);
  const from = (Math.floor(first / 1000) + ((turn * 7_919_317) % room)) * 1000;
  return { from, to: from + seconds * 1000 };
}

/** The service keeps its days in UTC unless it is told otherwise. */
function dayAt(turn: number, { first, last }: Subject): Range {
  const earliest = Math.floor(first / DAY_MS);
  const latest = Math.floor(last / DAY_MS);
  const from = (earliest + (turn % (latest - earliest + 1))) * DAY_MS;
  return { from, to: from + DAY_MS };
}

const iso = (time: number): string => Temporal.Instant.fromEpochMilliseconds(time).toString().slice(0, 19);
const digits = (time: number): string => iso(time).replaceAll(/\D/g, '');
const timestamp = (time: number): string => `timestamp '${iso(time).replace('T', ' ')}'`;

interface Asked {
  readonly subject: Subject;
  readonly service: Service;
}

async function askInTurn(question: Question, { subject, service }: Asked, { isQuick, say }: Effort): Promise<Row[]> {
  const [warmUps, turns] = isQuick ? [2, 5] : [3, 30];
  const ours: number[] = [];
  const plain: number[] = [];
  for (let turn = 0; turn < warmUps + turns; turn += 1) {
    say(`${question.name}, ${turn + 1} of ${warmUps + turns}`);
    const asked = question.turn(turn, subject);
    if (!asked) return [];
    const { query, sql, answerOf, where } = asked;
    const answered = await timed(() => rowsOf(service, query));
    const expected = await timed(() => subject.duckdb.rows(sql));
    if (turn >= warmUps) ours.push(answered.milliseconds);
    if (turn >= warmUps) plain.push(expected.milliseconds);
    requireSame(query, answerOf(answered.value), answerOf(expected.value));
    if (!where || !subject.bareFile) continue;
    const bare = await subject.duckdb.rows(countSql(`read_parquet('${subject.bareFile}')`, where));
    requireSame(`${query}, in the bare copy`, answerOf(answered.value), countIn(bare));
  }
  return [0.5, 0.95].map((share) => ({
    what: `${question.name}: p${share * 100}`,
    value: percentile(ours, share),
    unit: 'ms',
    yardstick: percentile(plain, share),
  }));
}

/** The last records field by field, once; afterwards their ids will do. */
async function requireSameRecords(service: Service, { duckdb, glob, records }: Subject): Promise<void> {
  const answered = await rowsOf(service, `table limit=${LAST} ${TABLE}`);
  const sql = `select to_json(_record)::varchar as record, epoch_ms(_time)::double as time
    from (select * from ${read(glob)} order by _time desc, _id desc limit ${LAST}) _record order by _time desc, _id desc`;
  const expected = (await duckdb.rows(sql)).map(({ record, time }) => {
    const { _time, _rest, ...columns } = JSON.parse(String(record));
    const present = Object.entries(columns).filter(([, value]) => value !== null);
    const stamp = toStamp(Temporal.Instant.fromEpochMilliseconds(Number(time)), 'UTC');
    return { _table: TABLE, _time: stamp, ...Object.fromEntries(present), ...(_rest ?? {}) };
  });
  requireSame('how many of the last records', answered.length, Math.min(LAST, records));
  requireSame('the last records', answered, expected);
}
