// How a record's fields become columns. A field's column has the type the field was first seen with; a value of another
// type, an object, an array or a null goes into the `_rest` of its record, so nothing is lost and nothing is forced.

import { type FieldType, RESERVED, type Shape } from '#engines/engine.ts';

export const COLUMN_TYPES = ['BIGINT', 'DOUBLE', 'BOOLEAN', 'VARCHAR'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

const COLUMNS_OF: Readonly<Record<FieldType, ColumnType | undefined>> = {
  string: 'VARCHAR',
  long: 'BIGINT',
  double: 'DOUBLE',
  bool: 'BOOLEAN',
  other: undefined,
};

/** Field names with the type of their column, in the order they were first seen. */
export type Columns = ReadonlyMap<string, ColumnType>;

/** Names that our own SQL uses: a field of such a name stays in `_rest`. */
const UNUSABLE = ['_rest', '_doc', '_row'];

/** Beyond so many columns further fields stay in `_rest`: a file with a column per random key helps nobody. */
const COLUMNS_MOST = 300;

/** Learns the columns of a table from its records. */
export class ColumnRegistry {
  readonly #types: Map<string, ColumnType>;
  /** DuckDB compares column names without case: a second spelling of a name stays in `_rest`. */
  readonly #taken: Set<string>;

  readonly #verdicts = new WeakMap<Shape, readonly string[]>();

  constructor(columns: Iterable<readonly [string, ColumnType]> = []) {
    this.#types = new Map(columns);
    this.#taken = new Set([...RESERVED, ...UNUSABLE, ...this.#types.keys()].map((name) => name.toLowerCase()));
  }

  get columns(): Columns {
    return this.#types;
  }

  /** The names of the fields that do not fit their columns, after new fields were given columns of their own. */
  misfits(shape: Shape): readonly string[] {
    const known = this.#verdicts.get(shape);
    if (known) return known;
    const misfits = shape.names.filter((name, index) => !this.#fits(name, shape.types[index] ?? 'other'));
    this.#verdicts.set(shape, misfits);
    return misfits;
  }

  /** What fits once fits for ever: columns are never taken away, and only widen. */
  #fits(name: string, fieldType: FieldType): boolean {
    const type = COLUMNS_OF[fieldType];
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
