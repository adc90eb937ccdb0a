// Records of a table that both sides of a comparison read: the same ones, however the table is written meanwhile. Each slice of a
// sample is a run of records of one day, bounded by their times, numbers and arrivals.

import type { NamelessFile } from '#files/nameless.ts';
import { type Dice, pick, times } from '#kernel/dice.ts';
import { Exhausted } from '#logs/log-store.ts';
import { type FetchOptions, fetchBudget, fetchRows } from '#logs/stores/clickhouse/reads/fetched-rows.ts';
import type { StatementLimits } from '#logs/stores/clickhouse/reads/shard-statements.ts';
import { allOf, selectList } from '#logs/stores/clickhouse/reads/stored-rows.ts';
import { StatementFailed } from '#logs/stores/clickhouse/server/failures.ts';
import { FIELD_TYPES, fieldColumns, tableName } from '#logs/stores/clickhouse/storage/layout.ts';
import type { Shards } from '#logs/stores/clickhouse/storage/shards.ts';
import type { Condition } from '#logs/stores/clickhouse/storage/visibility.ts';
import type { Columns, LearntColumns } from '#logs/stores/shared/columns.ts';
import { knownTable } from '#logs/stores/shared/known-table.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import { isTold, type NamedTable } from './named-tables.ts';

const MAX_SLICES = 3;
const SLICE_RECORDS = 600;
/** Of a whole sample; a slice of large records has fewer of them. */
const MAX_BYTES = 64 * 2 ** 20;
/** Names of fields beside columns; beyond them any may be there. */
const MAX_NAMES = 10_000;

/** Of the server: the table was dropped. */
const UNKNOWN_TABLE = 60;

const isGone = (error: unknown): boolean => error instanceof StatementFailed && error.code === UNKNOWN_TABLE;

