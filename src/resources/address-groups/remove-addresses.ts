// DELETE /address-groups/:guid/addresses

import { notFound } from '#contract/errors.ts';
import { eachOnce } from '#contract/partial-outcome.ts';
import type { StreamRules } from '#detection/stream/stream-rules.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { failures, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf, guidsOf } from '#operations/shared-fields.ts';
import { raiseVersion } from '#store/rows/addresses.ts';
import { exists } from '#store/rows/resolve.ts';
import { findAddresses, removeAddresses } from './store.ts';

interface Needs extends Call {
  readonly clock: Clock;
  readonly streamRules: StreamRules;
}

export const remove = endpoint({
  title: 'Remove addresses',
  method: 'DELETE',
  path: '/api/core/address-groups/:guid/addresses',
  access: 'ADMIN',
  audit: 'address-groups.remove-addresses',
  params: { guid: guidOf('address group'), guids: guidsOf('addresses to remove') },
  answer: record({ failures }),

  async run({ guid: group, guids }, { db, clock, streamRules, afterCommit }: Needs) {
    if (!(await exists(db, 'address group', group))) throw notFound('address group', group);
    const found = await findAddresses(db, { group, guids, now: clock.now().epochMilliseconds });
    await removeAddresses(db, found.keys());
    if (found.size > 0) {
      const version = await raiseVersion(db, group);
      const change = { group, version, added: [], removed: [...found.values()] };
      afterCommit(() => streamRules.addressesChanged(change));
    }
    return await eachOnce(guids, async (guid) => (found.has(guid) ? undefined : 'address-not-found'));
  },
});
