// Values of fields by shape: the text of one without what differs. Most values of a field have one of a few. A value of a known shape
// has its leaves in columns, and the number of the shape instead of the text.

import { nameOf, scanObject } from '#kernel/json/json-members.ts';

/** `JSON` is a value that no other column of its path holds: a list, an empty object, a number in an unusual form. */
export const LEAF_TYPES = ['VARCHAR', 'DOUBLE', 'BOOLEAN', 'JSON'] as const;
export type LeafType = (typeof LEAF_TYPES)[number];

/** Texts as they are, and between them the paths of values; a path begins with the field. */
export type ShapePieces = readonly (string | readonly string[])[];

/** The shapes of a field. One is numbered by its place in the list, from 1. */
export interface FieldShapes {
  readonly field: string;
  /** Of the column with the numbers of shapes. */
  readonly number: number;
  readonly shapes: readonly ShapePieces[];
}

export interface FoundShape {
  readonly field: string;
  readonly pieces: ShapePieces;
  readonly leaves: readonly { readonly path: readonly string[]; readonly type: LeafType }[];
}

/** More are not worth it: every read of the whole value puts all of them together. */
const MAX_LEAVES_OF_SHAPE = 64;
const MAX_KEYS_OF_PATH = 6;

/** A key that is the same in a path, in a name and in the text of an object. */
const PLAIN_KEY = /^[^"\\/~\p{C}]{1,200}$/u;

const EMPTY_OBJECT = /^\{\s*\}$/;

export const pathKey = (path: readonly string[]): string => JSON.stringify(path);

/**
 * Undefined for null, and for an object that is too deep or too large, has a key twice or one with unusual characters, or has
 * an object of nulls in it: that is no null, and a reader that looks for a value in columns would not find it.
 */
export function shapeOf(field: string, text: string): FoundShape | undefined {
  const pieces: (string | string[])[] = [];
  const leaves = new Map<string, FoundShape['leaves'][number]>();
  const say = (piece: string) => {
    if (typeof pieces.at(-1) === 'string') pieces.push(`${pieces.pop()}${piece}`);
    else pieces.push(piece);
  };
  const isObjectTaken = (source: string, path: string[]): boolean => {
    const { members } = scanObject(source);
    if (new Set(members.map(([key]) => key)).size < members.length) return false;
    const before = leaves.size;
    const areTaken = members.every(([key, value], index) => {
      const inner = [...path, nameOf(key)];
      if (!PLAIN_KEY.test(nameOf(key)) || inner.length > MAX_KEYS_OF_PATH) return false;
      say(`${index === 0 ? '{' : ','}${key}:`);
      return isTaken(value, inner);
    });
    say('}');
    return areTaken && leaves.size > before;
  };
  const isTaken = (value: string, path: string[]): boolean => {
    if (value.startsWith('{') && !EMPTY_OBJECT.test(value)) return isObjectTaken(value, path);
    if (value === 'null') say(value);
    else {
      pieces.push(path);
      leaves.set(pathKey(path), { path, type: leafType(value) });
    }
    return leaves.size <= MAX_LEAVES_OF_SHAPE;
  };
  const isWhole = PLAIN_KEY.test(field) && isTaken(text, [field]) && leaves.size > 0;
  return isWhole ? { field, pieces, leaves: [...leaves.values()] } : undefined;
}

function leafType(source: string): LeafType {
  if (source.startsWith('"')) return 'VARCHAR';
  if (source === 'true' || source === 'false') return 'BOOLEAN';
  return isPlainNumber(source) ? 'DOUBLE' : 'JSON';
}

const PLAIN_NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d*[1-9])?$/;
/** Of a text, with sign and point: all doubles of so few characters are written as they came. */
const FEW_CHARACTERS = 15;

/** Whether it is written as it came when it has been a double. */
export function isPlainNumber(source: string): boolean {
  if (!PLAIN_NUMBER.test(source) || source === '-0' || /^-?0\.0000/.test(source)) return false;
  return source.length <= FEW_CHARACTERS || String(Number(source)) === source;
}

/** What a thread that makes files of a table has to know of its leaves. */
export interface FileLeaves {
  readonly fields: readonly FieldShapes[];
  readonly columns: readonly { readonly path: readonly string[]; readonly type: LeafType; readonly number: number }[];
  /** Whether further shapes are sought. */
  readonly isLearning: boolean;
  /** Fields of which none are sought. */
  readonly settled: readonly string[];
}

/** What was sought in the records of a file. */
export interface SoughtShapes {
  /** Names of the fields whose values were looked at. */
  readonly fields: readonly string[];
  /** Usual ones that the table is to learn. */
  readonly shapes: readonly FoundShape[];
}
