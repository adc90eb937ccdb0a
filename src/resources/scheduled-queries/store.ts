// The SQL of scheduled queries.

import type { Db } from '#store/kysely.ts';
import { containsKeyword, inChunks, type Page, type Paging } from '#store/rows/lists.ts';
import type { ScheduledQueryRow, ScheduleStateRow } from '#store/schema/schedule-schema.ts';

/** Kind of the job in the ledger. */
export const KIND = 'scheduled-query';

/** A row with joined values. */
export interface ScheduledQueryView
  extends ScheduledQueryRow,
    Omit<ScheduleStateRow, 'kind' | 'guid' | 'last_success_at'> {
  readonly preceding_name: string | null;
  readonly is_running: boolean;
}

export async function listScheduledQueries(
  db: Db,
  wanted: Paging & { keywords: string | undefined },
): Promise<Page<ScheduledQueryView>> {
  const matching = db.selectFrom('scheduled_queries').where(containsKeyword('scheduled_queries', wanted.keywords));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await viewed(db)
    .where(containsKeyword('scheduled_queries', wanted.keywords))
    .orderBy('scheduled_queries.name')
    .orderBy('scheduled_queries.guid')
    .limit(wanted.limit)
    .offset(wanted.offset)
    .execute();
  return { total, rows: rows.map(asView) };
}

export async function viewScheduledQuery(db: Db, guid: string): Promise<ScheduledQueryView | undefined> {
  const row = await viewed(db).where('scheduled_queries.guid', '=', guid).executeTakeFirst();
  return row && asView(row);
}

function viewed(db: Db) {
  return db
    .selectFrom('scheduled_queries')
    .leftJoin('schedule_states', (join) =>
      join.onRef('schedule_states.guid', '=', 'scheduled_queries.guid').on('schedule_states.kind', '=', KIND),
    )
    .leftJoin('scheduled_queries as preceding', 'preceding.guid', 'scheduled_queries.preceding_guid')
    .selectAll('scheduled_queries')
    .select(['last_run_at', 'elapsed', 'result_state', 'last_failure_at', 'last_failure_reason'])
    .select('preceding.name as preceding_name')
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('schedule_slots')
            .select('schedule_slots.id')
            .where('schedule_slots.kind', '=', KIND)
            .whereRef('schedule_slots.guid', '=', 'scheduled_queries.guid')
            .where('schedule_slots.state', '=', 'running'),
        )
        .as('is_running'),
    );
}

/** SQLite returns 0 and 1 for booleans. */
const asView = <T extends { is_running: unknown }>(row: T) => ({ ...row, is_running: Boolean(row.is_running) });

export const findScheduledQuery = (db: Db, guid: string): Promise<ScheduledQueryRow | undefined> =>
  db.selectFrom('scheduled_queries').selectAll().where('guid', '=', guid).executeTakeFirst();

export async function insertScheduledQuery(db: Db, query: ScheduledQueryRow): Promise<void> {
  await db.insertInto('scheduled_queries').values(query).execute();
}

export async function updateScheduledQuery(db: Db, guid: string, changes: Partial<ScheduledQueryRow>): Promise<void> {
  await db.updateTable('scheduled_queries').set(changes).where('guid', '=', guid).execute();
}

/** Existing GUIDs among `guids`. */
export async function existingGuids(db: Db, guids: readonly string[]): Promise<Set<string>> {
  const rows = await eligibilityRows(db, guids);
  return new Set(rows.map(({ guid }) => guid));
}

/** Columns that decide whether a query may run. */
export const eligibilityRows = (db: Db, guids: readonly string[]) =>
  inChunks(guids, (chunk) =>
    db
      .selectFrom('scheduled_queries')
      .select(['guid', 'name', 'enabled', 'scheduled_since', 'node_types'])
      .where('guid', 'in', [...chunk])
      .execute(),
  );

export async function removeRows(db: Db, guids: readonly string[]): Promise<void> {
  await inChunks(guids, (chunk) =>
    db
      .deleteFrom('scheduled_queries')
      .where('guid', 'in', [...chunk])
      .execute(),
  );
}

/** Enabled queries with a schedule: all, or those of `guids`. */
export async function enabledSchedules(db: Db, guids: readonly string[] | undefined) {
  const schedules = db
    .selectFrom('scheduled_queries')
    .select(['guid', 'cron_schedule', 'scheduled_since'])
    .where('enabled', '=', 1)
    .where('trigger_type', '=', 'cron');
  if (guids === undefined) return await schedules.execute();
  return await inChunks(guids, (chunk) => schedules.where('guid', 'in', [...chunk]).execute());
}

/** Queries that follow a run with this state. */
export async function followersOf(db: Db, guid: string, state: 'succeeded' | 'failed'): Promise<string[]> {
  const rows = await db
    .selectFrom('scheduled_queries')
    .select('guid')
    .where('preceding_guid', '=', guid)
    .where('trigger_type', '=', 'workflow')
    .where('preceding_action', 'in', ['finished', state])
    .orderBy('name')
    .execute();
  return rows.map(({ guid }) => guid);
}

/** The preceding query; null for none, undefined for a missing query. */
export async function precedingOf(db: Db, guid: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('scheduled_queries')
    .select('preceding_guid')
    .where('guid', '=', guid)
    .executeTakeFirst();
  return row?.preceding_guid;
}
