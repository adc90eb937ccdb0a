// The SQL of sources from which records are expected.

import type { Db } from '#store/kysely.ts';

/** A logger or table from which a record is expected every so often. */
export interface ExpectedSource {
  readonly kind: 'logger' | 'table';
  /** GUID of the logger, or name of the table. */
  readonly guid: string;
  readonly name: string;
  readonly tableId: number | undefined;
  readonly expectMs: number;
  readonly alarmGroup: string | null;
  /** Epoch milliseconds of the last known record, or of the start of the expectation. */
  readonly since: number;
}

type SourceKey = Pick<ExpectedSource, 'kind' | 'guid'>;

export async function expectedSources(db: Db): Promise<ExpectedSource[]> {
  const loggers = await db
    .selectFrom('loggers')
    .select(['guid', 'name', 'expect_every', 'alarm_group_guid', 'expected_since', 'updated_at'])
    .where('expect_every', '>', 0)
    .where('enabled', '=', 1)
    .execute();
  const tables = await db
    .selectFrom('log_tables')
    .select(['id', 'name', 'expect_every', 'alarm_group_guid', 'expected_since', 'updated_at'])
    .where('expect_every', '>', 0)
    .execute();
  return [
    ...loggers.map((row) => ({ ...sourceOf(row), kind: 'logger' as const, guid: row.guid, tableId: undefined })),
    ...tables.map((row) => ({ ...sourceOf(row), kind: 'table' as const, guid: row.name, tableId: row.id })),
  ];
}

interface SourceRow {
  readonly name: string;
  readonly expect_every: number;
  readonly alarm_group_guid: string | null;
  readonly expected_since: number | null;
  readonly updated_at: number;
}

const sourceOf = ({ name, expect_every, alarm_group_guid, expected_since, updated_at }: SourceRow) => ({
  name,
  expectMs: expect_every * 1000,
  alarmGroup: alarm_group_guid,
  since: expected_since ?? updated_at,
});

/** `since` of a source as all nodes have written it; undefined for one from which nothing is expected. */
export async function writtenSince(db: Db, { kind, guid }: SourceKey): Promise<number | undefined> {
  const columns = ['expect_every', 'expected_since', 'updated_at'] as const;
  const found =
    kind === 'logger'
      ? db.selectFrom('loggers').select(columns).where('guid', '=', guid).where('enabled', '=', 1)
      : db.selectFrom('log_tables').select(columns).where('name', '=', guid);
  const row = await found.executeTakeFirst();
  return row && row.expect_every > 0 ? (row.expected_since ?? row.updated_at) : undefined;
}

/** Keeps a later moment that an operation has written meanwhile. */
export async function setSince(db: Db, { kind, guid, since }: SourceKey & { readonly since: number }): Promise<void> {
  const [table, key] = kind === 'logger' ? (['loggers', 'guid'] as const) : (['log_tables', 'name'] as const);
  await db
    .updateTable(table)
    .set({ expected_since: since })
    .where(key, '=', guid)
    .where((eb) => eb.or([eb('expected_since', 'is', null), eb('expected_since', '<', since)]))
    .execute();
}

/** The moment at which the service was last known to watch; undefined before the first. */
export async function readMark(db: Db): Promise<number | undefined> {
  const { alive_at } = await db.selectFrom('silence_mark').select('alive_at').executeTakeFirstOrThrow();
  return alive_at ?? undefined;
}

export async function setMark(db: Db, now: number): Promise<void> {
  await db.updateTable('silence_mark').set({ alive_at: now }).execute();
}
