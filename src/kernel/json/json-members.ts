// The members of a JSON object as text. JSON.parse gives values only; the digits of a number and repeated names need
// the text.

import { runToEnd, type SlicedWork } from '#kernel/sliced-work.ts';

interface ScannedObject {
  /** Nesting depth of brackets. */
  readonly depth: number;
  /** Key and value of each member of the outermost object, both as JSON text. */
  readonly members: readonly (readonly [key: string, source: string])[];
}

/**
 * One pass over JSON text, which need not be well-formed: its depth, and the text of the outermost object's members.
 * Hand-written because a regular expression overflows its stack on strings of many megabytes.
 */
export const scanObject = (text: string): ScannedObject => runToEnd(scanSliced(text));

/** Characters, and members, between two slices. */
const SLICE_CHARACTERS = 64 * 1024;
const SLICE_MEMBERS = 2048;

/** The same in slices: a record may have a hundred thousand members. */
export function* scanSliced(text: string): SlicedWork<ScannedObject> {
  const members: [string, string][] = [];
  let depth = 0;
  let deepest = 0;
  let from = 0;
  let key: string | undefined;
  let sliceEnd = SLICE_CHARACTERS;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    if (depth === 1 && (code === COMMA || code === CLOSING_BRACE)) {
      if (key !== undefined) members.push([key, text.slice(from, index).trim()]);
      key = undefined;
      if (index > sliceEnd || members.length % SLICE_MEMBERS === SLICE_MEMBERS - 1) {
        sliceEnd = index + SLICE_CHARACTERS;
        yield;
      }
      from = index + 1;
    } else if (depth === 1 && code === COLON) {
      key = text.slice(from, index).trim();
      from = index + 1;
    }
    if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      if (depth === 0) from = index + 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1;
  }
  return { depth: deepest, members };
}

/** The name that a key of JSON text encodes. */
export const nameOf = (key: string): string => (key.includes('\\') ? JSON.parse(key) : key.slice(1, -1));

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** Index of the closing quote of the string that begins at `start`. */
export function endOfString(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
  } while (isEscaped(text, end));
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(index - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}
