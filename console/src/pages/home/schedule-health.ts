// What is wrong with the schedules: those that cannot run, whose last run failed, or whose slots did not run.

import { type Schedule, stateOf } from '#console/pages/schedules/schedules-search.ts';

/** Why a schedule does not run as planned, the worst first. */
export const ISSUES = ['broken', 'failed', 'left-out', 'never-due'] as const;
export type Issue = (typeof ISSUES)[number];

export interface AffectedSchedule {
  readonly schedule: Schedule;
  readonly issue: Issue;
  /** Slots that did not run. */
  readonly leftOut: number;
}

export interface ScheduleHealth {
  readonly affected: readonly AffectedSchedule[];
  /** Number of enabled schedules without any of these. */
  readonly planned: number;
  /** Number of disabled schedules; those that could not run are among `affected`. */
  readonly disabled: number;
}

/** `leftOut`: number of slots that did not run, by the GUID of the schedule. */
export function healthOf(schedules: readonly Schedule[], leftOut: ReadonlyMap<string, number>): ScheduleHealth {
  const found = schedules.map((schedule) => {
    const slots = leftOut.get(schedule.guid) ?? 0;
    return { schedule, issue: issueOf(schedule, slots), leftOut: slots };
  });
  const affected = found.filter((one): one is AffectedSchedule => one.issue !== undefined);
  const others = found.filter(({ issue }) => issue === undefined);
  return {
    affected: affected.toSorted((one, other) => ISSUES.indexOf(one.issue) - ISSUES.indexOf(other.issue)),
    planned: others.filter(({ schedule }) => schedule.enabled).length,
    disabled: others.filter(({ schedule }) => !schedule.enabled).length,
  };
}

function issueOf(schedule: Schedule, leftOut: number): Issue | undefined {
  // A run in progress has the text of its beginning: it says nothing about the next one.
  const state = stateOf({ ...schedule, running_state: 'idle' });
  if (state === 'broken' || state === 'failed') return state;
  if (state === 'disabled') return undefined;
  if (leftOut > 0) return 'left-out';
  return schedule.trigger_type === 'cron' && schedule.next_run_time === null ? 'never-due' : undefined;
}

interface LeftOutSlot {
  readonly reason: string | null;
}

/** Number of missed and skipped slots of a list. Slots of a disabled schedule were not to run. */
export const leftOutOf = (total: number, slots: readonly LeftOutSlot[]): number =>
  total - slots.filter(({ reason }) => reason === 'disabled').length;
