// Gaps of a continuous job: windows of its slots that no attempt has analysed and none is going to.

import type { JobKind } from '#scheduler/job-kind.ts';
import type { Db } from '#store/kysely.ts';
import type { SlotRow } from '#store/schema/schedule-schema.ts';
import { NOT_QUEUED, type TimeWindow, windowOf } from './slot.ts';

/** Slots that are looked at, the newest ones. */
const MAX_SLOTS = 50_000;

export interface Gap extends TimeWindow {
  readonly reason: string;
}

/** Newest first; of the slots since `since`. */
export async function gapsOf(db: Db, kind: JobKind, guid: string, since: number): Promise<Gap[]> {
  const windows = (await kind.request(db, guid))?.windows;
  const rows = await db
    .selectFrom('schedule_slots')
    .select(['clock_time', 'outcome', 'reason', 'state', 'error', 'is_queued', 'window_from', 'window_to'])
    .where('kind', '=', kind.name)
    .where('guid', '=', guid)
    .where('slot_time', '>=', since)
    .where('origin', '=', 'schedule')
    .orderBy('slot_time', 'desc')
    .limit(MAX_SLOTS)
    .execute();
  const slots = rows.map((row) => ({
    // Without a window the text of the job decides what it reads: its slot stands for it.
    window: windowOf(row) ?? windows?.at(row.clock_time) ?? { from: row.clock_time, to: row.clock_time },
    lack: lackOf(row),
  }));
  const analysed = union(slots.filter(({ lack }) => lack === undefined).map(({ window }) => window));
  const lacking = slots.flatMap(({ window, lack }) =>
    lack === undefined || lack === null ? [] : without(window, analysed).map((part) => ({ ...part, reason: lack })),
  );
  return joined(lacking).toReversed();
}

type Slot = Pick<SlotRow, 'outcome' | 'reason' | 'state' | 'error' | 'is_queued'>;

/** Why the window of a slot is not analysed; undefined if it is or will be, null if it need not be. */
function lackOf({ outcome, reason, state, error, is_queued }: Slot): string | null | undefined {
  if (is_queued !== NOT_QUEUED || state === 'running' || state === 'succeeded') return undefined;
  if (state !== null) return error ?? state;
  // The attempt that has covered it has its window.
  if (reason === 'disabled' || reason === 'covered') return null;
  return reason ?? outcome;
}

/** Disjoint windows in the order of time. */
function union(windows: readonly TimeWindow[]): TimeWindow[] {
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of windows.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}

/** The parts of a window outside of the disjoint `others`. */
function without(window: TimeWindow, others: readonly TimeWindow[]): TimeWindow[] {
  if (window.from === window.to)
    return others.some(({ from, to }) => from === to && from === window.from) ? [] : [window];
  const parts: TimeWindow[] = [];
  let { from } = window;
  for (const other of others) {
    if (other.to <= from || other.from >= window.to) continue;
    if (other.from > from) parts.push({ from, to: other.from });
    from = Math.max(from, other.to);
  }
  return from < window.to ? [...parts, { from, to: window.to }] : parts;
}

/** Gaps that touch and have the same reason are one. */
function joined(gaps: readonly Gap[]): Gap[] {
  const found: { from: number; to: number; reason: string }[] = [];
  for (const gap of gaps.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last && gap.from <= last.to && gap.reason === last.reason) last.to = Math.max(last.to, gap.to);
    else found.push({ ...gap });
  }
  return found;
}
