// Objects by shape: the text of one without its values. Most records of a table have one of a few. A record of a known shape has its
// values in columns, and the number of the shape instead of the text.

import { nameOf, scanObject } from '#kernel/json/json-members.ts';

/** `JSON` is a value that no other column of its path holds: a list, an empty object, a number in an unusual form. */
export const LEAF_TYPES = ['VARCHAR', 'DOUBLE', 'BOOLEAN', 'JSON'] as const;
export type LeafType = (typeof LEAF_TYPES)[number];

/** Texts as they are, and between them the paths of values. */
type ShapePieces = readonly (string | readonly string[])[];

export interface LeafShape {
  readonly number: number;
  readonly pieces: ShapePieces;
}

export interface FoundShape {
  readonly pieces: ShapePieces;
  readonly leaves: readonly { readonly path: readonly string[]; readonly type: LeafType }[];
}

/** The column with the numbers of shapes: beyond those of all other columns but leaves. */
export const SHAPE_NUMBER = 99_999;
/** More are not worth it: every read of the whole object puts all of them together. */
const MAX_LEAVES_OF_SHAPE = 64;
const MAX_KEYS_OF_PATH = 6;

/** A key that is the same in a path, in a name and in the text of an object. */
const PLAIN_KEY = /^[^"\\/~\p{C}]{1,200}$/u;

const EMPTY_OBJECT = /^\{\s*\}$/;

export const pathKey = (path: readonly string[]): string => JSON.stringify(path);

/**
 * Undefined where an object is too deep or too large, has a key twice or one with unusual characters, or an object of nulls: that is no
 * null, and a reader that looks for a value in columns would not find it.
 */
export function shapeOf(text: string): FoundShape | undefined {
  const pieces: (string | string[])[] = [];
  const leaves = new Map<string, FoundShape['leaves'][number]>();
  const say = (piece: string) => {
    if (typeof pieces.at(-1) === 'string') pieces.push(`${pieces.pop()}${piece}`);
    else pieces.push(piece);
  };
  const isTaken = (source: string, path: string[]): boolean => {
    const { members } = scanObject(source);
    if (new Set(members.map(([key]) => key)).size < members.length) return false;
    const areTaken = members.every(([key, value], index) => {
      const name = nameOf(key);
      const inner = [...path, name];
      if (!PLAIN_KEY.test(name) || inner.length > MAX_KEYS_OF_PATH) return false;
      say(`${index === 0 ? '{' : ','}${key}:`);
      if (value === 'null') say(value);
      else if (value.startsWith('{') && !EMPTY_OBJECT.test(value)) {
        const before = leaves.size;
        return isTaken(value, inner) && leaves.size > before;
      } else {
        pieces.push(inner);
        leaves.set(pathKey(inner), { path: inner, type: leafType(value) });
      }
      return leaves.size <= MAX_LEAVES_OF_SHAPE;
    });
    say('}');
    return areTaken;
  };
  if (!text.startsWith('{') || EMPTY_OBJECT.test(text) || !isTaken(text, [])) return undefined;
  return leaves.size === 0 ? undefined : { pieces, leaves: [...leaves.values()] };
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
  readonly shapes: readonly LeafShape[];
  readonly columns: readonly { readonly path: readonly string[]; readonly type: LeafType; readonly number: number }[];
  /** Whether further shapes are sought. */
  readonly isLearning: boolean;
}

/** No text of a shape has it. */
const MARK = '\u0000';

/** The members of the object of a shape, each with its key. */
export const membersOf = (
  shape: Pick<LeafShape, 'pieces'>,
): { readonly name: string; readonly pieces: ShapePieces }[] =>
  markedMembers(shape).map(({ name, text }) => ({ name, pieces: unmarked(text, shape) }));

/** The object of some fields of a shape; undefined where it has none of them. */
export function partOfShape(
  shape: Pick<LeafShape, 'pieces'>,
  fields: ReadonlySet<string>,
): Pick<LeafShape, 'pieces'> | undefined {
  const members = markedMembers(shape).filter(({ name }) => fields.has(name));
  const text = `{${members.map((member) => member.text).join(',')}}`;
  return members.length === 0 ? undefined : { pieces: unmarked(text, shape) };
}

function markedMembers({ pieces }: Pick<LeafShape, 'pieces'>) {
  const marked = pieces.map((piece, index) => (typeof piece === 'string' ? piece : `${MARK}${index}${MARK}`));
  return scanObject(marked.join('')).members.map(([key, value]) => ({ name: nameOf(key), text: `${key}:${value}` }));
}

const unmarked = (text: string, { pieces }: Pick<LeafShape, 'pieces'>): ShapePieces =>
  text
    .split(MARK)
    .map((part, at) => (at % 2 === 0 ? part : (pieces[Number(part)] ?? '')))
    .filter((piece) => piece !== '');
