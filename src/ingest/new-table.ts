// Creates the table that pushed logs name, with the defaults of a new table and an audit entry of its own.

import type { Draft } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { LogEngine } from '#engines/engine.ts';
import type { Call } from '#http/endpoint.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchText } from '#kernel/search-text.ts';
import type { Db } from '#store/kysely.ts';

interface NewTableDeps {
  readonly trail: Trail;
  readonly engine: LogEngine;
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
      if (!known) await insertTable(db, name, deps);
      return known === undefined;
    },
    (outcome) => ('value' in outcome && outcome.value ? entryOf(name, by) : undefined),
  );
}

async function insertTable(db: Db, name: string, { engine, clock }: NewTableDeps): Promise<void> {
  const now = clock.now().epochMilliseconds;
  await engine.insertTable(db, {
    name,
    layout: 'columnar',
    compression: 'snappy',
    retention: 0,
    group_guid: null,
    schema_code: null,
    crypto_profile_guid: null,
    encrypted: 0,
    search: searchText([name]),
    created_at: now,
    updated_at: now,
  });
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
