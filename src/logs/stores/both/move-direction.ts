// What differs between the two directions in which a table is moved.

import type { Alongside } from '#logs/log-store.ts';
import type { RecordSums } from '#logs/stores/clickhouse/moving-tables.ts';

/** Switches a day in one unit, together with what `alongside` writes. False where the day has changed since: nothing is written then. */
export type SwitchDay = (alongside: Alongside) => Promise<boolean>;

interface DayMove {
  readonly signal: AbortSignal;
  /** Calls `change` while no run begins to read the table. */
  switched(rows: number, change: SwitchDay): Promise<boolean>;
}

export interface MoveDirection {
  /** Whether uploads to the old place must have ended before a day is copied. */
  readonly awaitsUploads: boolean;
  /** The new place goes on where the old one is: columns, offsets of sources, and ids behind its last one and as many as `room` more. */
  adopt(alongside: Alongside, room: number): Promise<void>;
  /** Days that are still at the old place, newest first. */
  days(): Promise<readonly string[]>;
  /** Copies a day, compares the copy, and switches it. */
  copy(day: string, move: DayMove): Promise<void>;
  /** Nothing is at the old place any more. */
  end(signal: AbortSignal): Promise<void>;
}

/** A copy that differs is not used. */
export function requireSame(table: string, day: string, copy: RecordSums, original: RecordSums): void {
  const isSame = copy.rows === original.rows && copy.ids === original.ids && copy.times === original.times;
  if (!isSame) {
    throw new Error(`the copy of ${table} of ${day} has ${copy.rows} records, and not the same ${original.rows}`);
  }
}
