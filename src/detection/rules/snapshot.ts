// The snapshot of a version of a rule. Its fields are in the order of declaration; unset fields are absent. Each reference is
// accompanied by the names of its objects at the time of the version.

import { canonicalJson, type Json } from '#kernel/json/canonical-json.ts';

export type Snapshot = { readonly [field: string]: Json };

/** Names of the address groups in the query or conditions, by GUID: not a field, so never compared. */
export const CONDITION_GROUPS = 'condition_groups';

interface Change {
  readonly field: string;
  readonly from: Json;
  readonly to: Json;
}

/** Differences from `from` to `to`, in the order of `fields`. */
export function changesBetween(from: Snapshot, to: Snapshot, fields: readonly string[]): Change[] {
  return fields
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
    .filter((change) => canonicalJson(change.from) !== canonicalJson(change.to));
}
