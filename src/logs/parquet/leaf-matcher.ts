// Compares values that are left over of the records of a batch with the shapes of their fields, byte by byte, and finds what
// differs. Nothing is parsed: a value whose text has anything that the columns of leaves could not give back has none of the shapes.

import {
  type FileLeaves,
  isPlainNumber,
  LEAF_TYPES,
  type LeafType,
  pathKey,
  type ShapePieces,
} from '#logs/leaf-shapes.ts';

/** A text as it is, and before which of its bytes blanks may stand in the text of a record. */
interface Literal {
  readonly bytes: Uint8Array;
  /** All but the last bytes, four at a time. */
  readonly words: Int32Array;
  readonly mayFollowBlanks: Uint8Array;
}

/** The indexes of columns by those of types; -1 where there is none. */
type ValueColumns = Int32Array;

type Step = Literal | ValueColumns;

/** Shapes that begin alike are compared together. */
interface StepTree {
  readonly step: Step;
  /** Tells equal steps. */
  readonly key: string;
  readonly next: StepTree[];
  /** The number of the one that ends here; 0 for none. */
  shape: number;
}

/** The shapes of a field, and its index in the list of fields. */
export interface FieldTree {
  readonly index: number;
  readonly shapes: readonly StepTree[];
}

const [QUOTE, BACKSLASH, COMMA, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2c, 0x2d, 0x30, 0x39] as const;
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d] as const;
const [SMALL_T, SMALL_F, SMALL_N] = [0x74, 0x66, 0x6e] as const;
/** Behind a backslash: characters that are written so again. */
const IS_ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

const [TEXT, NUMBER, BOOLEAN, JSON_TEXT] = ['VARCHAR', 'DOUBLE', 'BOOLEAN', 'JSON'].map((type) =>
  LEAF_TYPES.indexOf(type as LeafType),
) as [number, number, number, number];

/** Longer numbers are compared with what is made of them, and beyond a length none is plain. */
const FEW_DIGITS = 15;
const MAX_CHARACTERS = 32;

export class LeafMatcher {
  readonly #leaves: FileLeaves;
  readonly #trees: ReadonlyMap<string, FieldTree>;
  readonly #settled: ReadonlySet<string>;
  /** Of each value the index of its column, the offset of its first byte, and the one after its last. */
  #values = new Uint32Array(3 * 1024);
  #end = 0;
  #bytes: Uint8Array = new Uint8Array();
  #view = new DataView(this.#bytes.buffer);

  constructor(leaves: FileLeaves) {
    this.#leaves = leaves;
    this.#settled = new Set(leaves.settled);
    const byPath = Map.groupBy(leaves.columns.entries(), ([, { path }]) => pathKey(path));
    const columnsAt = (path: readonly string[]): ValueColumns => {
      const indexes = new Int32Array(LEAF_TYPES.length).fill(-1);
      for (const [index, { type }] of byPath.get(pathKey(path)) ?? []) indexes[LEAF_TYPES.indexOf(type)] = index;
      return indexes;
    };
    const treeOf = (shapes: readonly ShapePieces[], index: number): FieldTree => {
      const roots: StepTree[] = [];
      for (const [at, pieces] of shapes.entries()) addShape(roots, { pieces, number: at + 1, columnsAt });
      return { index, shapes: roots };
    };
    this.#trees = new Map(leaves.fields.map(({ field, shapes }, index) => [field, treeOf(shapes, index)]));
  }

  /** By their indexes. */
  get columns(): FileLeaves['columns'] {
    return this.#leaves.columns;
  }

  /** By their indexes. */
  get fields(): FileLeaves['fields'] {
    return this.#leaves.fields;
  }

  treeOf(field: string): FieldTree | undefined {
    return this.#trees.get(field);
  }

  /** Whether further shapes of a field are sought. */
  isLearning(field: string): boolean {
    return this.#leaves.isLearning && !this.#settled.has(field);
  }

  /** Of all matched ones since `begin`, one after another. */
  get values(): Uint32Array {
    return this.#values;
  }

  /** The index after the last of `values`. */
  get end(): number {
    return this.#end;
  }

  begin(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#end = 0;
  }

  /** The number of the shape of a value from one offset up to another, whose values are added; 0 where it has none. */
  match({ shapes }: FieldTree, from: number, end: number): number {
    return this.#follow(shapes, from, end);
  }

