// GET /address-groups/:guid/addresses

import { notFound } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import type { Clock } from '#kernel/time/clock.ts';
import {
  guidText,
  int64,
  listOf,
  optional,
  orNull,
  record,
  stamp,
  string,
  type TypeOf,
} from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { int, keywords, orElse, paging } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { exists } from '#store/rows/resolve.ts';
import type { AddressRow } from '#store/schema/schema.ts';
import { listAddresses } from './store.ts';

const addressRecord = record('Address', {
  guid: guidText('GUID of the address.'),
  ip: string('Address or network.', '10.0.0.0/8'),
  country: orNull(string)('Country code of the address; null where it is not known.', 'KR'),
  count: int64('Number of addresses in the network.'),
  description: optional(string('Description of the address, for people.', 'Office')),
  expires_at: orNull(stamp)('Time when the address leaves the group; null where it stays.'),
  created: stamp('Time when the address was added.'),
  updated: stamp('Time of the last change of the address.'),
});

export const list = endpoint({
  title: 'List addresses',
  notes: 'In the order of their text. Expired entries are gone.',
  method: 'GET',
  path: '/api/core/address-groups/:guid/addresses',
  access: 'MEMBER',
  params: {
    guid: guidOf('address group'),
    offset: paging.offset,
    limit: orElse(int(), 50, 'Largest number of matches on the page.'),
    keywords,
  },
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
