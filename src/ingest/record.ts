// One record out of its JSON text, or the reason why it is none.

import { fromStamp } from '#contract/times.ts';
import type { Fields, LogRecord } from '#engines/engine.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { scanObject } from '#kernel/json-members.ts';
import { isSoundJson } from '#kernel/sound-text.ts';

export const REASONS = ['malformed-json', 'not-an-object', 'line-too-long', 'invalid-time', 'parse-failed'] as const;
export type Reason = (typeof REASONS)[number];

const MOST_DEPTH = 100;
/** Years of four digits in every time zone: 0001-01-02 to 9999-12-30. */
const EARLIEST_MS = -62_135_510_400_000;
const LATEST_MS = 253_402_214_399_999;

/** `arrival` is the record's moment, in epoch milliseconds, unless it brings its own. */
export function recordOf(text: string, arrival: number): LogRecord | Reason {
  const value = parsed(text);
  if (value === undefined || !isSoundJson(value, text)) return 'malformed-json';
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'not-an-object';
  const fields = value as Fields; // Array.isArray does not narrow a readonly array away.
  const { deepest, members } = scanObject(text);
  if (deepest > MOST_DEPTH) return 'malformed-json';
  const time = timeOf(fields._time, arrival);
  if (time === undefined) return 'invalid-time';
  const isRepeating = members.length > Object.keys(fields).length;
  return { time, fields, text: onOneLine(isRepeating ? withoutRepeats(members) : text) };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function timeOf(given: Json | undefined, arrival: number): number | undefined {
  if (given === undefined || given === null) return arrival;
  const time = typeof given === 'string' ? fromStamp(given)?.epochMilliseconds : given;
  if (typeof time !== 'number' || !(time >= EARLIEST_MS && time <= LATEST_MS)) return undefined;
  return Math.floor(time);
}

/** Of a name given twice the last value counts, in the host as in the text: readers of JSON differ about it. */
function withoutRepeats(members: readonly (readonly [key: string, source: string])[]): string {
  const last = new Map(members.map(([key, source]) => [JSON.parse(key), `${key}:${source}`]));
  return `{${[...last.values()].join(',')}}`;
}

/** Line ends in well-formed JSON stand between its tokens only. */
const onOneLine = (text: string): string => (/[\r\n]/.test(text) ? text.replace(/[\r\n]/g, ' ') : text);
