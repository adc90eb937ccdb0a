// The leaves of what is in `_rest` as columns of a table, see leaf-shapes.ts.

import { type FoundShape, type LeafShape, type LeafType, pathKey, SHAPE_NUMBER } from '#logs/leaf-shapes.ts';

export interface LeafColumn {
  /** The keys that lead to its values; the first one is the name of a field. */
  readonly path: readonly string[];
  readonly type: LeafType;
  /** In files. */
  readonly name: string;
  /** Never changes, and no other column of the table ever has it. */
  readonly number: number;
}

/** All leaves of a table, in the order in which they were learnt. */
export interface Leaves {
  /** The name of the column with the numbers of shapes. */
  readonly shapeName: string;
  readonly columns: readonly LeafColumn[];
  readonly shapes: readonly LeafShape[];
}

export const NO_LEAVES: Leaves = { shapeName: '_shape', columns: [], shapes: [] };

/** The columns of leaves as files have them, and that of the numbers of shapes. */
export const leafColumns = ({ shapeName, columns, shapes }: Leaves): LeafFileColumn[] =>
  shapes.length === 0 ? [] : [...columns, { number: SHAPE_NUMBER, name: shapeName, type: 'INTEGER' }];

export interface LeafFileColumn {
  readonly name: string;
  readonly number: number;
  readonly type: LeafType | 'INTEGER';
}

const FIRST_LEAF_NUMBER = 100_000;

const MAX_LEAF_COLUMNS = 300;
const MAX_SHAPES = 64;
/** Of all shapes and columns as JSON: the catalog stores them with every new segment. */
const MAX_CHARACTERS = 131_072;

interface ColumnNames {
  /** Gives a name that no other column of the table has, and takes it. */
  take(name: string): string;
}

const TYPE_WORDS: Readonly<Record<LeafType, string>> = {
  VARCHAR: 'string',
  DOUBLE: 'number',
  BOOLEAN: 'bool',
  JSON: 'json',
};

const withNames = ({ shapeName, columns, shapes }: Leaves, names: ColumnNames): Leaves => ({
  shapeName: names.take(shapeName),
  columns: columns.map((column) => ({ ...column, name: names.take(column.name) })),
  shapes,
});

/** Learns the leaves of a table. */
export class LeafRegistry {
  #leaves: Leaves;
  readonly #names: ColumnNames;

  /** A name is another one where a store that did not know of these leaves has given it to a field: files are read by numbers. */
  constructor(leaves: Leaves, names: ColumnNames) {
    this.#names = names;
    this.#leaves = leaves.shapes.length === 0 ? leaves : withNames(leaves, names);
  }

  /** As they are now. */
  get leaves(): Leaves {
    return this.#leaves;
  }

  /** Those that there is room for, in their order; gives the shapes that are known then. */
  learn(found: readonly FoundShape[]): LeafShape[] {
    return found.flatMap((shape) => this.#known(shape) ?? this.#learnt(shape) ?? []);
  }

  /** Columns of types that its values had for the first time are learnt, too. */
  #known(found: FoundShape): LeafShape | undefined {
    const key = JSON.stringify(found.pieces);
    const known = this.#leaves.shapes.find(({ pieces }) => JSON.stringify(pieces) === key);
    if (known) this.#learnColumns(found);
    return known;
  }

  #learnt(found: FoundShape): LeafShape | undefined {
    const { shapes } = this.#leaves;
    const shape = { number: shapes.length + 1, pieces: found.pieces };
    if (shapes.length >= MAX_SHAPES || !this.#hasRoomFor(shape) || !this.#learnColumns(found)) return undefined;
    const shapeName = shapes.length === 0 ? this.#names.take(this.#leaves.shapeName) : this.#leaves.shapeName;
    this.#leaves = { ...this.#leaves, shapeName, shapes: [...shapes, shape] };
    return shape;
  }

  /** False where there is no room for all of them. */
  #learnColumns({ leaves }: FoundShape): boolean {
    const { columns } = this.#leaves;
    const known = new Set(columns.map(({ path, type }) => `${type}${pathKey(path)}`));
    const added = leaves.filter(({ path, type }) => !known.has(`${type}${pathKey(path)}`));
    if (added.length === 0) return true;
    if (columns.length + added.length > MAX_LEAF_COLUMNS || !this.#hasRoomFor(added)) return false;
    const all = [...columns];
    for (const { path, type } of added) {
      const isFirst = all.every((column) => pathKey(column.path) !== pathKey(path));
      const name = `${path.join('.')}${isFirst && type !== 'JSON' ? '' : `:${TYPE_WORDS[type]}`}`;
      all.push({ path, type, name: this.#names.take(name), number: FIRST_LEAF_NUMBER + all.length });
    }
    this.#leaves = { ...this.#leaves, columns: all };
    return true;
  }

  #hasRoomFor(added: unknown): boolean {
    return JSON.stringify([this.#leaves, added]).length <= MAX_CHARACTERS;
  }
}
