// The records of the same table around a row.

import type { Row } from '#console/results/row.ts';
import { parseStamp } from '#console/time/moments.ts';
import { absoluteRange, type TimeRange } from '#console/time/ranges.ts';

interface AroundRow {
  readonly text: string;
  readonly range: TimeRange;
  /** The number of the row, which is marked among the others. */
  readonly mark: number;
}

/** As many milliseconds before the row as after it. */
export function recordsAround({ _table, _time, _id }: Row, milliseconds: number): AroundRow {
  const at = parseStamp(String(_time)) ?? 0;
  const range = absoluteRange({ from: at - milliseconds, to: at + milliseconds });
  return { text: `table ${_table}`, range, mark: Number(_id) };
}
