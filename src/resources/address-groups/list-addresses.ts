// GET /address-groups/:guid/addresses

import { notFound } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, guid, int, orElse, paging, required } from '#http/params.ts';
import { guidText, int64, listOf, optional, orNull, record, stamp, string, type TypeOf } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { exists } from '#store/resolve.ts';
import type { AddressRow } from '#store/schema.ts';
import { listAddresses } from './store.ts';

const addressRecord = record('Address', {
  guid: guidText,
  ip: string,
  country: orNull(string),
  count: int64,
  description: optional(string),
  expires_at: orNull(stamp),
  created: stamp,
  updated: stamp,
});

export const list = endpoint({
  title: 'List addresses',
  notes: 'In the order of their text. Expired entries are gone.',
  method: 'GET',
  path: '/api/core/address-groups/:guid/addresses',
  access: 'MEMBER',
  params: { guid: required(guid), offset: paging.offset, limit: orElse(int(), 50), keywords: anyText },
  answer: listOf('addresses', addressRecord),

  async run(input, { db, clock, zone }: Call & { clock: Clock; zone: string }) {
    if (!(await exists(db, 'address group', input.guid))) throw notFound('address group', input.guid);
    const { total, rows } = await listAddresses(db, { ...input, now: clock.now().epochMilliseconds });
    return { total_count: total, addresses: rows.map((row) => toRecord(row, zone)) };
  },
});

function toRecord(address: AddressRow, zone: string): TypeOf<typeof addressRecord> {
  const stampOf = (at: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
  return {
    guid: address.guid,
    ip: address.ip,
    // The location of an address is unknown.
    country: null,
    count: address.hits,
    ...(address.description === null ? {} : { description: address.description }),
    expires_at: address.expires_at === null ? null : stampOf(address.expires_at),
    created: stampOf(address.created_at),
    updated: stampOf(address.updated_at),
  };
}
