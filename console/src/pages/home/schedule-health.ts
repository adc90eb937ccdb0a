// What is wrong with the schedules: those that cannot run, whose last run failed, or whose slots did not run.

import { type Schedule, stateOf } from '#console/pages/schedules/schedules-search.ts';

/** Why a schedule does not run as planned, the worst first. */
export const TROUBLES = ['broken', 'failed', 'left-out', 'never-due'] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface TroubledSchedule {
  readonly schedule: Schedule;
  readonly trouble: Trouble;
  /** Slots that did not run. */
  readonly leftOut: number;
}

export interface ScheduleHealth {
  readonly troubled: readonly TroubledSchedule[];
  /** Number of enabled schedules without any of these. */
  readonly planned: number;
  /** Number of disabled schedules; those that could not run are among `troubled`. */
  readonly disabled: number;
}

/** `leftOut`: number of slots that did not run, by the GUID of the schedule. */
export function healthOf(schedules: readonly Schedule[], leftOut: ReadonlyMap<string, number>): ScheduleHealth {
  const found = schedules.map((schedule) => {
    const slots = leftOut.get(schedule.guid) ?? 0;
    return { schedule, trouble: troubleOf(schedule, slots), leftOut: slots };
  });
  const troubled = found.filter((one): one is TroubledSchedule => one.trouble !== undefined);
  const others = found.filter(({ trouble }) => trouble === undefined);
  return {
    troubled: troubled.toSorted((one, other) => TROUBLES.indexOf(one.trouble) - TROUBLES.indexOf(other.trouble)),
    planned: others.filter(({ schedule }) => schedule.enabled).length,
    disabled: others.filter(({ schedule }) => !schedule.enabled).length,
  };
}

function troubleOf(schedule: Schedule, leftOut: number): Trouble | undefined {
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
