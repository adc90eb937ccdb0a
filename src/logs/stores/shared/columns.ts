// How a record's fields become columns. A field's column has the type the field was first seen with; a value of another
// type, an object, an array or a null goes into the `_rest` of its record, so nothing is lost and nothing is forced. The
// names in `_rest` are remembered: a read of a column whose values all have its type need not look into `_rest`.

import { FIELD_FATES, type Fields, type FieldType, isReserved, RESERVED, type Shape } from '#logs/log-store.ts';

const COLUMN_TYPES = ['BIGINT', 'DOUBLE', 'BOOLEAN', 'VARCHAR'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

const COLUMNS_OF: Readonly<Record<FieldType, ColumnType | undefined>> = {
  string: 'VARCHAR',
  long: 'BIGINT',
  double: 'DOUBLE',
  bool: 'BOOLEAN',
  null: undefined,
  other: undefined,
};

/** Field names with the type of their column, in the order they were first seen. */
export type Columns = ReadonlyMap<string, ColumnType>;

export interface LearntColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether some values are in `_rest`, because they are of other types. */
  readonly isMixed?: true;
  /** Whether a column of doubles has no whole number; absent in catalogs of earlier versions, which may have some. */
  readonly isFraction?: true;
}

/** All that was learnt of a table's records. */
export interface LearntColumns {
  /** In the order in which they were first seen: a column's number never changes. */
  readonly columns: readonly LearntColumn[];
  /** Other names under which some record has a value, as far as they could be remembered. */
  readonly others: readonly string[];
  readonly isCountless: boolean;
  /** Names without a column that some record says are null; absent in catalogs of earlier versions. */
  readonly nulls?: readonly string[];
  /** Whether some record says of a field that it is null: that is in `_rest` too, to be shown as it was sent. */
  readonly hasNulls: boolean;
}

export const NOTHING_LEARNT: LearntColumns = {
  columns: [],
  others: [],
  nulls: [],
  isCountless: false,
  hasNulls: false,
};

/** Names that our own SQL uses: a field of such a name stays in `_rest`. */
const UNUSABLE = ['_rest', '_doc', '_row'];

/** Beyond so many columns further fields stay in `_rest`: a file with a column for each random key reads no faster. */
const MAX_COLUMNS = 300;

/** Other names that are remembered; where there are more, any may be among them. */
const MAX_OTHERS = 10_000;

/** Characters of all these names: the catalog stores them with every new segment. */
const MAX_OTHERS_CHARACTERS = 262_144;

/** The number of the first column: those before it are of every record, see records.ts. */
const FIRST_NUMBER = 4;

/** Of the fields of a shape. */
interface Verdict {
  /** The names of those that fit their columns: no more than there are columns, however many fields there are. */
  readonly fitting: readonly string[];
  /** Whether all of them do. */
  readonly fitsWhole: boolean;
}

/** Learns the columns of a table from its records. */
export class ColumnRegistry {
  readonly #types: Map<string, ColumnType>;
  /** Of columns, in the files of the table. */
  readonly #numbers: Map<string, number>;
  /** Columns of which some values are in `_rest`, because they are of other types. */
  readonly #mixed: Set<string>;
  /** Columns of doubles without a whole number. */
  readonly #fractions: Set<string>;
  readonly #others: Set<string>;
  /** Undefined where an earlier version has not recorded them. */
  readonly #nulls: Set<string> | undefined;
  #isCountless: boolean;
  #hasNulls: boolean;
  #charactersLeft: number;
  #changes = 0;
  /** DuckDB compares column names without case: a second spelling of a name stays in `_rest`. */
  readonly #taken: Set<string>;

  readonly #verdicts = new WeakMap<Shape, Verdict>();

  constructor({ columns, others, nulls, isCountless, hasNulls }: LearntColumns) {
    this.#types = new Map(columns.map(({ name, type }) => [name, type]));
    this.#numbers = new Map(columns.map(({ name }, index) => [name, FIRST_NUMBER + index]));
    this.#mixed = new Set(columns.filter(({ isMixed }) => isMixed).map(({ name }) => name));
    this.#fractions = new Set(columns.filter(({ isFraction }) => isFraction).map(({ name }) => name));
    this.#others = new Set(others);
    this.#nulls = nulls || !hasNulls ? new Set(nulls) : undefined;
    const characters = [...others, ...(nulls ?? [])].reduce((sum, { length }) => sum + length, 0);
    this.#charactersLeft = MAX_OTHERS_CHARACTERS - characters;
    this.#isCountless = isCountless;
    this.#hasNulls = hasNulls;
    this.#taken = new Set([...RESERVED, ...UNUSABLE, ...this.#types.keys()].map((name) => name.toLowerCase()));
  }

  get columns(): Columns {
    return this.#types;
  }

  /** Grows with all that `learnt` has beyond what it had before. */
  get changes(): number {
    return this.#changes;
  }

