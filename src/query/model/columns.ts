// The columns that flow through a plan (6.1, 6.2): finding, adding, replacing and dropping them by name.

import type { ColumnId, FieldRead, Span } from './expression.ts';
import type { ColumnType } from './values.ts';

export interface Column {
  readonly id: ColumnId;
  readonly name: string;
  readonly type: ColumnType;
  /** Of a stored column of type any: all values are numbers that a double represents exactly, and whole ones are longs. */
  readonly isNumber?: true;
}

export type KnownColumn = Pick<Column, 'name' | 'type' | 'isNumber'>;

export interface SortKey {
  readonly column: ColumnId;
  readonly descending: boolean;
}

/** One JSON object per row that holds all fields without a known column. */
export interface Overflow {
  readonly id: ColumnId;
  /** Keys that count as absent because a command has dropped or renamed them. */
  readonly without: readonly string[];
  /** Keys that rows have, as far as they are recorded; absent where any key may be there. For warnings alone. */
  readonly keys?: ReadonlySet<string>;
}

/** The rows that a plan node outputs. */
export interface Rows {
  readonly columns: readonly Column[];
  /** Columns that are read by their names and are no part of the result until a command puts them there (`_node`). */
  readonly unlisted?: readonly Column[];
  /** Absent: the column list is closed. */
  readonly overflow?: Overflow;
  /** Absent: the order is not defined. An empty list never occurs. */
  readonly order?: readonly SortKey[];
  /** Kept together with the columns of the order; dropped where a command builds new rows from several input rows. */
  readonly parameters?: readonly RowParameter[];
  /** Counts the rows that earlier commands have made of one input row; kept and dropped like `parameters`. */
  readonly exploded?: ColumnId;
  /**
   * Set where further columns are named by values (timechart by, pivot), so that their names are known only at run
   * time.
   */
  readonly dynamic?: true;
  /** Names without a column that count as known (14.3), `any` for all. For warnings alone. */
  readonly known?: ReadonlySet<string> | 'any';
  /** Aliases of a pivot with several aggregates, whose columns are named ALIAS:VALUE. For warnings alone. */
  readonly pivotAliases?: readonly string[];
}

/** A parameter that evalc sets for each row: a hidden column with the name of the parameter. */
export interface RowParameter extends Column {
  /** Set where a row may be read before the parameter has a value. */
  readonly mayBeUnset?: true;
}

/** Of rows whose columns are named by values: a name that they lack may be there another time. */
export const NAMED_BY_VALUES = { known: 'any' } as const satisfies Pick<Rows, 'known'>;

/** Columns that every stored row has. */
export const SERVICE_COLUMNS = ['_table', '_time', '_id', '_node'];

export const columnNamed = ({ columns }: Rows, name: string): Column | undefined => {
  const index = indexesOf(columns).get(name);
  return index === undefined ? undefined : columns[index];
};

/** A query may have tens of thousands of columns and read each of them, so they are found by an index. */
const indexes = new WeakMap<readonly Column[], Map<string, number>>();

function indexesOf(columns: readonly Column[]): Map<string, number> {
  const earlier = indexes.get(columns);
  if (earlier) return earlier;
  const known = new Map<string, number>();
  columns.forEach(({ name }, index) => {
    if (!known.has(name)) known.set(name, index);
  });
  indexes.set(columns, known);
  return known;
}

/** Rows that receive one column after the other; each read sees the columns added so far. */
export class GrowingRows {
  readonly rows: Rows;
  readonly #columns: Column[];

