// A record as one line of the journal: our own fields first, then those that are in their first columns, then an object of
// those in further columns by the names of these, then `_rest` with the others. The text of a record whose fields are all in
// their first columns is taken over as it was sent.

import { nameOf, scanSliced } from '#kernel/json/json-members.ts';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { LogRecord } from '#logs/log-store.ts';
import type { ColumnRegistry } from '#logs/stores/shared/columns.ts';

/** The member of a line that has values of further columns: no field of a record has a column of that name. */
export const FURTHER = '_doc';

/** Undefined where some of its fields are not in their first columns. */
export function columnarLine(
  { text, time, shape }: LogRecord,
  id: number,
  registry: ColumnRegistry,
): string | undefined {
  if (!registry.placement(shape).isPlain) return undefined;
  const own = ownFields(id, time);
  return shape.names.length === 0 ? `${own}}\n` : `${own},${text.slice(1)}\n`;
}

const ownFields = (id: number, time: number): string => `{"_id":${id},"_time":${time}`;

const SLICE_MEMBERS = 4096;

/** The line of any record, in slices: there may be a hundred thousand fields without a column. */
export function* dividedLine(
  { text, time, shape }: LogRecord,
  id: number,
  registry: ColumnRegistry,
): SlicedWork<string> {
  const { columns } = registry.placement(shape);
  yield;
  const kept: string[] = [];
  const further: string[] = [];
  const rest: string[] = [];
  for (const [key, source] of (yield* scanSliced(text)).members) {
    const name = nameOf(key);
    const column = columns.get(name);
    if (column === undefined) rest.push(`${key}:${source}`);
    else if (column === name) kept.push(`${key}:${source}`);
    else further.push(`${JSON.stringify(column)}:${source}`);
    if (rest.length % SLICE_MEMBERS === SLICE_MEMBERS - 1) yield;
  }
  yield;
  const objects = [...objectOf(FURTHER, further), ...objectOf('_rest', rest)];
  return `${[ownFields(id, time), ...kept, ...objects].join(',')}}\n`;
}

const objectOf = (name: string, members: readonly string[]): string[] =>
  members.length > 0 ? [`"${name}":{${members.join(',')}}`] : [];

/** The row layout keeps the record whole. */
export const rowLine = ({ text, time }: LogRecord, id: number): string =>
  `{"_id":${id},"_time":${time},"_doc":${text}}\n`;
