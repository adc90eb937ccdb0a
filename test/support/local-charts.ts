// timechart and pivot in plain TypeScript; the columns are those that the plan has.

import type { DurationUnit } from '#query/model/durations.ts';
import type { ColumnId } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import type { Pivot } from '#query/plan-nodes/pivot.ts';
import type { Timechart } from '#query/plan-nodes/timechart.ts';
import { textOf } from '#query/values/conversions.ts';
import { bucketStart } from '#query/values/dates/dates.ts';
import type { LocalRows, Pair, Row } from './local-rows.ts';

export function chart(local: LocalRows, node: Timechart | Pivot, rows: readonly Row[]): Row[] {
  const { zone } = local.run;
  const bucket = (row: Row): Value => {
    const at = node.kind === 'timechart' ? local.value(node.time)(row) : null;
    return at instanceof Temporal.Instant && node.kind === 'timechart'
      ? bucketStart(at, node.span, node.offset, zone)
      : null;
  };
  const kept = node.kind === 'pivot' ? rows : rows.filter((row) => bucket(row) !== null);
  const cols = node.kind === 'pivot' ? node.cols : node.by ? [node.by] : [];
  const text = (row: Row) =>
    cols
      .map((col) => textOf(local.value(col)(row), zone))
      .map((one) => (one === null ? 'null' : one === '' ? 'empty' : one))
      .join('_');
  const keys = new Set(node.columns.flatMap(({ cell }) => cell?.key ?? []));
  const shown =
    cols.length === 0 || node.kind === 'pivot' || node.limit === undefined || node.useOther
      ? kept
      : kept.filter((row) => keys.has(text(row)));
  const groups = local.groups(shown, node.kind === 'pivot' ? local.keysOf(node.rowFields) : (row) => [bucket(row)]);
  const shownGroups = node.kind === 'timechart' && node.continuous ? withAllBuckets(local, node, groups) : groups;
  return shownGroups.map(
    (group) =>
      new Map<ColumnId, Value>([
        ...(node.kind === 'pivot'
          ? node.rowFields.map(({ column }, index): Pair => [column.id, group.values[index] ?? null])
          : [[node.bucket.id, group.values[0] ?? null] as Pair]),
        ...node.columns.map((column, index): Pair => {
          const { cell } = column;
          const own = !cell
            ? group.rows
            : group.rows.filter((row) => (cell.key === undefined ? !keys.has(text(row)) : text(row) === cell.key));
          const call = node.aggregates[cell?.aggregate ?? index]?.call;
          return [column.id, own.length === 0 || !call ? (node.fill ?? null) : local.aggregate(call, own)];
        }),
      ]),
  );
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const LENGTHS: Readonly<Record<DurationUnit, number>> = {
  s: 1000,
  m: MINUTE,
  h: 60 * MINUTE,
  d: DAY,
  w: 7 * DAY,
  mon: 28 * DAY,
  y: 365 * DAY,
};

function withAllBuckets(
  local: LocalRows,
  node: Timechart,
  groups: readonly { values: readonly Value[]; rows: Row[] }[],
) {
  const starts = groups.map(({ values: [at] }) => at as Temporal.Instant); // Buckets are dates.
  const first = starts[0];
  const last = starts.at(-1);
  if (!first || !last) return groups;
  // A bucket may be half as long as it is called where clocks are changed.
  const step = (node.span.count * LENGTHS[node.span.unit]) / 4;
  const all = new Map(groups.map((group, index) => [starts[index]?.epochMilliseconds, group]));
  for (let at = first.epochMilliseconds; at <= last.epochMilliseconds; at += step) {
    const start = bucketStart(Temporal.Instant.fromEpochMilliseconds(at), node.span, node.offset, local.run.zone);
    if (start && !all.has(start.epochMilliseconds)) all.set(start.epochMilliseconds, { values: [start], rows: [] });
  }
  return [...all].sort(([one], [other]) => (one ?? 0) - (other ?? 0)).map(([, group]) => group);
}
