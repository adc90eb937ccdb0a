// Looks up scheduled queries by name or GUID, one or several.

import type { Client } from '#cli/kit/client.ts';
import { isGuid } from '#kernel/guid.ts';
import { UsageError } from '#kernel/usage-error.ts';

export interface ScheduledQuery {
  readonly guid: string;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly query: string;
  readonly trigger_type: 'cron' | 'workflow';
  readonly cron_schedule: string | null;
  readonly preceding_guid: string | null;
  readonly preceding_name: string | null;
  readonly preceding_action: 'finished' | 'succeeded' | 'failed' | null;
  readonly node_types: readonly string[] | null;
  readonly output_parameter: boolean;
  readonly running_state: 'running' | 'idle' | null;
  readonly result_state: string | null;
  readonly elapsed_time: number | null;
  readonly last_run_time: string | null;
  readonly last_failure_time: string | null;
  readonly last_failure_reason: string | null;
  readonly query_error: string | null;
  readonly next_run_time: string | null;
  readonly owner: string;
  readonly created: string;
  readonly updated: string;
}

export const SCHEDULES = '/scheduled-queries';

export interface ScheduledQueries {
  readonly scheduled_queries: readonly ScheduledQuery[];
}

export async function findSchedule(client: Client, named: string): Promise<ScheduledQuery> {
  const found = isGuid(named) ? await byGuid(client, named) : await byName(client, named);
  if (!found) throw new UsageError('no-such-schedule', { schedule: named });
  return found;
}

/** All are looked up before the operation. A GUID is passed on unchecked: the service refuses an unknown one. */
export async function guidsOf(client: Client, named: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const guids = new Map<string, string>();
  for (const one of named) guids.set(one, isGuid(one) ? one.toLowerCase() : (await findSchedule(client, one)).guid);
  return guids;
}

async function byGuid(client: Client, guid: string): Promise<ScheduledQuery | null> {
  return (await client.get<{ scheduled_query: ScheduledQuery | null }>(`${SCHEDULES}/${guid}`)).scheduled_query;
}

async function byName(client: Client, name: string): Promise<ScheduledQuery | undefined> {
  // The parameter keywords also matches parts of names, and other fields.
  const { scheduled_queries } = await client.get<ScheduledQueries>(SCHEDULES, { keywords: name });
  return scheduled_queries.find((schedule) => schedule.name === name);
}
