// How a record's fields become columns. A field's first column has the type the field was first seen with; a value of another
// type has a further column, where the store has them, else it goes into the `_rest` of its record with objects, arrays and
// nulls, so nothing is lost and nothing is forced. The names in `_rest` are remembered: a read of a column whose values all
// have its type need not look into `_rest`.

import type { FoundShape } from '#logs/leaf-shapes.ts';
import { FIELD_FATES, type Fields, type FieldType, isReserved, RESERVED, type Shape } from '#logs/log-store.ts';
import { FrequentNames } from './frequent-names.ts';
import { type KnownShape, LeafRegistry, type Leaves, NO_LEAVES } from './leaves.ts';

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

/** Field names with the type of their first column, in the order they were first seen. */
export type Columns = ReadonlyMap<string, ColumnType>;

/** A column as the files of a table have it. */
export interface StoredColumn {
  readonly type: ColumnType;
  /** Never changes, and no other column of the table ever has it. */
  readonly number: number;
  /** Of a further column: the keys that lead to its values. */
  readonly path?: readonly string[];
}

/** Columns by their names in files. */
export type StoredColumns = ReadonlyMap<string, StoredColumn>;

/** First columns as files have them. */
export const storedFirst = (columns: Columns): StoredColumns =>
  new Map(columns.entries().map(([name, type], index) => [name, { type, number: FIRST_NUMBER + index }]));

/** The first columns of a table. */
export const firstColumns = (stored: StoredColumns): Columns =>
  new Map([...stored].flatMap(([name, { type, path }]) => (path ? [] : [[name, type] as const])));

/** A column of a path and a type, beside the first one of its name. */
export interface FurtherColumn extends StoredColumn {
  readonly path: readonly string[];
  /** In files. */
  readonly name: string;
}

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
  /** Absent where there are none. */
  readonly further?: readonly FurtherColumn[];
  /** Absent where there are none. */
  readonly leaves?: Leaves;
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
/** The first ones of a table have columns at once, others when they have come often: some remain after a flood of names. */
const FREE_COLUMNS = 200;

/** Other names that are remembered; where there are more, any may be among them. */
const MAX_OTHERS = 10_000;

/** Characters of all these names: the catalog stores them with every new segment. */
const MAX_OTHERS_CHARACTERS = 262_144;

/** The number of the first column: those before it are of every record, see records.ts. */
const FIRST_NUMBER = 4;
/** Of the further ones, beyond those of all first columns. */
const FIRST_FURTHER_NUMBER = 1000;

/** How a further column is named by its type. All numbers of a field are in one column. */
const TYPE_WORDS: Readonly<Record<ColumnType, string>> = {
  BIGINT: 'number',
  DOUBLE: 'number',
  BOOLEAN: 'bool',
  VARCHAR: 'string',
};
const FURTHER_NAME = /^(.*):(number|bool|string)(?::\d+)?$/s;

/** Of the fields of a shape. */
interface Verdict {
  /** The names of those that fit their columns: no more than there are columns, however many fields there are. */
  readonly fitting: readonly string[];
  /** Whether all of them do. */
  readonly fitsWhole: boolean;
}

/** The columns of the fields of a shape. */
interface Placement {
  /** Names of columns by those of fields; fields without one are left over. */
  readonly columns: ReadonlyMap<string, string>;
  /** Whether each field is in its first column. */
  readonly isPlain: boolean;
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

  /** Of shapes all of whose fields have columns, or never get one while these are kept. */
  #verdicts = new WeakMap<Shape, Verdict>();
  #placements = new WeakMap<Shape, Placement>();
  #lateColumns = 0;
  readonly #frequent = new FrequentNames();

  /** By their paths and types. */
  readonly #further: Map<string, FurtherColumn>;
  readonly #fieldsWithFurther: Set<string>;
  readonly #leaves: LeafRegistry;

