// Creates the table that pushed logs name, with the defaults of a new table and an audit entry of its own.

import type { Draft } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import { tooLong, wrongTableName } from '#contract/errors.ts';
import { searchText } from '#kernel/text/search-text.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogStore, NewTable } from '#logs/log-store.ts';
import type { Call } from '#operations/endpoint.ts';

export const MAX_TABLE_NAME = 50;
export const TABLE_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Refuses a name that no table can have. */
export function requireTableName(name: string): void {
  if ([...name].length > MAX_TABLE_NAME) throw tooLong('table', MAX_TABLE_NAME);
  if (!TABLE_NAME.test(name)) throw wrongTableName(name);
}

export const TABLE_DEFAULTS = { layout: 'columnar', compression: 'snappy', retention: 0 } as const;

/** The row of a new table; `fields` in place of defaults. */
export const newTableRow = (name: string, now: number, fields: Partial<NewTable> = {}): NewTable => ({
  name,
  ...TABLE_DEFAULTS,
  group_guid: null,
  schema_code: null,
  crypto_profile_guid: null,
  encrypted: 0,
  expected_since: now,
  ...fields,
  search: searchText([name]),
  created_at: now,
  updated_at: now,
});

interface NewTableDeps {
  readonly trail: Trail;
  readonly engine: LogStore;
  readonly clock: Clock;
}

/** The name must be valid. A table that another request has just created stays as it is, without a second entry. */
export async function createTable(
  name: string,
  by: Pick<Call, 'caller' | 'remoteIp' | 'requestId'>,
  deps: NewTableDeps,
): Promise<void> {
  await deps.trail.change(
    async (db) => {
      const known = await db.selectFrom('log_tables').select('id').where('name', '=', name).executeTakeFirst();
      if (!known) await deps.engine.insertTable(db, newTableRow(name, deps.clock.now().epochMilliseconds));
      return known === undefined;
    },
    (outcome) => ('value' in outcome && outcome.value ? entryOf(name, by) : undefined),
  );
}

function entryOf(
  name: string,
  { caller, remoteIp, requestId }: Pick<Call, 'caller' | 'remoteIp' | 'requestId'>,
): Draft {
  return {
    user_guid: caller.userGuid,
    company_guid: caller.companyGuid,
    user_name: caller.login,
    remote_ip: remoteIp,
    module: 'tables',
    method: 'create',
    params: { table: name },
    msg_params: { table: name, name, request_id: requestId },
  };
}
