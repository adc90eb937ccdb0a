// POST /tables/:table/move

import type { ProcessLease } from '#cluster/members/lease.ts';
import { hasSeveralNodes } from '#cluster/members/membership.ts';
import { noCryptoProfiles, noSuchLogStore, notFound, tableAlreadyThere, tableBeingMoved } from '#contract/errors.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { LOCATIONS, type Location, type LogStore } from '#logs/log-store.ts';
import { findMove, insertMove, locationIn } from '#logs/stores/both/move-catalog.ts';
import { guidText, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { oneOf, required } from '#operations/params/params.ts';
import type { Db } from '#store/kysely.ts';
import { specOf } from './model.ts';
import { table } from './params.ts';
import { findTable, type TableView } from './store.ts';

interface Needs {
  readonly engine: LogStore;
  readonly clock: Clock;
  readonly logsLease: Pick<ProcessLease, 'claim'>;
}

export const move = endpoint({
  title: 'Move table',
  notes:
    'Moves the records of a table between the embedded engine and ClickHouse while it is written and read. New records go to ' +
    'the new place from the start. The days follow one by one, newest first: each is copied with `_id` and `_time`, counted and ' +
    'compared, switched in one step, and then removed at the old place. Each record is read once by every query meanwhile.\n\n' +
    'The call is answered at once; Get table move tells how far it is. A move goes on after a restart. One that fails or is ' +
    'cancelled leaves each day where it is then: both parts are read as one table, whose `engine` is `both`, and another ' +
    'move in either direction goes on from there. Removal of days and retention act on both parts; dropping the table ends the move.\n\n' +
    'A move needs a service with `--logs clickhouse://…` and the data folder of the embedded part. Tables with a crypto profile ' +
    'stay embedded.',
  method: 'POST',
  path: '/api/core/tables/:table/move',
  access: 'ADMIN',
  audit: 'tables.move',
  params: { table, to: required(oneOf(LOCATIONS), 'Where the records are to be.') },
  answer: record({ id: guidText('GUID of the move.') }),

  async run({ table: name, to }, { db, caller, engine, clock, logsLease, afterCommit }: Call & Needs) {
    const row = await findTable(db, name);
    if (!row) throw notFound('table', name);
    await requireMovable(db, row, { to, engine });
    if (to === 'embedded' && !(await logsLease.claim(db))) throw noSuchLogStore(to);
    const guid = newGuid();
    const startedAt = clock.now().epochMilliseconds;
    await insertMove(db, { tableId: row.id, guid, to, userName: caller.login, startedAt });
    afterCommit(async () => engine.moves?.begin(specOf(row)));
    return { id: guid };
  },
});

async function requireMovable(
  db: Db,
  { id, name, crypto_profile_guid }: TableView,
  { to, engine }: { readonly to: Location; readonly engine: LogStore },
): Promise<void> {
  const { writesTo, isSplit } = await locationIn(db, id);
  if ((await findMove(db, id))?.state === 'running') throw tableBeingMoved(name);
  if (writesTo === to && !isSplit) throw tableAlreadyThere(name);
  // The data folder of one node cannot be read by others, also not when they start again.
  if (!engine.moves || (to === 'embedded' && (await hasSeveralNodes(db)))) throw noSuchLogStore(to);
  if (to === 'clickhouse' && crypto_profile_guid !== null) throw noCryptoProfiles(name);
}
