// One record out of its JSON text, or the reason why it is none.

import { fromTimeText } from '#contract/times.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { MalformedJson } from '#kernel/json/json-form.ts';
import { nameOf, scanObject, scanSliced } from '#kernel/json/json-members.ts';
import { parseJson } from '#kernel/json/parse-json.ts';
import { type MemberSink, parseSliced } from '#kernel/json/sliced-json.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { repairJson } from '#kernel/text/storable-text.ts';
import { isStorable } from '#kernel/time/storable-time.ts';
import { type Fields, type FieldType, type LogRecord, REPAIRED, RESERVED } from '#logs/log-store.ts';
import { shapeOf, typeOf } from '#logs/shape.ts';
import { cutKeys, markRepaired } from './repair.ts';

export const REASONS = ['malformed-json', 'not-an-object', 'line-too-long', 'invalid-time', 'parse-failed'] as const;
export type Reason = (typeof REASONS)[number];

const MAX_DEPTH = 100;

/** What holds for all records of a batch. */
export interface Arrival {
  /** The moment of a record that brings none, in epoch milliseconds. */
  readonly at: number;
  /** In which times without an offset are read. */
  readonly zone: string;
}

export function recordOf(text: string, arrival: Arrival): LogRecord | Reason {
  const source = cutKeys(repairJson(text));
  const value = parsed(source);
  if (value === undefined) return 'malformed-json';
  const { depth: deepest, members } = scanObject(source);
  if (deepest > MAX_DEPTH) return 'malformed-json';
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'not-an-object';
  const given = value as Fields; // Array.isArray does not narrow a readonly array away.
  const time = timeOf(given._time, arrival);
  if (time === undefined) return 'invalid-time';
  const names = Object.keys(given);
  const isClean = members.length === names.length && !names.some(isDropped);
  const fields = isClean ? given : Object.fromEntries(Object.entries(given).filter(([name]) => !isDropped(name)));
  const record = { time, shape: shapeOf(fields), text: onOneLine(isClean ? source : cleaned(members)) };
  return source === text ? record : markRepaired(record);
}

/** A text of so many characters is read in slices: as many fields take longer than others should wait. */
export const LONG_TEXT = 32 * 1024;

/** The same of a long text. */
export function* recordSliced(text: string, arrival: Arrival): SlicedWork<LogRecord | Reason> {
  const source = cutKeys(repairJson(text));
  yield;
  const types = new Map<string, FieldType>();
  let count = 0;
  let givenTime: Json | undefined;
  const whole = yield* parsedSliced(source, (name, value) => {
    count += 1;
    types.set(name, typeOf(value));
    if (name === '_time') givenTime = value;
  });
  if (whole === undefined) return 'malformed-json';
  if (whole === null || typeof whole !== 'object' || Array.isArray(whole)) return 'not-an-object';
  const time = timeOf(givenTime, arrival);
  if (time === undefined) return 'invalid-time';
  const isClean = types.size === count && !DROPPED.some((name) => types.has(name));
  for (const name of DROPPED) types.delete(name);
  yield;
  const kept = onOneLine(isClean ? source : cleaned((yield* scanSliced(source)).members));
  yield;
  const record = { time, shape: { names: [...types.keys()], types: [...types.values()] }, text: kept };
  return source === text ? record : markRepaired(record);
}

/** Names of the service's own: what a sender says under them is not part of the record. */
const DROPPED: readonly string[] = [...RESERVED, REPAIRED];
const isDropped = (name: string): boolean => DROPPED.includes(name);

function* parsedSliced(text: string, sink: MemberSink): SlicedWork<Json | undefined> {
  try {
    return yield* parseSliced(text, { depth: MAX_DEPTH, values: Number.POSITIVE_INFINITY }, sink);
  } catch (error) {
    if (error instanceof MalformedJson) return undefined;
    throw error;
  }
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function timeOf(given: Json | undefined, { at, zone }: Arrival): number | undefined {
  if (given === undefined || given === null) return at;
  const time = typeof given === 'string' ? fromTimeText(given, zone) : given;
  return typeof time === 'number' && isStorable(time) ? Math.floor(time) : undefined;
}

/** Of a name given twice the last value counts, in the host as in the text: readers of JSON differ about it. */
function cleaned(members: readonly (readonly [key: string, source: string])[]): string {
  const last = new Map(members.map(([key, source]) => [nameOf(key), `${key}:${source}`]));
  return `{${[...last].flatMap(([name, member]) => (isDropped(name) ? [] : [member])).join(',')}}`;
}

/** Line ends in well-formed JSON stand between its tokens only. */
const onOneLine = (text: string): string => (/[\r\n]/.test(text) ? text.replace(/[\r\n]/g, ' ') : text);
