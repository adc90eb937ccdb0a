// The SQL of followed files.

import type { Db } from '#store/kysely.ts';
import type { CollectedFileRow } from '#store/schema/collected-schema.ts';
import type { FollowedFile } from './followed-file.ts';

export const filesOf = (db: Db, loggerGuid: string): Promise<CollectedFileRow[]> =>
  db.selectFrom('collected_files').selectAll().where('logger_guid', '=', loggerGuid).orderBy('id').execute();

export async function insertFile(db: Db, file: Omit<CollectedFileRow, 'id'>): Promise<CollectedFileRow> {
  const { id } = await db.insertInto('collected_files').values(file).returning('id').executeTakeFirstOrThrow();
  return { id, ...file };
}

/** The offset up to which a file was read. */
export interface ReadUpTo {
  readonly file: FollowedFile;
  readonly end: number;
  /** As `tailBefore` returns it. */
  readonly tail: string | null;
}

export async function updateFiles(db: Db, files: Iterable<ReadUpTo>): Promise<void> {
  for (const read of files) await updateFile(db, read);
}

/** Stores the identity, the fingerprints and the examined offset. */
export async function updateFile(db: Db, { file, end: position, tail }: ReadUpTo): Promise<void> {
  const { id, device, inode, head } = file;
  await db
    .updateTable('collected_files')
    .set({ device, inode, head_bytes: head.bytes, head_hash: head.hash, position, tail })
    .where('id', '=', id)
    .execute();
}

export async function removeFile(db: Db, file: FollowedFile): Promise<void> {
  await db.deleteFrom('collected_files').where('id', '=', file.id).execute();
}

export async function startConfigOf(db: Db, loggerGuid: string): Promise<string | null> {
  const found = await db.selectFrom('loggers').select('begun_with').where('guid', '=', loggerGuid).executeTakeFirst();
  return found?.begun_with ?? null;
}

export async function setStartConfig(db: Db, loggerGuid: string, begun_with: string): Promise<void> {
  await db.updateTable('loggers').set({ begun_with }).where('guid', '=', loggerGuid).execute();
}