  constructor(rows: Rows) {
    this.#columns = [...rows.columns];
    this.rows = { ...rows, columns: this.#columns };
  }

  /** Replaces the column of this name in its position, else appends. */
  put(column: Column): void {
    const indexes = indexesOf(this.#columns);
    const index = indexes.get(column.name) ?? this.#columns.length;
    this.#columns[index] = column;
    indexes.set(column.name, index);
  }
}

/** True if an unknown name can only be null. */
export const isClosed = (rows: Rows): boolean => rows.overflow === undefined && !rows.dynamic;

/** Whether a name is that of a column, listed or not. */
export const isColumn = (rows: Rows, name: string): boolean => readableColumn(rows, name) !== undefined;

const readableColumn = (rows: Rows, name: string): Column | undefined =>
  columnNamed(rows, name) ?? rows.unlisted?.find((column) => column.name === name);

/** Whether some row may have a field of this name, as far as the plan and the store know (14.3). */
export function isKnownName(rows: Rows, name: string): boolean {
  const { overflow, known, dynamic } = rows;
  if (dynamic || known === 'any' || known?.has(name) || isColumn(rows, name)) return true;
  if (!overflow) return false;
  return !overflow.keys || overflow.keys.has(name) || isWithout(overflow.without, name);
}

/** The names that `isKnownName` knows. */
export const knownNames = ({ columns, overflow, known }: Rows): string[] => [
  ...columns.map(({ name }) => name),
  ...(overflow?.keys ?? []),
  ...(known instanceof Set ? known : []),
];

/**
 * The column of a pivot with several aggregates that a name of the form VALUE_ALIAS stands for (90920); undefined if some
 * row may have a field of the name.
 */
export function pivotColumnFor(
  rows: Rows,
  name: string,
): { readonly alias: string; readonly name: string } | undefined {
  const { pivotAliases, overflow } = rows;
  if (!pivotAliases || isColumn(rows, name) || (overflow && (!overflow.keys || overflow.keys.has(name)))) {
    return undefined;
  }
  const [alias] = pivotAliases
    .filter((one) => name.endsWith(`_${one}`) && name.length > one.length + 1)
    .sort((one, other) => other.length - one.length);
  return alias === undefined ? undefined : { alias, name: `${alias}:${name.slice(0, -alias.length - 1)}` };
}

/** What is known of names in rows of two sources. */
export function mergedNames(left: Rows | undefined, right: Rows): Pick<Rows, 'known' | 'pivotAliases'> {
  const aliases = [...(left?.pivotAliases ?? []), ...(right.pivotAliases ?? [])];
  return { ...mergedKnown(left, right), ...(aliases.length > 0 ? { pivotAliases: aliases } : {}) };
}

function mergedKnown(left: Rows | undefined, right: Rows): Pick<Rows, 'known'> {
  if (left?.known === 'any' || right.known === 'any') return { known: 'any' };
  const known = new Set([...(left?.known ?? []), ...(right.known ?? [])]);
  return known.size > 0 ? { known } : {};
}

/** The recorded keys of two sources; absent where one of them may have any. */
export function mergedKeys(left: Rows | undefined, right: Rows): Pick<Overflow, 'keys'> {
  const sides = [left?.overflow, right.overflow].filter((side) => side !== undefined);
  const keys = sides.flatMap((side) => side.keys ?? []);
  return keys.length < sides.length ? {} : { keys: new Set(keys.flatMap((some) => [...some])) };
}

/** A field of these rows: a known column, else a key of the overflow, else null. */
export function fieldIn(rows: Rows, name: string, span: Span): FieldRead {
  const at = { kind: 'field', name, begin: span.begin, end: span.end } as const;
  const column = readableColumn(rows, name);
  if (column) return { ...at, type: column.type, source: { kind: 'column', id: column.id } };
  const { overflow } = rows;
  if (overflow && !isWithout(overflow.without, name)) {
    return { ...at, type: 'any', source: { kind: 'overflow', id: overflow.id } };
  }
  // Columns named by values are unknown until the run, so the field is looked up then.
  return { ...at, type: rows.dynamic ? 'any' : 'null', source: { kind: 'absent' } };
}

const withouts = new WeakMap<readonly string[], ReadonlySet<string>>();

function isWithout(without: readonly string[], name: string): boolean {
  const known = withouts.get(without) ?? new Set(without);
  withouts.set(without, known);
  return known.has(name);
}

/** Replaces the column of this name in its position, else appends. */
export const withColumn = (rows: Rows, column: Column): Rows => withColumns(rows, [column]);

export function withColumns(rows: Rows, columns: readonly Column[]): Rows {
  const growing = new GrowingRows(rows);
  for (const column of columns) growing.put(column);
  return growing.rows;
}

/** Excludes the names from the overflow too. */
export function withoutNames(rows: Rows, names: readonly string[]): Rows {
  const dropped = new Set(names);
  const columns = rows.columns.filter(({ name }) => !dropped.has(name));
  const unlisted = rows.unlisted?.filter(({ name }) => !dropped.has(name));
  return { ...rows, columns, ...(unlisted ? { unlisted } : {}), ...withoutKeys(rows, names) };
}

export function withoutKeys({ overflow }: Rows, names: readonly string[]): Pick<Rows, 'overflow'> {
  if (!overflow) return {};
  return { overflow: { ...overflow, without: [...new Set([...overflow.without, ...names])] } };
}

/** The ids of all columns, hidden ones included, each once. */
export function idsOf({ columns, unlisted = [], overflow, order = [], parameters = [], exploded }: Rows): ColumnId[] {
  const counts = exploded === undefined ? [] : [exploded];
  const named = [...unlisted, ...parameters].map(({ id }) => id);
  const hidden = [...order.map(({ column }) => column), ...named, ...counts];
  return [...new Set([...columns.map(({ id }) => id), ...(overflow ? [overflow.id] : []), ...hidden])];
}

/** The parts of rows beside their fields, which stay when the fields are replaced. */
export const carried = ({ order, parameters, exploded }: Rows): Pick<Rows, 'order' | 'parameters' | 'exploded'> => ({
  ...(order ? { order } : {}),
  ...(parameters ? { parameters } : {}),
  ...(exploded === undefined ? {} : { exploded }),
});

/** The same rows without a defined order and without the count of exploded rows. */
export function unordered({ order: _, exploded: __, ...rows }: Rows): Rows {
  return rows;
}

export const column = (id: ColumnId, name: string, type: ColumnType): Column => ({ id, name, type });

export const readColumn = ({ id, name, type }: Column, span: Span): FieldRead => ({
  kind: 'field',
  name,
  type,
  source: { kind: 'column', id },
  begin: span.begin,
  end: span.end,
});
