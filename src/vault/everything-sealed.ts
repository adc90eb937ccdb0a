// All that is kept under the master secret, whoever it belongs to.

import type { Db } from '#store/kysely.ts';
import { labelOf, type Sealed } from './vault.ts';

export const webhookLabel = (groupGuid: string, url: string) => `webhook ${groupGuid} ${url}`;

export async function everythingSealed(db: Db): Promise<Sealed[]> {
  const profiles = await db.selectFrom('crypto_profiles').select(['guid', 'algorithm', 'wrapped_key']).execute();
  const webhooks = await db
    .selectFrom('alarm_members')
    .select(['group_guid', 'url', 'secret'])
    .where('secret', 'is not', null)
    .where('url', 'is not', null)
    .$narrowType<{ url: string; secret: string }>()
    .execute();
  return [
    ...profiles.map((profile) => ({ box: profile.wrapped_key, label: labelOf(profile) })),
    ...webhooks.map(({ group_guid, url, secret }) => ({ box: secret, label: webhookLabel(group_guid, url) })),
  ];
}
