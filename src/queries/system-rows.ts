// Rows of `system OBJECT`: what the parts of the service tell about themselves. Engines ask for them while they compile
// and cannot wait then, so those that a plan names are made before it runs.

import type { Caller } from '#access/caller.ts';
import type { Plan } from '#query/plan.ts';
import type { MapValue, Value } from '#query/values.ts';
import type { LiveQuery } from './live-query.ts';
import { systemObjectsOf } from './plan-nodes.ts';
import { timesOf } from './status-record.ts';

/** By object: its rows as the caller may see them, in the order of the object. */
export type SystemObjects = Readonly<Record<string, (caller: Caller) => Promise<readonly MapValue[]>>>;

export async function systemRowsFor(
  plan: Plan,
  objects: SystemObjects,
  caller: Caller,
): Promise<ReadonlyMap<string, readonly MapValue[]>> {
  const rows = new Map<string, readonly MapValue[]>();
  for (const object of systemObjectsOf(plan)) {
    const read = Object.hasOwn(objects, object) ? objects[object] : undefined;
    if (read) rows.set(object, await read(caller));
  }
  return rows;
}

/** A row of `system queries`. */
export function queryRow(query: LiveQuery, now: Temporal.Instant): MapValue {
  query.glance();
  const { request, times } = query;
  const { elapsed, start_time } = timesOf(query, now, 'UTC');
  return new Map<string, Value>([
    ['id', BigInt(query.id)],
    ['source', request.source],
    ['login_name', request.caller.login],
    ['remote_ip', request.remoteIp],
    ['rows', query.rowCount],
    ['elapsed', BigInt(elapsed)],
    ['is_finished', query.isFinished],
    ['is_cancelled', query.trouble !== undefined],
    ['is_scheduled_query', request.source === 'scheduled-query'],
    ['background', request.background],
    ['query_string', request.text],
    ['start_time', Temporal.Instant.fromEpochMilliseconds(start_time)],
    ['finish_time', times.finished ?? null],
  ]);
}
