// Reads examples of the query language: their values, and the surroundings in which their queries are checked.

import type { Json } from '#kernel/json/canonical-json.ts';
import { SYSTEM_OBJECTS } from '#query/commands/shared/system-objects.ts';
import type { KnownColumn } from '#query/model/columns.ts';
import type { ExampleRow, ExampleValue, QueryExample } from '#query/model/example.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import { type ColumnType, typeOf, unified, type Value } from '#query/model/values.ts';
import type {
  KnownParser,
  KnownProcedure,
  KnownProfile,
  KnownTable,
  QueryContext,
} from '#query/planning/query-context.ts';
import { BUILT_IN_PARSERS, storedParser } from '#query/planning/stored-parsers.ts';

import { EXAMPLE_PROFILE, exampleHosts } from './example-answers.ts';
import { exampleImports } from './example-files.ts';

/** What holds in every example. */
export const EXAMPLE_ZONE = 'Asia/Seoul';
export const EXAMPLE_NOW = Temporal.Instant.from('2026-11-15T12:00:00+09:00');
export const EXAMPLE_USER = 'tester';

/** Columns that are compared only where an example writes them. */
export const SERVICE_FIELDS: readonly string[] = ['_table', '_time', '_id'];

/** Written as in examples, or holding any value. */
export type WorldRow = ExampleRow | ReadonlyMap<string, Value>;

/** What a query runs in. */
export type World = Partial<Omit<QueryExample, 'tables'>> & {
  readonly tables?: Readonly<Record<string, readonly WorldRow[]>>;
};

export function exampleValue(written: ExampleValue): Value {
  if (typeof written === 'number') return Number.isInteger(written) ? BigInt(written) : written;
  if (typeof written === 'string') return dateOf(written) ?? written;
  if (Array.isArray(written)) return written.map(exampleValue);
  if (written === null || typeof written !== 'object') return written;
  return new Map(Object.entries(written).map(([key, value]) => [key, exampleValue(value)]));
}

/** A row as it is, or as an example writes it. */
export const rowOf = (row: WorldRow): ReadonlyMap<string, Value> =>
  row instanceof Map ? row : new Map(Object.entries(row).map(([name, value]) => [name, exampleValue(value)]));

const DATE = /^@(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{3})?)([+-]\d{2})(\d{2})$/;

function dateOf(text: string): Temporal.Instant | undefined {
  const [, day, clock, hours, minutes] = DATE.exec(text) ?? [];
  return day === undefined ? undefined : Temporal.Instant.from(`${day}T${clock}${hours}:${minutes}`);
}

/** Columns in order of first appearance, with the type that holds all their values. */
export function columnsOf(rows: readonly WorldRow[]): KnownColumn[] {
  const types = new Map<string, ColumnType>();
  for (const row of rows) {
    for (const [name, value] of rowOf(row)) types.set(name, unified(types.get(name) ?? 'null', typeOf(value)));
  }
  return [...types].map(([name, type]) => ({ name, type: type === 'null' ? 'any' : type }));
}

export function contextOf(example: World, more: Partial<QueryContext> = {}): QueryContext {
  const { tables = {}, lookups = {}, parsers = {}, groups = {}, constants = {}, databases = {} } = example;
  const context: QueryContext = {
    now: EXAMPLE_NOW,
    zone: EXAMPLE_ZONE,
    node: 'vigil',
    exports: { folder: '/export', look: () => 'free' },
    imports: exampleImports,
    hosts: exampleHosts(example.answers),
    tables: new Map(Object.entries(tables).map(([name, rows]) => [name, tableOf(name, rows)])),
    writableTables: new Set(Object.keys(tables)),
    lookups: new Map(Object.entries(lookups).map(([name, one]) => [name, lookupOf(name, one)])),
    memoryLookups: new Map(),
    mayMakeLookups: true,
    parsers: new Map([
      ...BUILT_IN_PARSERS,
      ...Object.entries(parsers).map(([code, one]) => [code, parserOf(one)] as const),
    ]),
    procedures: new Map(),
    groups: new Set(Object.keys(groups)),
    profiles: new Map([
      [EXAMPLE_PROFILE.name, EXAMPLE_PROFILE],
      ...Object.keys(databases).map((name) => [name, databaseProfile(name)] as const),
    ]),
    systemObjects: new Set(Object.keys(SYSTEM_OBJECTS)),
    constants: new Map(Object.entries(constants).map(([name, value]) => [name, exampleValue(value)])),
    ...more,
  };
  return { ...context, procedures: new Map([...proceduresOf(example, context), ...context.procedures]) };
}

const databaseProfile = (name: string): KnownProfile => ({
  guid: name,
  name,
  kind: 'postgresql',
  mayWrite: true,
});

export function tableOf(name: string, rows: readonly WorldRow[]): KnownTable {
  const columns = columnsOf(rows).filter((column) => !SERVICE_FIELDS.includes(column.name));
  return { name, columns, isOpen: false };
}

const lookupOf = (name: string, { key, rows }: { key: string; rows: readonly ExampleRow[] }): KnownLookup => ({
  name,
  key,
  columns: columnsOf(rows),
  guid: name,
  isWritable: true,
});

const parserOf = ({
  kind,
  configs,
}: {
  kind: string;
  configs: Readonly<Record<string, ExampleValue>>;
}): KnownParser => {
  const found = storedParser(kind, configs as Readonly<Record<string, Json>>); // Written values are JSON.
  if (!found) throw new Error(`there is no kind of parser ${kind}`);
  return found;
};

function proceduresOf({ procedures = {} }: World, owner: QueryContext): [string, KnownProcedure][] {
  return Object.entries(procedures).map(([name, { parameters, query, ...rest }]) => {
    const declared = Object.entries(parameters).map(([parameter, type]) => ({ name: parameter, type }));
    return [name, { name, parameters: declared, text: query, ...rest, mayRun: true, queryContext: owner }];
  });
}
