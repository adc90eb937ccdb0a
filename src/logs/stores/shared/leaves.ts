// The leaves of values in `_rest` as columns of a table, see leaf-shapes.ts.

import { type FieldShapes, type FoundShape, type LeafType, pathKey } from '#logs/leaf-shapes.ts';

export interface LeafColumn {
  /** The keys that lead to its values; the first one is the name of a field. */
  readonly path: readonly string[];
  readonly type: LeafType;
  /** In files. */
  readonly name: string;
  /** Never changes, and no other column of the table ever has it. */
  readonly number: number;
}

export interface LeafField extends FieldShapes {
  /** Of the column with the numbers of shapes, in files. */
  readonly name: string;
}

/** All leaves of a table, in the order in which they were learnt. */
export interface Leaves {
  readonly fields: readonly LeafField[];
  readonly columns: readonly LeafColumn[];
}

export const NO_LEAVES: Leaves = { fields: [], columns: [] };

/** The columns of leaves as files have them, and those of the numbers of shapes. */
export const leafColumns = ({ fields, columns }: Leaves): LeafFileColumn[] => [
  ...columns,
  ...fields.map(({ name, number }) => ({ name, number, type: 'INTEGER' as const })),
];

export interface LeafFileColumn {
  readonly name: string;
  readonly number: number;
  readonly type: LeafType | 'INTEGER';
}

const FIRST_LEAF_NUMBER = 100_000;

/** Those with the numbers of shapes among them. */
const MAX_LEAF_COLUMNS = 300;
const MAX_SHAPES_OF_FIELD = 32;
const MAX_SHAPES = 256;
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

const withNames = ({ fields, columns }: Leaves, names: ColumnNames): Leaves => ({
  fields: fields.map((field) => ({ ...field, name: names.take(field.name) })),
  columns: columns.map((column) => ({ ...column, name: names.take(column.name) })),
});

/** A shape that a table knows, by its number. */
export interface KnownShape {
  readonly field: string;
  readonly number: number;
}

const piecesKey = (pieces: FoundShape['pieces']): string => JSON.stringify(pieces);

/** Learns the leaves of a table. */
export class LeafRegistry {
  #leaves: Leaves;
  readonly #names: ColumnNames;

  /** A name is another one where a store that did not know of these leaves has given it to a field: files are read by numbers. */
  constructor(leaves: Leaves, names: ColumnNames) {
    this.#names = names;
    this.#leaves = leaves.fields.length === 0 ? leaves : withNames(leaves, names);
  }

  /** As they are now. */
  get leaves(): Leaves {
    return this.#leaves;
  }

  /** Those that there is room for, in their order; gives the shapes that are known then. */
  learn(found: readonly FoundShape[]): KnownShape[] {
    return found.flatMap((shape) => this.#known(shape) ?? this.#learnt(shape) ?? []);
  }

  #field(name: string): LeafField | undefined {
    return this.#leaves.fields.find(({ field }) => field === name);
  }

  /** Columns of types that its values had for the first time are learnt, too. */
  #known(found: FoundShape): KnownShape | undefined {
    const key = piecesKey(found.pieces);
    const index = this.#field(found.field)?.shapes.findIndex((pieces) => piecesKey(pieces) === key) ?? -1;
    if (index === -1) return undefined;
    const added = this.#addedColumns(found);
    if (this.#hasRoomFor(added)) this.#addColumns(added);
    return { field: found.field, number: index + 1 };
  }

  #learnt(found: FoundShape): KnownShape | undefined {
    const known = this.#field(found.field);
    const shapes = this.#leaves.fields.reduce((sum, field) => sum + field.shapes.length, 0);
    if (shapes >= MAX_SHAPES || (known?.shapes.length ?? 0) >= MAX_SHAPES_OF_FIELD) return undefined;
    const added = this.#addedColumns(found);
    if (!this.#hasRoomFor(added, found.pieces, known ? 0 : 1)) return undefined;
    this.#addColumns(added);
    const field = known ?? this.#addField(found.field);
    const grown = { ...field, shapes: [...field.shapes, found.pieces] };
    const fields = this.#leaves.fields.map((one) => (one === field ? grown : one));
    this.#leaves = { ...this.#leaves, fields };
    return { field: found.field, number: grown.shapes.length };
  }

  #addField(field: string): LeafField {
    const added = { field, name: this.#names.take(`${field}:shape`), number: this.#nextNumber, shapes: [] };
    this.#leaves = { ...this.#leaves, fields: [...this.#leaves.fields, added] };
    return added;
  }

  #addedColumns({ leaves }: FoundShape): FoundShape['leaves'] {
    const known = new Set(this.#leaves.columns.map(({ path, type }) => `${type}${pathKey(path)}`));
    return leaves.filter(({ path, type }) => !known.has(`${type}${pathKey(path)}`));
  }

  #addColumns(added: FoundShape['leaves']): void {
    for (const { path, type } of added) {
      const { columns } = this.#leaves;
      const isFirst = columns.every((column) => pathKey(column.path) !== pathKey(path));
      const name = `${path.join('.')}${isFirst && type !== 'JSON' ? '' : `:${TYPE_WORDS[type]}`}`;
      const column = { path, type, name: this.#names.take(name), number: this.#nextNumber };
      this.#leaves = { ...this.#leaves, columns: [...columns, column] };
    }
  }

  get #nextNumber(): number {
    return FIRST_LEAF_NUMBER + leafColumns(this.#leaves).length;
  }

  #hasRoomFor(added: FoundShape['leaves'], pieces: FoundShape['pieces'] = [], fields = 0): boolean {
    if (leafColumns(this.#leaves).length + added.length + fields > MAX_LEAF_COLUMNS) return false;
    return JSON.stringify([this.#leaves, added, pieces]).length <= MAX_CHARACTERS;
  }
}
