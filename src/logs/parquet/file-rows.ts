// Ids and times of the records in a file, which stand one behind the other.

import type { BatchFileFacts, LineBatch } from '#logs/log-store.ts';

/** Fills in the ids of the records. */
export function numberRecords(bytes: Buffer, { idsAt, rows }: BatchFileFacts, firstId: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let row = 0; row < rows; row += 1) writeInt64(view, idsAt + 8 * row, firstId + row);
}

/** The times of the records, in epoch milliseconds. */
export function* timesIn(bytes: Buffer, { timesAt, rows }: BatchFileFacts): Generator<number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = timesAt; at < timesAt + 8 * rows; at += 8) {
    yield view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
  }
}

/** `value` is a safe integer. */
export function writeInt64(view: DataView, at: number, value: number): void {
  view.setInt32(at, value, true);
  view.setInt32(at + 4, Math.floor(value / 2 ** 32), true);
}

export function timeBounds({
  times,
  count,
}: Pick<LineBatch, 'times' | 'count'>): Pick<BatchFileFacts, 'minTime' | 'maxTime' | 'isSorted'> {
  let minTime = Number.POSITIVE_INFINITY;
  let maxTime = Number.NEGATIVE_INFINITY;
  let isSorted = true;
  for (let row = 0; row < count; row += 1) {
    const time = times[row] ?? 0;
    if (time < minTime) minTime = time;
    if (time >= maxTime) maxTime = time;
    else isSorted = false;
  }
  return { minTime, maxTime, isSorted };
}