export interface SamplingDeps {
  readonly shards: Shards;
  readonly limits: Pick<StatementLimits, 'settings' | 'deadline'>;
  /** For the records. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export class Sample implements AsyncDisposable {
  readonly table: NamedTable;
  readonly where: Condition;
  readonly known: KnownTable;
  readonly files: readonly NamelessFile[];
  readonly #deps: SamplingDeps;
  readonly #stamp: string;

  private constructor(deps: SamplingDeps, of: Omit<Taken, 'stamp'> & { readonly stamp: string }) {
    this.#deps = deps;
    this.table = of.table;
    this.where = of.where;
    this.known = of.known;
    this.files = of.files;
    this.#stamp = of.stamp;
  }

  /** Undefined where the table has no record, or is gone. */
  static async take(table: NamedTable, dice: Dice, deps: SamplingDeps): Promise<Sample | undefined> {
    try {
      return await Sample.#take(table, dice, deps);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  static async #take(table: NamedTable, dice: Dice, deps: SamplingDeps): Promise<Sample | undefined> {
    for (let records = SLICE_RECORDS; ; records = Math.ceil(records / 4)) {
      const slices = await drawSlices(table, { dice, records }, deps);
      if (slices.length === 0) return undefined;
      const where = conditionOf(slices);
      const stamp = JSON.stringify([await countsOf(table, where, deps), storedTypes(table)]);
      const known = knownTable(table.spec.name, table.spec.layout, await learntIn(table, where, deps));
      try {
        const files = await recordsOf(table, where, deps);
        return new Sample(deps, { table, where, known, files, stamp });
      } catch (error) {
        if (!(error instanceof Exhausted) || records === 1) throw error;
      }
    }
  }

  /** Whether its records are still those: uploads may have been given up, days removed, and late inserts have come. */
  async isUnchanged(): Promise<boolean> {
    try {
      const counts = await countsOf(this.table, this.where, this.#deps);
      return JSON.stringify([counts, await typesThere(this.table, this.#deps)]) === this.#stamp;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const file of this.files) await file[Symbol.asyncDispose]();
  }
}

interface Taken extends Pick<Sample, 'table' | 'where' | 'known' | 'files'> {
  readonly stamp: string;
}

/** The order of records on the servers. */
type Position = readonly [time: number, id: number];

interface Slice {
  readonly day: number;
  readonly first: Position;
  readonly last: Position;
  readonly arrived: number;
}

interface Drawing {
  readonly dice: Dice;
  readonly records: number;
}

async function drawSlices(table: NamedTable, { dice, records }: Drawing, deps: SamplingDeps): Promise<Slice[]> {
  const days = await daysOf(table, deps);
  if (days.size === 0) return [];
  const chosen = new Set(times(MAX_SLICES, () => pick(dice, [...days.keys()])));
  const slices: Slice[] = [];
  for (const day of chosen) {
    const [from = 0, to = 0] = days.get(day) ?? [];
    // Half of them end with the newest record of the day.
    const anchor = dice.below(2) === 0 ? to : from + dice.below(Math.max(1, to - from + 1));
    const slice = await sliceBefore(table, { day, anchor, records }, deps);
    if (slice) slices.push(slice);
  }
  return slices;
}

/** The first and the last time of each; ClickHouse knows them without reading records. */
async function daysOf({ spec }: NamedTable, deps: SamplingDeps): Promise<Map<number, readonly [number, number]>> {
  const statement = `select _day, min(_time), max(_time) from ${tableName(spec.id)} group by _day`;
  const days = new Map<number, readonly [number, number]>();
  for (const row of await ask(statement, {}, deps)) {
    const [day = 0, from = 0, to = 0] = row.map(Number);
    const [first = from, last = to] = days.get(day) ?? [];
    days.set(day, [Math.min(from, first), Math.max(to, last)]);
  }
  return days;
}

interface WantedRun {
  readonly day: number;
  readonly anchor: number;
  readonly records: number;
}

/** The last records of a day up to a time. */
async function sliceBefore(
  { spec }: NamedTable,
  { day, anchor, records }: WantedRun,
  deps: SamplingDeps,
): Promise<Slice | undefined> {
  const statement = `select _time, _id, _arrived from ${tableName(spec.id)}
    where _day = {day:UInt32} and _time <= {anchor:Int64} order by _time desc, _id desc limit ${records}`;
  const rows = (await ask(statement, { day, anchor }, deps)).map((row) => row.map(Number));
  const newest = rows
    .sort(([time = 0, id = 0], [other = 0, otherId = 0]) => other - time || otherId - id)
    .slice(0, records);
  const last = newest.at(0);
  const first = newest.at(-1);
  if (!first || !last) return undefined;
  const arrived = newest.reduce((most, [, , one = 0]) => Math.max(most, one), 0);
  return { day, arrived, first: [first[0] ?? 0, first[1] ?? 0], last: [last[0] ?? 0, last[1] ?? 0] };
}

/** Names of parameters that no other part of a statement has. */
function conditionOf(slices: readonly Slice[]): Condition {
  const params: Record<string, number> = {};
  const tests = slices.map(({ day, first, last, arrived }, at) => {
    const own = `s${at}`;
    const values = { d: day, t: first[0], i: first[1], u: last[0], j: last[1], a: arrived };
    for (const [name, value] of Object.entries(values)) params[`${own}${name}`] = value;
    return `(_day = {${own}d:UInt32} and _time >= {${own}t:Int64} and _time <= {${own}u:Int64}
      and (_time > {${own}t:Int64} or _id >= {${own}i:UInt64}) and (_time < {${own}u:Int64} or _id <= {${own}j:UInt64})
      and _arrived <= {${own}a:Int64})`;
  });
  return { text: `(${tests.join(' or ')})`, params };
}

/** On each server, how many records there are and which. */
async function countsOf({ spec }: NamedTable, where: Condition, deps: SamplingDeps) {
  const statement = `select count(), toString(sum(cityHash64(_id))) from ${tableName(spec.id)} where ${where.text}`;
  return await ask(statement, where.params, deps);
}

/** Of the columns by which the records are read. */
const storedTypes = ({ columns }: NamedTable): string[] =>
  fieldColumns(columns)
    .map(({ name, type }) => `${name} ${FIELD_TYPES[type]}`)
    .sort();

/** As `storedTypes`, on the servers; columns that were added since are not read. */
async function typesThere({ spec, columns }: NamedTable, deps: SamplingDeps): Promise<string[]> {
  const statement = `select name, type from system.columns
    where database = currentDatabase() and table = {table:String} and match(name, '^f[0-9]+$')`;
  const read = new Set(fieldColumns(columns).map(({ name }) => name));
  const found = (await ask(statement, { table: tableName(spec.id) }, deps)).filter(([name]) => read.has(String(name)));
  return [...new Set(found.map(([name, type]) => `${name} ${type}`))].sort();
}

/** What a catalog would have learnt of these records. */
async function learntIn({ spec, columns }: NamedTable, where: Condition, deps: SamplingDeps): Promise<LearntColumns> {
  const statement = `select distinct rest.1, rest.2 = 'null' from
    (select arrayJoin(arrayZip(mapKeys(_rest), mapValues(_rest))) as rest from ${tableName(spec.id)}
     where ${where.text}) limit ${MAX_NAMES + 1}`;
  const found = (await ask(statement, where.params, deps)).map(
    ([name, isNull]) => [String(name), Number(isNull) === 1] as const,
  );
  const valued = new Set(found.filter(([, isNull]) => !isNull).map(([name]) => name));
  const nulls = new Set(found.filter(([, isNull]) => isNull).map(([name]) => name));
  return {
    columns: [...columns].filter(([name]) => isTold(name)).map(([name, type]) => learntColumn(name, type, valued)),
    others: [...valued].filter((name) => !columns.has(name)),
    nulls: [...nulls].filter((name) => !columns.has(name)),
    hasNulls: nulls.size > 0,
    isCountless: found.length > MAX_NAMES,
  };
}

const learntColumn = (name: string, type: LearntColumns['columns'][number]['type'], valued: ReadonlySet<string>) =>
  valued.has(name) ? ({ name, type, isMixed: true } as const) : { name, type };

async function recordsOf({ spec, columns }: NamedTable, where: Condition, deps: SamplingDeps) {
  const select = `select ${selectList(columnsOf(spec.layout, columns), allOf(columns))} from ${tableName(spec.id)} where ${where.text}`;
  const { limits, folder, signal, shards } = deps;
  const options: FetchOptions = {
    ...limits,
    folder,
    signal,
    params: where.params,
    take: fetchBudget(MAX_BYTES),
  };
  return await fetchRows(shards, select, options);
}

/** Those that records are stored under. */
export const columnsOf = (layout: NamedTable['spec']['layout'], columns: Columns): Columns =>
  layout === 'row' ? new Map() : columns;

async function ask(text: string, params: Condition['params'], { shards, limits, signal }: SamplingDeps) {
  return await shards.rows(text, { ...limits, params, signal });
}
