// A record as one line of the journal: our own fields first, then the fields that fit their columns, then `_rest` with
// the others. The text of a record that fits is taken over as it was sent.

import { nameOf, scanSliced } from '#kernel/json/json-members.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { LogRecord } from '#logs/log-store.ts';
import type { ColumnRegistry } from '#logs/stores/shared/columns.ts';

/** Undefined where some of its fields do not fit their columns. */
export function columnarLine(
  { text, time, shape }: LogRecord,
  id: number,
  registry: ColumnRegistry,
): string | undefined {
  if (!registry.verdict(shape).fitsWhole) return undefined;
  const own = ownFields(id, time);
  return shape.names.length === 0 ? `${own}}\n` : `${own},${text.slice(1)}\n`;
}

const ownFields = (id: number, time: number): string => `{"_id":${id},"_time":${time}`;

const SLICE_MEMBERS = 4096;

/** The line of any record, in slices: there may be a hundred thousand fields that do not fit. */
export function* dividedLine(
  { text, time, shape }: LogRecord,
  id: number,
  registry: ColumnRegistry,
): SlicedWork<string> {
  const fitting = new Set(registry.verdict(shape).fitting);
  yield;
  const kept: string[] = [];
  const rest: string[] = [];
  for (const [key, source] of (yield* scanSliced(text)).members) {
    (fitting.has(nameOf(key)) ? kept : rest).push(`${key}:${source}`);
    if (rest.length % SLICE_MEMBERS === SLICE_MEMBERS - 1) yield;
  }
  yield;
  return `${[ownFields(id, time), ...kept, `"_rest":{${rest.join(',')}}`].join(',')}}\n`;
}

/** The row layout keeps the record whole. */
export const rowLine = ({ text, time }: LogRecord, id: number): string =>
  `{"_id":${id},"_time":${time},"_doc":${text}}\n`;