  /** See `FileColumns`. What it gives for a field never changes, unless it is undecided. */
  numberOf(name: string, fieldType: FieldType): number {
    if (isReserved(name)) return FIELD_FATES.dropped;
    const type = COLUMNS_OF[fieldType];
    if (type === undefined) return FIELD_FATES.leftOver;
    const known = this.#types.get(name);
    if (known === undefined) return this.#hasRoomFor(name) ? FIELD_FATES.undecided : FIELD_FATES.leftOver;
    const fits = known === type || (isNumeric(known) && isNumeric(type));
    return fits ? (this.#numbers.get(name) ?? FIELD_FATES.leftOver) : FIELD_FATES.leftOver;
  }

  get learnt(): LearntColumns {
    const columns = [...this.#types].map(
      ([name, type]): LearntColumn => ({
        name,
        type,
        ...(this.#mixed.has(name) ? { isMixed: true } : {}),
        ...(this.#fractions.has(name) ? { isFraction: true } : {}),
      }),
    );
    const learnt = { columns, others: [...this.#others], isCountless: this.#isCountless, hasNulls: this.#hasNulls };
    return this.#nulls ? { ...learnt, nulls: [...this.#nulls] } : learnt;
  }

  /** Which fields fit their columns, after new fields were given columns of their own. */
  verdict(shape: Shape): Verdict {
    const known = this.#verdicts.get(shape);
    if (known) return known;
    const fitting = shape.names.filter((name, index) => this.fits(name, shape.types[index] ?? 'other'));
    const verdict = { fitting, fitsWhole: fitting.length === shape.names.length };
    this.#verdicts.set(shape, verdict);
    return verdict;
  }

  /** Learns from the `_rest` of a record that an earlier process wrote. */
  leftOver(rest: Fields): void {
    for (const [name, value] of Object.entries(rest)) {
      if (value === null) this.#leaveNull(name);
      else this.#leave(name);
    }
  }

  /**
   * Whether a field fits its column, after a new one was given a column of its own. A type that fits once always fits:
   * columns are never removed, and only widen. One that does not fit never will.
   */
  fits(name: string, fieldType: FieldType): boolean {
    if (fieldType === 'null') {
      this.#leaveNull(name);
      return false;
    }
    const type = COLUMNS_OF[fieldType];
    const fits = type !== undefined && this.#fitsColumn(name, type);
    if (!fits) this.#leave(name);
    return fits;
  }

  #leave(name: string): void {
    if (this.#types.has(name)) this.#mix(name);
    else if (!this.#recorded(name, this.#others)) this.#loseCount();
  }

  #leaveNull(name: string): void {
    if (!this.#hasNulls) this.#changes += 1;
    this.#hasNulls = true;
    if (!this.#nulls || this.#types.has(name) || this.#isCountless) return;
    // Further names are neither recorded nor told from unknown ones.
    if (!this.#recorded(name, this.#nulls)) this.#loseCount();
  }

  #mix(name: string): void {
    if (this.#mixed.has(name)) return;
    this.#mixed.add(name);
    this.#changes += 1;
  }

  #loseCount(): void {
    if (this.#isCountless) return;
    this.#isCountless = true;
    this.#changes += 1;
  }

  /** False where there is no room for the name. */
  #recorded(name: string, names: Set<string>): boolean {
    if (names.has(name)) return true;
    if (names.size >= MAX_OTHERS || name.length > this.#charactersLeft) return false;
    this.#charactersLeft -= name.length;
    this.#changes += 1;
    names.add(name);
    return true;
  }

  #fitsColumn(name: string, type: ColumnType): boolean {
    const known = this.#types.get(name);
    if (known === type) return true;
    if (known === undefined) return this.#learn(name, type);
    // Whole numbers are exact among fractions; the other way round the column widens for good.
    if (known === 'DOUBLE' && type === 'BIGINT') {
      if (this.#fractions.delete(name)) this.#changes += 1;
      return true;
    }
    if (known !== 'BIGINT' || type !== 'DOUBLE') return false;
    this.#types.set(name, 'DOUBLE');
    this.#changes += 1;
    return true;
  }

  #learn(name: string, type: ColumnType): boolean {
    if (!this.#hasRoomFor(name)) return false;
    this.#numbers.set(name, FIRST_NUMBER + this.#types.size);
    this.#types.set(name, type);
    if (type === 'DOUBLE') this.#fractions.add(name);
    this.#taken.add(name.toLowerCase());
    this.#changes += 1;
    // Earlier values under this name may have been of another type.
    if (this.#isCountless || this.#others.has(name)) this.#mix(name);
    return true;
  }

  #hasRoomFor(name: string): boolean {
    return name !== '' && this.#types.size < MAX_COLUMNS && !this.#taken.has(name.toLowerCase());
  }
}

const isNumeric = (type: ColumnType): boolean => type === 'BIGINT' || type === 'DOUBLE';
