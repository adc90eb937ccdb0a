// How references to an object are found.

import type { Db } from '#store/kysely.ts';
import type { ReferrerKind } from './reference-record.ts';

/** A kind of reference between objects. */
export interface Referrer {
  readonly kind: ReferrerKind;
  /** The referring field; undefined where each result has its own. */
  readonly field?: string;
  /** The first segment of the path of the target. */
  readonly to: string;
  /** Objects that refer to one of `keys`, by name; `id` is the key of the target. */
  find(db: Db, keys: readonly string[]): Promise<readonly Referring[]>;
}

export interface Referring {
  readonly field?: string;
  readonly id: string;
  readonly guid: string;
  readonly name: string;
}
