// What the answer to a bulk request needs of its items beside their fates.

import type { PackedTexts } from '#senders/records/growing.ts';

export const ACTIONS = ['create', 'index', 'update', 'delete'] as const;

export interface BulkFacts {
  /** Of each item its place in ACTIONS. */
  readonly actions: Uint8Array;
  /** The distinct names of indexes, as sent. */
  readonly indexes: readonly string[];
  /** Of each item its place in `indexes`. */
  readonly indexOf: Uint32Array;
  /** Of each item its `_id`; empty where it has none. */
  readonly ids: PackedTexts;
}
