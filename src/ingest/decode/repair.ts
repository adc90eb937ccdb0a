// Records that strangers sent and that cannot be stored as they came: characters are replaced (storable-text.ts), long names
// are cut, and the record is marked. A NUL in a text on its way to a record stands for anything that has to be replaced.

import { endOfString } from '#kernel/json/json-members.ts';
import { isColonBehind } from '#kernel/json/parse-json.ts';
import { isStorableText, repairText } from '#kernel/text/storable-text.ts';
import { type LineBatch, type LogRecord, MAX_NAME_BYTES, REPAIRED } from '#logs/log-store.ts';
import type { MapValue, Value } from '#query/model/values.ts';

/** Of one UTF-16 unit in UTF-8. */
const MAX_UNIT_BYTES = 3;

/** The name of a field, cut at a character. */
export function cutName(name: string): string {
  if (name.length * MAX_UNIT_BYTES <= MAX_NAME_BYTES) return name;
  // More characters than there may be bytes are never used.
  const bytes = Buffer.from(name.slice(0, MAX_NAME_BYTES + 1));
  return bytes.length <= MAX_NAME_BYTES ? name : bytes.toString('utf8', 0, cutNameBytes(bytes, 0, bytes.length));
}

/**
 * Cuts long names in the text of JSON, at every depth. No other text is read into an object: V8 has one hash for all names of
 * a length above 16,383, and compares each with every other one that it has met.
 */
export function cutKeys(text: string): string {
  if (text.length * MAX_UNIT_BYTES <= MAX_NAME_BYTES) return text;
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf('"'); at !== -1; ) {
    const end = endOfString(text, at) + 1;
    const cut = (end - at) * MAX_UNIT_BYTES > MAX_NAME_BYTES && isColonBehind(text, end) ? cutKey(text, at, end) : '';
    if (cut !== '') {
      pieces.push(text.slice(from, at), cut);
      from = end;
    }
    at = text.indexOf('"', end);
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(from);
}

/** Empty for a name that is short enough, or not well-formed. */
function cutKey(text: string, from: number, end: number): string {
  const name = stringIn(text.slice(from, end));
  const cut = cutName(name);
  return cut === name ? '' : JSON.stringify(cut);
}

function stringIn(source: string): string {
  try {
    return JSON.parse(source);
  } catch {
    return '';
  }
}

/** Where the name that stands from `from` to `end` ends when it is cut. */
export function cutNameBytes(bytes: Uint8Array, from: number, end: number, maxBytes = MAX_NAME_BYTES): number {
  if (end - from <= maxBytes) return end;
  let cut = from + maxBytes;
  while (cut > from && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  return cut;
}

const isStorableName = (name: string): boolean => isStorableText(name) && cutName(name) === name;

const storableName = (name: string): string => cutName(repairText(name));

/** What a parser reads out of escapes need not be what its line could hold. */
function isStorableValue(value: Value): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (Array.isArray(value)) return value.every(isStorableValue);
  if (!(value instanceof Map)) return true;
  return value.entries().every(([name, item]) => isStorableText(name) && isStorableValue(item));
}

function storableValue(value: Value): Value {
  if (typeof value === 'string') return repairText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (!(value instanceof Map)) return value;
  return new Map(value.entries().map(([name, item]) => [repairText(name), storableValue(item)]));
}

/** Marks the record as repaired; once. */
export function markRepaired<T extends LogRecord>(record: T): T {
  if (record.isRepaired) return record;
  const { text, shape } = record;
  const head = text.slice(0, text.lastIndexOf('}'));
  return {
    ...record,
    text: `${head}${shape.names.length === 0 ? '' : ','}"${REPAIRED}":true}`,
    shape: { names: [...shape.names, REPAIRED], types: [...shape.types, 'bool'] },
    isRepaired: true,
  };
}

interface OrdinaryFields {
  readonly fields: MapValue;
  readonly isRepaired: boolean;
}

/**
 * The fields that a parser has found, with names and values that may be stored. Only a repaired record has `true` as its
 * mark.
 */
export function ordinaryFields(found: MapValue): OrdinaryFields {
  const isStorable = found.entries().every(([name, value]) => isStorableName(name) && isStorableValue(value));
  if (isStorable && !found.has(REPAIRED)) return { fields: found, isRepaired: false };
  const fields = new Map<string, Value>();
  for (const [name, value] of found) if (name !== REPAIRED) fields.set(storableName(name), storableValue(value));
  return { fields, isRepaired: !isStorable || found.get(REPAIRED) === true };
}

/** How many of these records are repaired. Records of batches never are. */
export function countRepaired(parts: readonly (readonly LogRecord[] | LineBatch)[]): number {
  let count = 0;
  for (const part of parts) {
    if ('count' in part) continue;
    for (const { isRepaired } of part) if (isRepaired) count += 1;
  }
  return count;
}
