// The SQL of upload streams. `since` is the earliest touch that keeps a stream from being expired, in epoch milliseconds.

import type { Insertable } from 'kysely';
import type { PartOffset } from '#ingest/uploads/part-file.ts';
import type { Db } from '#store/kysely.ts';
import { grantsOf, objectGrantsOf } from '#store/rows/grants.ts';
import { containsKeyword, type Page, type Paging } from '#store/rows/lists.ts';
import type { UploadStreamRow, UploadStreamTable } from '#store/schema/schema.ts';
import type { ImportedTable } from './import.ts';
import type { UploadsDeps } from './uploads.ts';

interface StreamFilter extends Paging {
  readonly keywords: string | undefined;
  readonly since: number;
  /** Undefined for the streams of all companies. */
  readonly company: string | undefined;
}

/** Streams in progress, newest first. */
export async function listStreams(db: Db, wanted: StreamFilter): Promise<Page<UploadStreamRow>> {
  const all = inProgress(db, wanted.since).where(containsKeyword('upload_streams', wanted.keywords));
  const matching = wanted.company === undefined ? all : all.where('company_guid', '=', wanted.company);
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching.selectAll().orderBy('id', 'desc').limit(wanted.limit).offset(wanted.offset).execute();
  return { total, rows };
}

/** Streams of an account, or of all. */
export async function countStreams(db: Db, since: number, userGuid?: string): Promise<number> {
  const all = inProgress(db, since);
  const counted = userGuid === undefined ? all : all.where('user_guid', '=', userGuid);
  return (await counted.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;
}

/** Completed or not. */
export const findStream = (db: Db, token: string, since: number): Promise<UploadStreamRow | undefined> =>
  db
    .selectFrom('upload_streams')
    .selectAll()
    .where('token', '=', token)
    .where('touched_at', '>', since)
    .executeTakeFirst();

/** A stream in progress, of any account and address. */
export const findOpenStream = (db: Db, token: string, since: number): Promise<UploadStreamRow | undefined> =>
  inProgress(db, since).selectAll().where('token', '=', token.toLowerCase()).executeTakeFirst();

export async function insertStream(db: Db, stream: Insertable<UploadStreamTable>): Promise<void> {
  await db.insertInto('upload_streams').values(stream).execute();
}

/** False when the stream was removed meanwhile. */
export async function markStream(
  db: Db,
  token: string,
  mark: PartOffset,
  { now, node }: { now: number; node: string },
): Promise<boolean> {
  const changes = {
    node,
    uploaded_size: mark.offset,
    stored_size: mark.storedBytes,
    last_upload: now,
    touched_at: now,
  };
  return await updateStream(db, token, changes);
}

/** False when the stream was removed meanwhile. */
export const completeStream = (db: Db, token: string, outcome: string, now: number): Promise<boolean> =>
  updateStream(db, token, { outcome, touched_at: now });

export async function removeStream(db: Db, token: string): Promise<void> {
  await db.deleteFrom('upload_streams').where('token', '=', token).execute();
}

export async function removeStreams(db: Db, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) await removeStream(db, token);
}

interface Expiry {
  readonly since: number;
  readonly idle: Temporal.Duration;
  readonly node: string;
}

/** Those of this node, completed ones beyond retention included; those of others when their node has left them as long again. */
export async function expiredTokens(db: Db, { since, idle, node }: Expiry): Promise<string[]> {
  const rows = await db
    .selectFrom('upload_streams')
    .select('token')
    .where('touched_at', '<=', since)
    .where((eb) =>
      eb.or([
        eb('node', '=', node),
        eb('node', 'is', null),
        eb('touched_at', '<=', since - idle.total('milliseconds')),
      ]),
    )
    .execute();
  return rows.map(({ token }) => token);
}

/** Those of `tokens` whose streams exist, completed or not. */
export async function knownTokens(db: Db, tokens: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('upload_streams').select('token').where('token', 'in', tokens).execute();
  return new Set(rows.map(({ token }) => token));
}

/**
 * For a stream whose bytes are found on a node: it is of an older version, or of this folder under another name. False where its
 * own node lives: the folder is a copy of that node's, and the bytes here go when the stream does. False as well where another
 * node was faster, or the stream has ended.
 */
export async function claimStream(
  db: Db,
  { token, node: owner }: UploadStreamRow,
  { node, living }: Pick<UploadsDeps, 'node' | 'living'>,
): Promise<boolean> {
  if ((await living(db)).some(({ name }) => name === owner)) return false;
  const streams = db.selectFrom('upload_streams').select('node').where('outcome', 'is', null);
  const found = await streams.where('token', '=', token).executeTakeFirst();
  if (found?.node !== owner) return false;
  await db.updateTable('upload_streams').set({ node }).where('token', '=', token).execute();
  return true;
}

/** Those of `tokens` that are in progress on another node, or on none. */
export const foreignStreams = (db: Db, tokens: readonly string[], node: string): Promise<UploadStreamRow[]> =>
  db
    .selectFrom('upload_streams')
    .selectAll()
    .where('outcome', 'is', null)
    .where('token', 'in', tokens)
    .where((eb) => eb.or([eb('node', 'is', null), eb('node', '<>', node)]))
    .execute();

/** Streams whose bytes are still needed. */
export const unfinishedStreams = (db: Db): Promise<UploadStreamRow[]> =>
  db.selectFrom('upload_streams').selectAll().where('outcome', 'is', null).execute();

export const findTable = (db: Db, id: number): Promise<ImportedTable | undefined> =>
  db
    .selectFrom('log_tables')
    .select(['id', 'name', 'layout', 'compression', 'schema_code'])
    .where('id', '=', id)
    .executeTakeFirst();

/** The protection of the bytes of a table; undefined for a removed table. */
export const findProtection = (
  db: Db,
  tableId: number,
): Promise<{ readonly crypto_profile_guid: string | null } | undefined> =>
  db.selectFrom('log_tables').select('crypto_profile_guid').where('id', '=', tableId).executeTakeFirst();

/** Whether the user may write to any table or lookup. */
export async function canWriteAnything(db: Db, userGuid: string): Promise<boolean> {
  const table = grantsOf(db, userGuid).select('table_id').where('read_only', '=', 0).executeTakeFirst();
  if (await table) return true;
  const granted = objectGrantsOf(db, 'lookups', userGuid).select('object_guid').where('read_only', '=', 0);
  if (await granted.executeTakeFirst()) return true;
  return (
    (await db.selectFrom('lookups').select('guid').where('owner_guid', '=', userGuid).executeTakeFirst()) !== undefined
  );
}

const inProgress = (db: Db, since: number) =>
  db.selectFrom('upload_streams').where('outcome', 'is', null).where('touched_at', '>', since);

/** Units are serialized, so check and change are atomic. */
async function updateStream(db: Db, token: string, changes: Partial<UploadStreamRow>): Promise<boolean> {
  const known = await db
    .selectFrom('upload_streams')
    .select('token')
    .where('token', '=', token)
    .where('outcome', 'is', null)
    .executeTakeFirst();
  if (!known) return false;
  await db.updateTable('upload_streams').set(changes).where('token', '=', token).execute();
  return true;
}
