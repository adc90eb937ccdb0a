// How a record's fields become columns. A field's column has the type the field was first seen with; a value of another
// type, an object, an array or a null goes into the `_rest` of its record, so nothing is lost and nothing is forced.

import type { Json } from '#kernel/canonical-json.ts';

export const COLUMN_TYPES = ['BIGINT', 'DOUBLE', 'BOOLEAN', 'VARCHAR'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Field names with the type of their column, in the order they were first seen. */
export type Columns = ReadonlyMap<string, ColumnType>;

/** The service's own fields: a record that brings its own is not asked. */
export const RESERVED = ['_id', '_time', '_table', '_rest'] as const;

/** Names that our own SQL uses: a field of such a name stays in `_rest`. */
const UNUSABLE = ['_doc', '_row'];

/** Beyond so many columns further fields stay in `_rest`: a file with a column per random key helps nobody. */
const COLUMNS_MOST = 1000;

/** Undefined for what has no column type of its own. */
export function typeOf(value: Json): ColumnType | undefined {
  if (typeof value === 'string') return 'VARCHAR';
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (typeof value !== 'number') return undefined;
  if (Number.isSafeInteger(value)) return 'BIGINT';
  // What the host cannot hold exactly keeps its digits as text, in `_rest`.
  return Number.isInteger(value) || !Number.isFinite(value) ? undefined : 'DOUBLE';
}

/** Learns the columns of a table from its records. */
export class ColumnRegistry {
  readonly #types: Map<string, ColumnType>;
  /** DuckDB compares column names without case: a second spelling of a name stays in `_rest`. */
  readonly #taken: Set<string>;

  constructor(columns: Iterable<readonly [string, ColumnType]> = []) {
    this.#types = new Map(columns);
    this.#taken = new Set([...RESERVED, ...UNUSABLE, ...this.#types.keys()].map((name) => name.toLowerCase()));
  }

  get columns(): Columns {
    return this.#types;
  }

  /** The names of the fields that do not fit their columns, after new fields were given columns of their own. */
  misfits(fields: { readonly [name: string]: Json }): string[] {
    const misfits: string[] = [];
    for (const name in fields) {
      if (!this.#fits(name, fields[name] ?? null)) misfits.push(name);
    }
    return misfits;
  }

  #fits(name: string, value: Json): boolean {
    const type = typeOf(value);
    if (type === undefined) return false;
    const known = this.#types.get(name);
    if (known === type) return true;
    if (known === undefined) return this.#learn(name, type);
    // Whole numbers are exact among fractions; the other way round the column widens for good.
    if (known === 'DOUBLE' && type === 'BIGINT') return true;
    if (known !== 'BIGINT' || type !== 'DOUBLE') return false;
    this.#types.set(name, 'DOUBLE');
    return true;
  }

  #learn(name: string, type: ColumnType): boolean {
    const lower = name.toLowerCase();
    if (name === '' || this.#types.size >= COLUMNS_MOST || this.#taken.has(lower)) return false;
    this.#types.set(name, type);
    this.#taken.add(lower);
    return true;
  }
}
