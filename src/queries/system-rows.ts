// Rows of `system OBJECT`. Engines read them synchronously while compiling, so the objects in a plan are loaded before it runs.

import type { Rightful } from '#access/caller.ts';
import type { PlanReferences } from '#query/analysis/references.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { LiveQuery } from './live-query.ts';
import { timesOf } from './status-record.ts';

/** By object: the rows that an account may see, in the order of the object. */
export type SystemObjects = Readonly<Record<string, (account: Rightful) => Promise<readonly MapValue[]>>>;

/** The rows of all objects in the plan, with the rights of the account that names each. */
export async function systemRowsFor({ systemNodes }: PlanReferences, objects: SystemObjects, accounts: Accounts) {
  const rows = new Map<string, readonly MapValue[]>();
  for (const { object, account } of systemNodes) {
    const read = Object.hasOwn(objects, object) ? objects[object] : undefined;
    const key = keyOf(object, account);
    if (read && !rows.has(key)) rows.set(key, await read(accounts(account)));
  }
  return (object: string, account?: string): readonly MapValue[] => rows.get(keyOf(object, account)) ?? [];
}

/** Resolves an account of a plan; undefined is the caller. */
type Accounts = (account: string | undefined) => Rightful;

const keyOf = (object: string, account = '') => `${account} ${object}`;

/** A row of `system queries`. */
export function queryRow(query: LiveQuery, now: Temporal.Instant): MapValue {
  query.refreshProgress();
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
    ['is_cancelled', query.cancellation !== undefined],
    ['is_scheduled_query', request.source === 'scheduled-query'],
    ['background', request.background],
    ['query_string', request.text],
    ['start_time', Temporal.Instant.fromEpochMilliseconds(start_time)],
    ['finish_time', times.finished ?? null],
  ]);
}
