// DELETE /address-groups/:guid/addresses

import { notFound } from '#contract/errors.ts';
import { eachOnce } from '#contract/partial-outcome.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, guids, required } from '#http/params.ts';
import { failures, object } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { raiseVersion } from '#store/addresses.ts';
import { exists } from '#store/resolve.ts';
import { findAddresses, removeAddresses } from './store.ts';

export const remove = endpoint({
  title: 'Remove addresses',
  method: 'DELETE',
  path: '/api/core/address-groups/:guid/addresses',
  access: 'ADMIN',
  audit: 'address-groups.remove-addresses',
  params: { guid: required(guid), guids: required(guids) },
  answer: object({ failures }),

  async run({ guid: group, guids }, { db, clock }: Call & { clock: Clock }) {
    if (!(await exists(db, 'address group', group))) throw notFound('address group', group);
    const found = await findAddresses(db, { group, guids, now: clock.now().epochMilliseconds });
    await removeAddresses(db, found);
    if (found.size > 0) await raiseVersion(db, group);
    return await eachOnce(guids, async (guid) => (found.has(guid) ? undefined : 'address-not-found'));
  },
});
