// POST /address-groups/:guid/addresses

import { duplicatedAddress, notFound, wrongAddress } from '#contract/errors.ts';
import type { StreamRules } from '#detection/stream/stream-rules.ts';
import { newGuid } from '#kernel/guid.ts';
import { searchText } from '#kernel/text/search-text.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { created } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { anyText, int, meaning, required, text } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { entryText } from '#query/values/addresses/addresses.ts';
import { deleteExpired, raiseVersion } from '#store/rows/addresses.ts';
import { exists } from '#store/rows/resolve.ts';
import { hasAddress, insertAddress } from './store.ts';

const MINUTE_MS = 60_000;

/** In normalized form, so that addresses can be compared. */
const ip = meaning(anyText, { examples: ['10.0.0.0/8'] }, (given) => {
  const entry = entryText(given.trim());
  if (entry === null) throw wrongAddress(given);
  return entry;
});

export const create = endpoint({
  title: 'Create address',
  notes:
    'Stored in canonical form: `10.1.2.3/8` is `10.0.0.0/8`, a network of one address is the address, IPv4 in ' +
    'IPv6 is IPv4. Ranges with a dash are for queries alone. Without `expire_minute` an address stays until it is ' +
    'removed.',
  method: 'POST',
  path: '/api/core/address-groups/:guid/addresses',
  access: 'ADMIN',
  audit: 'address-groups.create-address',
  params: {
    guid: guidOf('address group'),
    ip: required(ip, 'IPv4 or IPv6 address or network.'),
    description: described(text(2000), 'Description of the address, for people.'),
    expire_minute: described(
      int(1n, 5_256_000n),
      'Minutes after which the address leaves the group; never where absent.',
    ),
  },
  answer: created,

  async run(input, { db, clock, streamRules, afterCommit }: Call & { clock: Clock; streamRules: StreamRules }) {
    const { guid: group_guid, ip, description = null, expire_minute } = input;
    if (!(await exists(db, 'address group', group_guid))) throw notFound('address group', group_guid);
    const now = clock.now().epochMilliseconds;
    await deleteExpired(db, group_guid, now);
    if (await hasAddress(db, group_guid, ip)) throw duplicatedAddress(ip);
    const made = newGuid();
    const expires_at = expire_minute === undefined ? null : now + expire_minute * MINUTE_MS;
    await insertAddress(db, {
      guid: made,
      group_guid,
      ip,
      description,
      hits: 0,
      expires_at,
      search: searchText([ip, description]),
      created_at: now,
      updated_at: now,
    });
    const version = await raiseVersion(db, group_guid);
    const change = { group: group_guid, version, added: [{ ip, expires_at }], removed: [] };
    afterCommit(() => streamRules.addressesChanged(change));
    return { guid: made };
  },
});
