// Where tables are since they were moved, and their last moves, in the metadata store.

import type { Selectable } from 'kysely';
import { LOCATIONS, type Location } from '#logs/log-store.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';

export const MOVE_STATES = ['running', 'finished', 'cancelled', 'failed'] as const;
export type MoveState = (typeof MOVE_STATES)[number];

/** Where a table is: new records are written to one location, and records of a split table are in both. */
export interface TableLocation {
  readonly writesTo: Location;
  readonly isSplit: boolean;
}

// An alias rather than an interface: `withTables` asks for types with an index signature.
type MoveTable = {
  table_id: number;
  writes_to: Location;
  is_split: number;
  guid: string;
  from_place: Location;
  to_place: Location;
  state: MoveState;
  days_done: number;
  days_left: number;
  rows: number;
  user_name: string;
  started_at: number;
  finished_at: number | null;
  error: string | null;
};

type MoveTables = { table_moves: MoveTable; clickhouse_tables: { table_id: number } };

export type MoveRow = Selectable<MoveTable>;

const withMoves = (db: Db) => db.withTables<MoveTables>();

export const findMove = (db: Db, tableId: number): Promise<MoveRow | undefined> =>
  withMoves(db).selectFrom('table_moves').selectAll().where('table_id', '=', tableId).executeTakeFirst();

/** A table that was never moved is on ClickHouse where the catalog of that engine has it. */
export async function locationIn(db: Db, tableId: number): Promise<TableLocation> {
  const move = await findMove(db, tableId);
  if (move) return locationOfMove(move);
  const outside = withMoves(db).selectFrom('clickhouse_tables').select('table_id').where('table_id', '=', tableId);
  return { writesTo: (await outside.executeTakeFirst()) ? 'clickhouse' : 'embedded', isSplit: false };
}

/** Of all tables that are not embedded, or were moved. */
export async function allLocations(store: Store): Promise<ReadonlyMap<number, TableLocation>> {
  return await store.read(async (plain) => {
    const db = withMoves(plain);
    const outside = await db.selectFrom('clickhouse_tables').select('table_id').execute();
    const moved = await db.selectFrom('table_moves').selectAll().execute();
    return new Map([
      ...outside.map(({ table_id }) => [table_id, { writesTo: 'clickhouse', isSplit: false }] as const),
      ...moved.map((move) => [move.table_id, locationOfMove(move)] as const),
    ]);
  });
}

const locationOfMove = ({ writes_to, is_split }: MoveRow): TableLocation => ({
  writesTo: writes_to,
  isSplit: is_split === 1,
});

export const otherThan = (location: Location): Location => (location === LOCATIONS[0] ? LOCATIONS[1] : LOCATIONS[0]);

interface NewMove {
  readonly tableId: number;
  readonly guid: string;
  readonly to: Location;
  readonly userName: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** In place of an earlier one; the table stays where it is for now. */
export async function insertMove(db: Db, { tableId, guid, to, userName, startedAt }: NewMove): Promise<void> {
  const { writesTo, isSplit } = await locationIn(db, tableId);
  const begun = {
    guid,
    from_place: otherThan(to),
    to_place: to,
    state: 'running' as const,
    days_done: 0,
    days_left: 0,
    rows: 0,
    user_name: userName,
    started_at: startedAt,
    finished_at: null,
    error: null,
  };
  await withMoves(db)
    .insertInto('table_moves')
    .values({ table_id: tableId, writes_to: writesTo, is_split: isSplit ? 1 : 0, ...begun })
    .onConflict((conflict) => conflict.column('table_id').doUpdateSet(begun))
    .execute();
}

export async function writeLocation(db: Db, tableId: number, { writesTo, isSplit }: TableLocation): Promise<void> {
  await updateMove(db, tableId, { writes_to: writesTo, is_split: isSplit ? 1 : 0 });
}

export async function updateMove(db: Db, tableId: number, changes: Partial<MoveTable>): Promise<void> {
  await withMoves(db).updateTable('table_moves').set(changes).where('table_id', '=', tableId).execute();
}

/** A day has been switched. */
export async function countDay(db: Db, tableId: number, { rows, daysLeft }: { rows: number; daysLeft: number }) {
  await withMoves(db)
    .updateTable('table_moves')
    .set((eb) => ({
      days_done: eb('days_done', '+', 1),
      rows: eb('rows', '+', rows),
      days_left: daysLeft,
    }))
    .where('table_id', '=', tableId)
    .execute();
}

/** Ids of tables whose moves an earlier process has begun, and of those that are to leave ClickHouse for good. */
export async function unfinishedMoves(store: Store): Promise<readonly { tableId: number; state: MoveState }[]> {
  return await store.read(async (plain) => {
    const db = withMoves(plain);
    const moves = await db.selectFrom('table_moves').selectAll().execute();
    const outside = new Set(
      (await db.selectFrom('clickhouse_tables').select('table_id').execute()).map((row) => row.table_id),
    );
    const isLeft = ({ table_id, writes_to, is_split }: MoveRow) =>
      writes_to === 'embedded' && is_split === 0 && outside.has(table_id);
    return moves
      .filter((move) => move.state === 'running' || isLeft(move))
      .map(({ table_id, state }) => ({ tableId: table_id, state }));
  });
}
