// JSON text as values, with the names that stand there. JSON.parse of V8 14.6 compares a name that has an escape by its source:
// after an object with the name `a\`, the name that is written `a\"` comes out as `a\`. Only names with escapes are at risk, and
// they are rare: such a text is read by the parser of this house.

import type { Json } from './canonical-json.ts';
import { reviveNumber } from './exact-json.ts';
import { endOfString } from './json-members.ts';
import { parsePlain } from './sliced-json.ts';

/** In place of JSON.parse where names come from outside. Throws its SyntaxError; the type of the text is the caller's word. */
export function parseJson<T = Json>(text: string): T {
  const parsed: T = JSON.parse(text);
  return hasEscapedName(text) ? (parsePlain(text, 'doubles') as T) : parsed;
}

/** Numbers that a double cannot hold become raw JSON, which is written as it was read. */
export function parseExactly(text: string): unknown {
  const parsed = JSON.parse(text, reviveNumber);
  return hasEscapedName(text) ? parsePlain(text, 'exact') : parsed;
}

/** Of well-formed text, in which a backslash stands inside of a string alone. */
export function hasEscapedName(text: string): boolean {
  let at = text.indexOf('\\');
  while (at !== -1) {
    const end = endOfString(text, at);
    if (isColonBehind(text, end + 1)) return true;
    at = text.indexOf('\\', end + 1);
  }
  return false;
}

/** Whether a colon is the next token from `from` on. */
export function isColonBehind(text: string, from: number): boolean {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

const COLON = 0x3a;
const isBlank = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
