// A snapshot: what a version of a rule says. Its fields stand in their order of declaration; a field that is not set is
// not there. Beside each reference stand the names its objects had when the version was made.

import { canonicalJson, type Json } from '#kernel/canonical-json.ts';

export type Snapshot = { readonly [field: string]: Json };

/** Names of the address groups that the query or the conditions name, by their keys: not a field, so never compared. */
export const CONDITION_GROUPS = 'condition_groups';

export interface Change {
  readonly field: string;
  readonly from: Json;
  readonly to: Json;
}

/** What differs from `from` to `to`, in the order of `fields`. */
export function changesBetween(from: Snapshot, to: Snapshot, fields: readonly string[]): Change[] {
  return fields
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
    .filter((change) => canonicalJson(change.from) !== canonicalJson(change.to));
}