  #follow(trees: readonly StepTree[], at: number, end: number): number {
    const begin = this.#end;
    for (const { step, next, shape } of trees) {
      const after = step instanceof Int32Array ? this.#value(step, this.#bytes, at) : this.#afterLiteral(step, at);
      if (after === -1) continue;
      if (shape !== 0 && after === end) return shape;
      const found = this.#follow(next, after, end);
      if (found !== 0) return found;
      this.#end = begin;
    }
    return 0;
  }

  /** -1 where it is not there. */
  #afterLiteral(literal: Literal, from: number): number {
    const { words, bytes: wanted } = literal;
    const bytes = this.#bytes;
    const view = this.#view;
    if (from + wanted.length > bytes.length) return -1;
    for (let index = 0; index < words.length; index += 1) {
      if (view.getInt32(from + 4 * index) !== words[index]) return afterBlanked(literal, bytes, from);
    }
    for (let index = 4 * words.length; index < wanted.length; index += 1) {
      if (bytes[from + index] !== wanted[index]) return afterBlanked(literal, bytes, from);
    }
    return from + wanted.length;
  }

  #value(columns: ValueColumns, bytes: Uint8Array, from: number): number {
    let at = from;
    while (isBlank(bytes[at])) at += 1;
    const first = bytes[at] ?? 0;
    if (first === QUOTE) return this.#add(columns[TEXT], at, afterText(bytes, at));
    if (first === SMALL_T) return this.#add(columns[BOOLEAN], at, at + 4);
    if (first === SMALL_F) return this.#add(columns[BOOLEAN], at, at + 5);
    if (first === SMALL_N) return -1;
    if (first === OPENING_BRACE) return this.#add(columns[JSON_TEXT], at, afterEmptyObject(bytes, at));
    if (first === OPENING_BRACKET) return this.#add(columns[JSON_TEXT], at, afterList(bytes, at));
    const end = afterNumber(bytes, at);
    return this.#add(columns[isPlain(bytes, at, end) ? NUMBER : JSON_TEXT], at, end);
  }

  #add(column = -1, from: number, end: number): number {
    if (column === -1 || end === -1) return -1;
    if (this.#end + 3 > this.#values.length) {
      const larger = new Uint32Array(2 * this.#values.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#end] = column;
    this.#values[this.#end + 1] = from;
    this.#values[this.#end + 2] = end;
    this.#end += 3;
    return end;
  }
}

interface NumberedShape {
  readonly pieces: ShapePieces;
  readonly number: number;
  readonly columnsAt: (path: readonly string[]) => ValueColumns;
}

function addShape(roots: StepTree[], { pieces, number, columnsAt }: NumberedShape): void {
  let trees = roots;
  for (const [index, piece] of pieces.entries()) {
    const isText = typeof piece === 'string';
    const key = isText ? piece : pathKey(piece);
    let tree = trees.find((one) => one.key === key);
    if (!tree) {
      tree = { step: isText ? literalOf(piece) : columnsAt(piece), key, next: [], shape: 0 };
      trees.push(tree);
    }
    if (index === pieces.length - 1) tree.shape = number;
    trees = tree.next;
  }
}

function literalOf(text: string): Literal {
  const bytes = Buffer.from(text);
  let isInside = false;
  const mayFollowBlanks = bytes.map((byte) => {
    const isOutside = !isInside;
    if (byte === QUOTE) isInside = !isInside;
    return isOutside ? 1 : 0;
  });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const words = Int32Array.from({ length: bytes.length >> 2 }, (_, index) => view.getInt32(4 * index));
  return { bytes, words, mayFollowBlanks };
}

/** The same where there may be blanks. */
function afterBlanked({ bytes: wanted, mayFollowBlanks }: Literal, bytes: Uint8Array, from: number): number {
  let at = from;
  for (let index = 0; index < wanted.length; index += 1) {
    while (bytes[at] !== wanted[index]) {
      if (mayFollowBlanks[index] === 0 || !isBlank(bytes[at])) return -1;
      at += 1;
    }
    at += 1;
  }
  return at;
}

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** -1 where it has characters that would be written otherwise. */
function afterText(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; ; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === undefined) return -1;
    if (byte !== BACKSLASH) continue;
    at += 1;
    if (IS_ESCAPED[bytes[at] ?? 0] === 0) return -1;
  }
}

function afterEmptyObject(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (isBlank(bytes[at])) at += 1;
  return bytes[at] === CLOSING_BRACE ? at + 1 : -1;
}

function afterList(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === OPENING_BRACKET || byte === OPENING_BRACE) depth += 1;
    else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth -= 1;
    else if (byte === QUOTE) at = afterAnyText(bytes, at) - 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

function afterAnyText(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function afterNumber(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === COMMA || byte === CLOSING_BRACE || byte === CLOSING_BRACKET || isBlank(byte)) break;
  }
  return at;
}

/** Most numbers are short and whole. */
function isPlain(bytes: Uint8Array, from: number, end: number): boolean {
  const first = bytes[from] ?? 0;
  const isShort = end - from <= FEW_DIGITS && first > ZERO && first <= NINE;
  for (let at = from; isShort; at += 1) {
    if (at === end) return true;
    const byte = bytes[at] ?? 0;
    if (byte < ZERO || byte > NINE) break;
  }
  const last = bytes[end - 1] ?? 0;
  if (end - from > MAX_CHARACTERS) return false;
  if (last < ZERO || last > NINE || (first !== MINUS && (first < ZERO || first > NINE))) return false;
  return isPlainNumber(String.fromCharCode(...bytes.subarray(from, end)));
}