  constructor({ columns, further = [], leaves = NO_LEAVES, others, nulls, isCountless, hasNulls }: LearntColumns) {
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
    this.#further = new Map(further.map((column) => [furtherKey(column), column]));
    this.#fieldsWithFurther = new Set(further.map(fieldOf));
    const names = [...RESERVED, ...UNUSABLE, ...this.#types.keys(), ...further.map(({ name }) => name)];
    this.#taken = new Set(names.map((name) => name.toLowerCase()));
    this.#leaves = new LeafRegistry(leaves, { take: (name) => this.#takeName(name) });
  }

  get columns(): Columns {
    return this.#types;
  }

  /** All of them, as they are now. */
  get stored(): StoredColumns {
    const stored = new Map<string, StoredColumn>();
    for (const [name, column] of storedFirst(this.#types)) stored.set(name, column);
    for (const { name, ...column } of this.#further.values()) stored.set(name, column);
    return stored;
  }

  /** As they are now. */
  get leaves(): Leaves {
    return this.#leaves.leaves;
  }

  /** Gives the shapes that are known then. */
  learnShapes(found: readonly FoundShape[]): KnownShape[] {
    const before = this.leaves;
    const known = this.#leaves.learn(found);
    if (this.leaves !== before) this.#changes += 1;
    return known;
  }

  /** By its name in files, as it is now. */
  storedColumn(name: string): StoredColumn | undefined {
    const type = this.#types.get(name);
    const number = this.#numbers.get(name);
    if (type !== undefined && number !== undefined) return { type, number };
    return this.#further.values().find((column) => column.name === name);
  }

  /** Whether values of a field may be in `_rest`, beside nulls. */
  isMixed(name: string): boolean {
    return this.#mixed.has(name);
  }

  /** Grows with all that `learnt` has beyond what it had before. */
  get changes(): number {
    return this.#changes;
  }

  /** See `FileColumns`. What it gives for a field never changes, unless it is undecided or left over. */
  numberOf(name: string, fieldType: FieldType): number {
    if (isReserved(name)) return FIELD_FATES.dropped;
    const type = COLUMNS_OF[fieldType];
    if (type === undefined) return FIELD_FATES.leftOver;
    const known = this.#types.get(name);
    const fits = known === type || (known !== undefined && isNumeric(known) && isNumeric(type));
    if (fits) return this.#numbers.get(name) ?? FIELD_FATES.leftOver;
    const further = this.#furtherColumn(name, type)?.number;
    if (further !== undefined) return further;
    return known !== undefined || this.#hasRoomFor(name) ? FIELD_FATES.undecided : FIELD_FATES.leftOver;
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
    const learnt = {
      columns,
      ...(this.#further.size > 0 ? { further: [...this.#further.values()] } : {}),
      ...(this.leaves.fields.length > 0 ? { leaves: this.leaves } : {}),
      others: [...this.#others],
      isCountless: this.#isCountless,
      hasNulls: this.#hasNulls,
    };
    return this.#nulls ? { ...learnt, nulls: [...this.#nulls] } : learnt;
  }

  /** Which fields fit their columns, after new fields were given columns of their own. */
  verdict(shape: Shape): Verdict {
    const known = this.#verdicts.get(shape);
    if (known) return known;
    const fitting = shape.names.filter((name, index) => this.fits(name, shape.types[index] ?? 'other'));
    const verdict = { fitting, fitsWhole: fitting.length === shape.names.length };
    if (!this.#mayLearn(shape)) this.#verdicts.set(shape, verdict);
    return verdict;
  }

  /** In which columns fields are, after new fields and types were given columns of their own. */
  placement(shape: Shape): Placement {
    const known = this.#placements.get(shape);
    if (known) return known;
    const columns = new Map<string, string>();
    let isPlain = true;
    for (const [index, name] of shape.names.entries()) {
      const column = this.columnFor(name, shape.types[index] ?? 'other');
      if (column !== undefined) columns.set(name, column);
      isPlain &&= column === name;
    }
    const placement = { columns, isPlain };
    if (!this.#mayLearn(shape)) this.#placements.set(shape, placement);
    return placement;
  }

  /** Whether a field without a column may get one once it has come often. */
  #mayLearn({ names, types }: Shape): boolean {
    return names.some(
      (name, index) =>
        COLUMNS_OF[types[index] ?? 'other'] !== undefined && !this.#types.has(name) && this.#isFree(name),
    );
  }

  /** How many fields have got a column that earlier records of theirs do not have. */
  get lateColumns(): number {
    return this.#lateColumns;
  }

  /** So many records had a field without a column. */
  noted(name: string, records: number): void {
    if (this.#types.size >= FREE_COLUMNS && this.#isFree(name)) this.#frequent.add(name, records);
  }

  /** A field has a column, as the journal of an earlier process says, however often it has come. */
  restoredFirst(name: string, fieldType: FieldType): void {
    const type = COLUMNS_OF[fieldType];
    if (type !== undefined && !this.#types.has(name) && this.#isFree(name)) this.#learn(name, type);
  }

  /**
   * The name of the column that values of a type go to, after a new field or type was given one; undefined for those that no
   * column holds. It never changes, but a field without one may get one later: see `lateColumns`.
   */
  columnFor(name: string, fieldType: FieldType): string | undefined {
    const type = COLUMNS_OF[fieldType];
    const isFirst = type !== undefined && this.#types.has(name);
    if (isFirst && this.#fitsColumn(name, type)) return name;
    const further = type && this.#furtherColumn(name, type);
    if (further) return further.name;
    if (isFirst) return this.#learnFurther([name], type, this.#freeName(`${name}:${TYPE_WORDS[type]}`)).name;
    return this.fits(name, fieldType) ? name : undefined;
  }

  /** The field of a further column that an earlier process has named, which is learnt where it is new. */
  restored(columnName: string): string {
    const [known] = this.storedColumn(columnName)?.path ?? [];
    if (known !== undefined) return known;
    const [, name = '', word] = FURTHER_NAME.exec(columnName) ?? [];
    const type = COLUMN_TYPES.findLast((one) => TYPE_WORDS[one] === word);
    if (type === undefined) throw new Error(`no further column is named ${columnName}`);
    this.#learnFurther([name], type, columnName);
    return name;
  }

  #furtherColumn(name: string, type: ColumnType): FurtherColumn | undefined {
    return this.#fieldsWithFurther.has(name) ? this.#further.get(furtherKey({ path: [name], type })) : undefined;
  }

  #learnFurther(path: readonly string[], type: ColumnType, name: string): FurtherColumn {
    const column: FurtherColumn = {
      path,
      type: isNumeric(type) ? 'DOUBLE' : type,
      name,
      number: FIRST_FURTHER_NUMBER + this.#further.size,
    };
    this.#further.set(furtherKey(column), column);
    this.#fieldsWithFurther.add(fieldOf(column));
    this.#taken.add(name.toLowerCase());
    this.#changes += 1;
    return column;
  }

  #takeName(name: string): string {
    const free = this.#freeName(name);
    this.#taken.add(free.toLowerCase());
    return free;
  }

  #freeName(name: string): string {
    for (let index = 1; ; index += 1) {
      const numbered = index === 1 ? name : `${name}:${index}`;
      if (!this.#taken.has(numbered.toLowerCase())) return numbered;
    }
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
    if (this.#types.has(name)) {
      this.#mix(name);
      return;
    }
    if (!this.#recorded(name, this.#others)) this.#loseCount();
    this.noted(name, 1);
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
    if (known === undefined) return this.#hasRoomFor(name) && this.#learn(name, type);
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

  #learn(name: string, type: ColumnType): true {
    if (this.#types.size >= FREE_COLUMNS) this.#learnLate();
    this.#numbers.set(name, FIRST_NUMBER + this.#types.size);
    this.#types.set(name, type);
    if (type === 'DOUBLE') this.#fractions.add(name);
    this.#taken.add(name.toLowerCase());
    this.#changes += 1;
    // Earlier values under this name may have been of another type.
    if (this.#isCountless || this.#others.has(name)) this.#mix(name);
    return true;
  }

  #learnLate(): void {
    this.#lateColumns += 1;
    this.#verdicts = new WeakMap();
    this.#placements = new WeakMap();
  }

  #hasRoomFor(name: string): boolean {
    return this.#isFree(name) && (this.#types.size < FREE_COLUMNS || this.#frequent.has(name));
  }

  /** Whether there may be a column of this name. */
  #isFree(name: string): boolean {
    return name !== '' && this.#types.size < MAX_COLUMNS && !this.#taken.has(name.toLowerCase());
  }
}

const fieldOf = ({ path: [field = ''] }: FurtherColumn): string => field;

/** No name has the character between its parts. */
const furtherKey = ({ path, type }: Pick<FurtherColumn, 'path' | 'type'>): string =>
  [TYPE_WORDS[type], ...path].join('\0');

const isNumeric = (type: ColumnType): boolean => type === 'BIGINT' || type === 'DOUBLE';
