// The position of every schedule of a workflow: what follows stands to the right, and followers of one stand below each other.

import type { Schedule } from './schedules-search.ts';

export interface PlacedSchedule {
  readonly schedule: Schedule;
  /** From 0, left to right. */
  readonly column: number;
  /** From 0, top to bottom; that of a schedule with followers is the middle of theirs. */
  readonly row: number;
}

export interface Workflow {
  readonly placed: readonly PlacedSchedule[];
  readonly columns: number;
  readonly rows: number;
}

type Link = Pick<Schedule, 'guid' | 'preceding_guid'>;

/** The workflow that a schedule belongs to: the first of its line, and all that follow. */
export function workflowOf(guid: string, schedules: readonly Schedule[]): Workflow {
  const byGuid = new Map(schedules.map((schedule) => [schedule.guid, schedule]));
  const followers = Map.groupBy(schedules, ({ preceding_guid }) => preceding_guid);
  const placed: PlacedSchedule[] = [];
  let rows = 0;
  const layOut = (schedule: Schedule, column: number): number => {
    const own = followers.get(schedule.guid) ?? [];
    const ownRows = own.map((follower) => layOut(follower, column + 1));
    const first = ownRows[0];
    const last = ownRows.at(-1);
    const row = first === undefined || last === undefined ? rows++ : (first + last) / 2;
    placed.push({ schedule, column, row });
    return row;
  };
  const first = firstOf(guid, byGuid);
  if (first) layOut(first, 0);
  return { placed, columns: Math.max(0, ...placed.map(({ column }) => column + 1)), rows };
}

/** The service refuses cycles; an old answer beside a new one could show one. */
function firstOf<T extends Link>(guid: string, byGuid: ReadonlyMap<string, T>): T | undefined {
  const passed = new Set<string>();
  let at = byGuid.get(guid);
  while (at && at.preceding_guid !== null && !passed.has(at.guid)) {
    passed.add(at.guid);
    const before = byGuid.get(at.preceding_guid);
    if (!before) return at;
    at = before;
  }
  return at;
}
