// Which records of a table a statement may see, as a condition with its parameters.

import type { ParamValue } from '#engines/clickhouse/server/params.ts';
import type { HiddenRows } from './catalog.ts';

export interface Condition {
  readonly text: string;
  readonly params: Readonly<Record<string, ParamValue>>;
}

/** Of records that are hidden. */
export function hiddenCondition({ lastUpload, uploads, removals }: HiddenRows): Condition {
  const conditions = [
    '_upload > {lastUpload:UInt64}',
    ...(uploads.length === 0 ? [] : ['has({uploads:Array(UInt64)}, _upload)']),
    ...(removals.length === 0
      ? []
      : ['arrayExists((d, a) -> _day = d and _arrived <= a, {days:Array(UInt32)}, {removed:Array(Int64)})']),
  ];
  const params = {
    lastUpload,
    ...(uploads.length === 0 ? {} : { uploads }),
    ...(removals.length === 0
      ? {}
      : { days: removals.map(({ day }) => day), removed: removals.map(({ arrived }) => arrived) }),
  };
  return { text: `(${conditions.join(' or ')})`, params };
}

/** Of records that had arrived by then and are not hidden. */
export function visibleCondition(hidden: HiddenRows, until: number): Condition {
  const { text, params } = hiddenCondition(hidden);
  const arrived = '_arrived <= {until:Int64}';
  return { text: `${arrived} and not ${text}`, params: { ...params, until } };
}
