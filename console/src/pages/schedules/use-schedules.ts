// The schedules of the page, repeated while it is shown, and the requests that change them.

import { useQueryClient } from '@tanstack/react-query';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import type { Schedule } from './schedules-search.ts';

const LIST = 'GET /api/core/scheduled-queries';
const ONE = 'GET /api/core/scheduled-queries/:guid';
const SLOTS = 'GET /api/core/scheduled-queries/:guid/slots';
const LIST_EVERY_MS = 15_000;
export const DETAIL_EVERY_MS = 3000;
/** Each text is checked for the list: a longer one is searched. */
export const MAX_LISTED = 1000;

export const useSchedules = (keywords?: string) =>
  useAnswer(
    LIST,
    { limit: MAX_LISTED, ...(keywords === undefined ? {} : { keywords }) },
    { every: LIST_EVERY_MS, keepsPrevious: true },
  );

export const useSchedule = (guid: string) => useAnswer(ONE, { guid }, { every: DETAIL_EVERY_MS });

/** After a change. */
export function useScheduleRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    for (const operation of [LIST, ONE, SLOTS]) void client.invalidateQueries({ queryKey: [operation] });
  };
}

/** An update replaces all fields; these are those of the schedule as it stands. */
export async function switchSchedule(schedule: Schedule, enabled: boolean): Promise<void> {
  const { guid, name, description, query, output_parameter, node_types, trigger_type } = schedule;
  const { cron_schedule, preceding_guid, preceding_action } = schedule;
  await call('PUT /api/core/scheduled-queries/:guid', {
    guid,
    name,
    query,
    output_parameter,
    trigger_type,
    enabled,
    ...(description === null ? {} : { description }),
    ...(node_types === null ? {} : { node_types }),
    ...(cron_schedule === null ? {} : { cron_schedule }),
    ...(preceding_guid === null ? {} : { preceding_guid }),
    ...(preceding_action === null ? {} : { preceding_action }),
  });
}
