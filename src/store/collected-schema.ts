// What loggers collect by themselves, as Kysely sees it.

import type { Generated, Selectable } from 'kysely';

/** A file that a logger follows, or followed under the same name before it was emptied. */
export interface CollectedFileTable {
  id: Generated<number>;
  logger_guid: string;
  /** Where it was found first. */
  path: string;
  device: string;
  inode: string;
  /** How many of its first bytes the hash is of. */
  head_bytes: number;
  head_hash: string;
  /** Up to where its lines were examined; the mark of its table may be further. */
  position: number;
}

export type CollectedFileRow = Selectable<CollectedFileTable>;
