// The shared part of `table` and `fulltext`: options, table names and time range of a scan.

import {
  duration,
  flag,
  instantOf,
  oneOf,
  orElse,
  time,
  type WrittenTime,
  whole,
  withoutEffect,
} from '#query/language/option-readers.ts';
import type { Name, Words } from '#query/language/words.ts';
import { type Column, column, type Overflow, type Rows, SERVICE_COLUMNS } from '#query/model/columns.ts';
import { type Duration, durationText } from '#query/model/durations.ts';
import type { Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { TimeRange } from '#query/model/times.ts';
import { after, before } from '#query/model/times.ts';
import { unified } from '#query/model/values.ts';
import type { TableSource } from '#query/nodes/shared/scans.ts';
import type { TableScan } from '#query/nodes/table.ts';
import type { WindowScan } from '#query/nodes/window.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

export const scanOptions = {
  duration,
  from: time,
  to: time,
  window: duration,
  order: orElse<'desc' | 'asc'>('desc', oneOf(['desc', 'asc'])),
  offset: orElse(0n, whole(0, 10006)),
  limit: whole(0, 10006),
  parallel: withoutEffect(flag),
} as const;

export const SCAN_SYNTAX = '[duration=D | [from=T] [to=T] | window=D] [order=desc] [offset=0] [limit=N] [parallel=f]';

/** Only one kind of range is allowed (10003); a parameter with the value null sets none. */
function requireOneRange(planning: CommandPlanning<ScanValues>): void {
  const bounds = [
    planning.optionAt('from') ?? planning.optionAt('to'),
    planning.optionAt('duration'),
    planning.optionAt('window'),
  ];
  const [, second] = bounds.flatMap((span) => span ?? []).sort((one, other) => one.begin - other.begin);
  if (second) throw new QueryError(10003, second);
}

/** `NAME`, `NAME?`, `NAME*`, `*NAME` or `*`, each with or without `NODE:`. */
export interface TableSpec extends Span {
  readonly node?: Name;
  readonly name: string;
  readonly isOptional: boolean;
}

export function takeSpecs(words: Words): TableSpec[] {
  const specs = [takeSpec(words)];
  while (words.take(',')) specs.push(takeSpec(words));
  return specs;
}

/** Matches the second half of an unquoted time of an option, which is not the name of a node. */
const CLOCK = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;

function takeSpec(words: Words): TableSpec {
  // A parameter is a value and never becomes a name.
  const word = words.startsWith('$(') ? undefined : words.takeWord();
  if (!word) throw words.tooFew({ term: 'tables' });
  if (CLOCK.test(word.text)) throw new QueryError(90201, word, { token: word.text }, { hints: [{ code: 91026 }] });
  const node = nodeOf(word);
  const begin = node ? node.end + 1 : word.begin;
  const isOptional = word.text.endsWith('?');
  const span = { begin, end: word.end - (isOptional ? 1 : 0) };
  const name = word.text.slice(span.begin - word.begin, span.end - word.begin).normalize();
  if (name === '' || node?.text === '') throw new QueryError(90201, word, { token: word.text });
  if (name.slice(1, -1).includes('*') || (name !== '*' && name.startsWith('*') && name.endsWith('*'))) {
    throw new QueryError(10005, span);
  }
  return { ...(node ? { node } : {}), name, isOptional, ...span };
}

function nodeOf({ text, begin }: Name): Name | undefined {
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { text: text.slice(0, colon).normalize(), begin, end: begin + colon };
}

export const specsText = (specs: readonly TableSpec[]): string =>
  specs.map(({ node, name, isOptional }) => `${node ? `${node.text}:` : ''}${name}${isOptional ? '?' : ''}`).join(', ');

/** 10500 for an unknown node; a star stands for all nodes. */
export function requireNode(node: Name, { queryContext }: CommandPlanning<unknown>): void {
  if (node.text === '*' || node.text === queryContext.node) return;
  throw new QueryError(
    10500,
    node,
    { name: node.text },
    { suggestions: suggestionsFor(node.text, [queryContext.node]) },
  );
}

/** The options of a range. */
export interface RangeValues {
  readonly duration: Duration | undefined;
  readonly from: WrittenTime | undefined;
  readonly to: WrittenTime | undefined;
}

export interface ScanValues extends RangeValues {
  readonly window: Duration | undefined;
  readonly order: 'desc' | 'asc' | undefined;
  readonly offset: bigint | undefined;
  readonly limit: bigint | undefined;
}

/** The fields of a scan node without its kind. */
export function scan(specs: readonly TableSpec[] | undefined, planning: CommandPlanning<ScanValues>) {
  requireOneRange(planning);
  const { order = 'desc', offset = 0n, limit } = planning.options;
  const tables = tablesOf(specs, planning);
  const node = nodeNamed(specs, planning);
  const rows = scanRows(tables, { direction: order, node }, planning);
  const bounds = { range: scanRange(planning), direction: order, offset, ...(limit === undefined ? {} : { limit }) };
  return { ...planning.node(rows), tables, ...bounds, ...(node === undefined ? {} : { node }) };
}

/** All rows of the tables within the range that is written; without one all rows. */
export function wholeScan(specs: readonly TableSpec[] | undefined, planning: CommandPlanning<RangeValues>): TableScan {
  const tables = tablesOf(specs, planning);
  const rows = scanRows(tables, { direction: 'asc', node: undefined }, planning);
  return { ...planning.node(rows), kind: 'table', tables, range: writtenRange(planning), direction: 'asc', offset: 0n };
}

/** Like `scan`, for rows that arrive after the start. */
export function windowScan(
  specs: readonly TableSpec[] | undefined,
  length: Duration,
  planning: CommandPlanning<ScanValues>,
): WindowScan {
  requireOneRange(planning);
  const { offset = 0n, limit } = planning.options;
  const { queryContext, context } = planning;
  if (after({ now: queryContext.now, zone: context.zone }, length) === undefined) {
    throw new QueryError(90010, lengthAt('window', planning), { value: durationText(length) });
  }
  const tables = tablesOf(specs, planning).map((table) => ({
    name: table.name,
    columns: table.columns.map(({ name }) => ({ name, type: 'any' as const })),
    isOpen: true,
  }));
  const node = nodeNamed(specs, planning);
  const sequence = planning.hiddenColumn();
  const order = [{ column: sequence, descending: false }];
  const rows = { ...scanRows(tables, { direction: 'asc', node }, planning), order };
  const bounds = { offset, ...(limit === undefined ? {} : { limit }), ...(node === undefined ? {} : { node }) };
  return { ...planning.node(rows), kind: 'window', tables, length, sequence, ...bounds };
}

/** The own node if any table is written with a node: the service has only one. */
const nodeNamed = (specs: readonly TableSpec[] | undefined, { queryContext }: CommandPlanning<unknown>) =>
  specs?.some(({ node }) => node) ? queryContext.node : undefined;

const allTables = ({ queryContext }: CommandPlanning<unknown>): TableSource[] =>
  [...queryContext.tables.values()].sort((one, other) => (one.name < other.name ? -1 : 1));

function tablesOf(specs: readonly TableSpec[] | undefined, planning: CommandPlanning<unknown>): readonly TableSource[] {
  if (!specs) return allTables(planning);
  const chosen = new Map<string, TableSource>();
  for (const spec of specs) {
    for (const table of fitting(spec, planning)) chosen.set(table.name, table);
  }
  return [...chosen.values()].map((table) => writtenBefore(table, planning));
}

/** A table that an earlier phase writes to may have any field. */
const writtenBefore = (table: TableSource, { context }: CommandPlanning<unknown>): TableSource =>
  context.shared.writes.has(table.name) ? { ...table, isOpen: true } : table;

function fitting(spec: TableSpec, planning: CommandPlanning<unknown>): readonly TableSource[] {
  const { name, node } = spec;
  if (node) requireNode(node, planning);
  if (name === '*') return allTables(planning);
  if (name.endsWith('*')) return allTables(planning).filter((table) => table.name.startsWith(name.slice(0, -1)));
  if (name.startsWith('*')) return allTables(planning).filter((table) => table.name.endsWith(name.slice(1)));
  const { tables } = planning.queryContext;
  const table = tables.get(name);
  if (table) return [table];
  if (spec.isOptional) return [];
  throw new QueryError(10001, spec, { name }, { suggestions: suggestionsFor(name, tables.keys()) });
}

function scanRows(
  tables: readonly TableSource[],
  { direction, node }: { readonly direction: 'desc' | 'asc'; readonly node: string | undefined },
  planning: CommandPlanning<unknown>,
): Rows {
  const table = planning.newColumn('_table', 'string');
  const moment = planning.newColumn('_time', 'date');
  const id = planning.newColumn('_id', 'long');
  const descending = direction === 'desc';
  const isOpen = tables.some((one) => one.isOpen);
  return {
    columns: [
      ...[table, moment, id],
      ...(node === undefined ? [] : [planning.newColumn('_node', 'string')]),
      ...declaredColumns(tables, planning),
    ],
    ...(isOpen ? { overflow: { id: planning.hiddenColumn(), without: [], ...recordedKeys(tables) } } : {}),
    known: tables.some(isUnwritten) ? 'any' : STORED_NAMES,
    order: [
      { column: moment.id, descending },
      { column: table.id, descending: false },
      { column: id.id, descending },
    ],
  };
}

/** Known behind every driver of stored rows. */
const STORED_NAMES: ReadonlySet<string> = new Set(['line', ...SERVICE_COLUMNS]);

/** Recorded keys that are looked at; of more in all tables together, any name counts as known. */
const MAX_KEYS = 20_000;

const isUnwritten = ({ columns, isOpen }: TableSource) => columns.length === 0 && !isOpen;

function recordedKeys(tables: readonly TableSource[]): Pick<Overflow, 'keys'> {
  const open = tables.filter((table) => table.isOpen);
  const keys = open.flatMap((table) => table.keys ?? []);
  const count = keys.reduce((sum, { size }) => sum + size, 0);
  if (keys.length < open.length || count > MAX_KEYS) return {};
  return { keys: new Set(keys.flatMap((some) => [...some])) };
}

function declaredColumns(tables: readonly TableSource[], planning: CommandPlanning<unknown>): Column[] {
  const types = new Map<string, Column['type']>();
  for (const { columns } of tables) {
    for (const { name, type } of columns) types.set(name, unified(types.get(name) ?? type, type));
  }
  return [...types].map(([name, type]) => column(planning.hiddenColumn(), name, type));
}

function scanRange(planning: CommandPlanning<ScanValues>): TimeRange {
  const { duration: length, from, to } = planning.options;
  const { range } = planning.queryContext;
  return !length && !from && !to && range ? range : writtenRange(planning);
}

/** The range that the options give. */
export function writtenRange(planning: CommandPlanning<RangeValues>): TimeRange {
  const { duration: length, from, to } = planning.options;
  const { queryContext, context } = planning;
  if (length) {
    const begin = before({ now: queryContext.now, zone: context.zone }, length);
    if (begin === undefined)
      throw new QueryError(90010, lengthAt('duration', planning), { value: durationText(length) });
    return { from: begin, to: queryContext.now };
  }
  return timeRange({ from, to }, planning);
}

/** The span of the option's value. */
function lengthAt<V extends RangeValues>(key: 'duration' | 'window', planning: CommandPlanning<V>): Span {
  const option = planning.optionAt(key as string & keyof V);
  return option ? { begin: option.begin + key.length + 1, end: option.end } : planning.span;
}

/** 10004 for an empty or reversed range. */
export function timeRange(
  { from, to }: { from: WrittenTime | undefined; to: WrittenTime | undefined },
  planning: CommandPlanning<unknown>,
): TimeRange {
  const { zone } = planning.context;
  const range = { ...bound('from', from, zone), ...bound('to', to, zone) } as TimeRange;
  if (range.from && range.to && Temporal.Instant.compare(range.from, range.to) >= 0) {
    throw new QueryError(10004, planning.span);
  }
  return range;
}

function bound(key: string, written: WrittenTime | undefined, zone: string): Record<string, Temporal.Instant> {
  const instant = written && instantOf(written, zone);
  return instant ? { [key]: instant } : {};
}
