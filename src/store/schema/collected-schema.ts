// Tables of collected files as Kysely sees them.

import type { Generated, Selectable } from 'kysely';

/** A file that a logger follows, or followed under the same name before it was emptied. */
export interface CollectedFileTable {
  id: Generated<number>;
  logger_guid: string;
  /** The path at which the file was found first. */
  path: string;
  device: string;
  inode: string;
  /** Length of the prefix that `head_hash` covers. */
  head_bytes: number;
  head_hash: string;
  /** Lines up to here have been read; the mark in the log table may be further. */
  position: number;
  /** Fingerprint of the last bytes that were read; null for a row of an older version, and where nothing was read. */
  tail: string | null;
}

export type CollectedFileRow = Selectable<CollectedFileTable>;
