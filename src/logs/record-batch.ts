// The records of a batch one by one.

import { BoundedMap } from '#runtime/bounded-map.ts';
import { isReserved, type LineBatch, type LogRecord, type Shape } from './log-store.ts';

/** The text of a record: its line without the fields of the service. */
export function recordText(batch: Omit<LineBatch, 'records'>, at: number): string {
  const { bytes, fields, firstMembers, memberFields, memberBegins, memberEnds } = batch;
  const end = firstMembers[at + 1] ?? 0;
  const isOwn = (member: number) => member < end && !isReserved(fields[memberFields[member] ?? 0]?.name ?? '');
  const pieces: string[] = [];
  for (let member = firstMembers[at] ?? 0; member < end; member += 1) {
    if (!isOwn(member)) continue;
    const from = member;
    while (isOwn(member + 1)) member += 1;
    pieces.push(bytes.toString('utf8', memberBegins[from], memberEnds[member]));
  }
  return `{${pieces.join(',')}}`;
}

const MAX_SHAPES = 1024;

/** Records of batches that share their list of fields. */
export class BatchRecords {
  readonly #shapes = new BoundedMap<string, Shape>({ max: MAX_SHAPES, evicts: 'all' });

  /** Those from one index to before another. */
  of(batch: Omit<LineBatch, 'records'>, from = 0, to = batch.count): LogRecord[] {
    const records: LogRecord[] = [];
    for (let at = from; at < to; at += 1) {
      records.push({ time: batch.times[at] ?? 0, text: recordText(batch, at), shape: this.#shape(batch, at) });
    }
    return records;
  }

  /** Records that look alike share one. */
  #shape({ firstMembers, memberFields, fields }: Omit<LineBatch, 'records'>, at: number): Shape {
    const indexes = memberFields.subarray(firstMembers[at], firstMembers[at + 1]);
    const key = String.fromCharCode(...indexes);
    const known = this.#shapes.get(key);
    if (known) return known;
    const own = [...indexes].flatMap((index) => fields[index] ?? []).filter(({ name }) => !isReserved(name));
    const shape = { names: own.map(({ name }) => name), types: own.map(({ type }) => type) };
    this.#shapes.set(key, shape);
    return shape;
  }
}
