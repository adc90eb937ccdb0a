// Looks up scheduled queries by name or GUID, one or several.

import type { Client } from '#cli/kit/client.ts';
import type { AnswerFor } from '#client/call.ts';
import { isGuid } from '#kernel/guid.ts';
import { UsageError } from '#kernel/usage-error.ts';

export type ScheduledQuery = AnswerFor<'GET /api/core/scheduled-queries'>['scheduled_queries'][number];

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
  return (await client.call('GET /api/core/scheduled-queries/:guid', { guid })).scheduled_query;
}

async function byName(client: Client, name: string): Promise<ScheduledQuery | undefined> {
  // The parameter keywords also matches parts of names, and other fields.
  const { scheduled_queries } = await client.call('GET /api/core/scheduled-queries', { keywords: name });
  return scheduled_queries.find((schedule) => schedule.name === name);
}
