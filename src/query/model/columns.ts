// Columns on their way through a plan (6.1, 6.2): finding, adding, replacing and dropping them by name.

import type { ColumnId, FieldRead, Span } from './expression.ts';
import type { ColumnType } from './values.ts';

export interface Column {
  readonly id: ColumnId;
  readonly name: string;
  readonly type: ColumnType;
}

export type KnownColumn = Pick<Column, 'name' | 'type'>;

export interface SortKey {
  readonly column: ColumnId;
  readonly descending: boolean;
}

/** One JSON object per row with all fields that are no known columns. */
export interface Overflow {
  readonly id: ColumnId;
  /** Keys that count as absent: dropped or renamed on the way. */
  readonly without: readonly string[];
}

/** The rows that a node of a plan hands on. */
export interface Rows {
  readonly columns: readonly Column[];
  /** Absent: the column list is closed. */
  readonly overflow?: Overflow;
  /** Absent: the order is not defined. An empty list never occurs. */
  readonly order?: readonly SortKey[];
  /** Carried along like the columns of the order, and lost where rows are made of others. */
  readonly parameters?: readonly RowParameter[];
  /** How many rows the commands before have made of one; carried and lost in the same way. */
  readonly exploded?: ColumnId;
  /** Further columns are made from values (timechart by, pivot) and known only while running. */
  readonly dynamic?: true;
}

/** A parameter that evalc sets anew for each row: a hidden column by the name of the parameter. */
export interface RowParameter extends Column {
  /** Whether a row may come before it is set: then it can only be read with a default. */
  readonly mayBeUnset?: true;
}

/** Columns that come with stored rows. */
export const SERVICE_COLUMNS = ['_table', '_time', '_id', '_node'];

export const columnNamed = ({ columns }: Rows, name: string): Column | undefined => {
  const place = placesOf(columns).get(name);
  return place === undefined ? undefined : columns[place];
};

/** A query may have tens of thousands of columns and read each of them, so they are found by an index. */
const indexes = new WeakMap<readonly Column[], Map<string, number>>();

function placesOf(columns: readonly Column[]): Map<string, number> {
  const known = indexes.get(columns);
  if (known) return known;
  const places = new Map<string, number>();
  columns.forEach(({ name }, place) => {
    if (!places.has(name)) places.set(name, place);
  });
  indexes.set(columns, places);
  return places;
}

/** Rows that get column after column: those who read them meanwhile see what is there by then. */
export class GrowingRows {
  readonly rows: Rows;
  readonly #columns: Column[];

  constructor(rows: Rows) {
    this.#columns = [...rows.columns];
    this.rows = { ...rows, columns: this.#columns };
  }

  /** In the place of the column that had this name, else at the end. */
  put(column: Column): void {
    const places = placesOf(this.#columns);
    const place = places.get(column.name) ?? this.#columns.length;
    this.#columns[place] = column;
    places.set(column.name, place);
  }
}

/** Whether an unknown name can only be null. */
export const isClosed = (rows: Rows): boolean => rows.overflow === undefined && !rows.dynamic;

/** A field of these rows: a known column, else a key of the overflow, else null. */
export function fieldIn(rows: Rows, name: string, span: Span): FieldRead {
  const at = { kind: 'field', name, begin: span.begin, end: span.end } as const;
  const column = columnNamed(rows, name);
  if (column) return { ...at, type: column.type, source: { kind: 'column', id: column.id } };
  const { overflow } = rows;
  if (overflow && !isWithout(overflow.without, name)) {
    return { ...at, type: 'any', source: { kind: 'overflow', id: overflow.id } };
  }
  // Columns made from values have names that nobody knows yet: such a field is looked up when they are.
  return { ...at, type: rows.dynamic ? 'any' : 'null', source: { kind: 'absent' } };
}

const withouts = new WeakMap<readonly string[], ReadonlySet<string>>();

function isWithout(without: readonly string[], name: string): boolean {
  const known = withouts.get(without) ?? new Set(without);
  withouts.set(without, known);
  return known.has(name);
}

/** With a column of this name: in the place of the one that had it, else at the end. */
export const withColumn = (rows: Rows, column: Column): Rows => withColumns(rows, [column]);

export function withColumns(rows: Rows, columns: readonly Column[]): Rows {
  const growing = new GrowingRows(rows);
  for (const column of columns) growing.put(column);
  return growing.rows;
}

/** Without these names, be they known or not. */
export function withoutNames(rows: Rows, names: readonly string[]): Rows {
  const dropped = new Set(names);
  const columns = rows.columns.filter(({ name }) => !dropped.has(name));
  return { ...rows, columns, ...withoutKeys(rows, names) };
}

export function withoutKeys({ overflow }: Rows, names: readonly string[]): Pick<Rows, 'overflow'> {
  if (!overflow) return {};
  return { overflow: { id: overflow.id, without: [...new Set([...overflow.without, ...names])] } };
}

/** Every column that rows have, hidden ones among them, each once. */
export function idsOf({ columns, overflow, order = [], parameters = [], exploded }: Rows): ColumnId[] {
  const counts = exploded === undefined ? [] : [exploded];
  const hidden = [...order.map(({ column }) => column), ...parameters.map(({ id }) => id), ...counts];
  return [...new Set([...columns.map(({ id }) => id), ...(overflow ? [overflow.id] : []), ...hidden])];
}

/** What rows have beside their fields and keep when they get others. */
export const carried = ({ order, parameters, exploded }: Rows): Pick<Rows, 'order' | 'parameters' | 'exploded'> => ({
  ...(order ? { order } : {}),
  ...(parameters ? { parameters } : {}),
  ...(exploded === undefined ? {} : { exploded }),
});

/** The same rows in no defined order, and of whatever rows they were made. */
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
