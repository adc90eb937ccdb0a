// A crypto profile: a named key for tables. The key itself is in no record.

import { toStamp } from '#contract/times.ts';
import { guidText, object, optional, stamp, string } from '#http/shapes.ts';
import type { CryptoProfileRow } from '#store/schema.ts';

export const cryptoProfileRecord = object({
  guid: guidText,
  name: string,
  description: optional(string),
  algorithm: string,
  created: stamp,
  updated: stamp,
});

export function toRecord(profile: CryptoProfileRow, zone: string) {
  return {
    guid: profile.guid,
    name: profile.name,
    ...(profile.description === null ? {} : { description: profile.description }),
    algorithm: profile.algorithm,
    created: toStamp(Temporal.Instant.fromEpochMilliseconds(profile.created_at), zone),
    updated: toStamp(Temporal.Instant.fromEpochMilliseconds(profile.updated_at), zone),
  };
}
