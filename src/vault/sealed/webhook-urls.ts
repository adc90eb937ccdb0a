// Urls of webhooks, which may hold secrets: kept sealed, and known by their marks. Those that an earlier version has kept in
// clear are sealed at the first start that has the master secret.

import type { Db } from '#store/kysely.ts';
import type { AlarmMemberRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import { everythingSealed, urlLabel, webhookLabel } from './everything-sealed.ts';
import type { Sealing } from './sealing.ts';

type KeptUrl = Pick<AlarmMemberRow, 'group_guid' | 'target' | 'url_box'>;

/** What is kept of a url. Its mark is the same in every group, so that deliveries to one url can be counted together. */
export const keptUrl = (group: string, url: string, sealing: Sealing) => ({
  target: markOf(url, sealing),
  url_box: sealing.seal(url, urlLabel(group)),
});

const markOf = (url: string, sealing: Sealing): string => sealing.mark(url, 'webhook url');

/** Undefined for a url that cannot be opened, and for a member that is a user. */
export function urlOf({ group_guid, target, url_box }: KeptUrl, sealing: Sealing | undefined): string | undefined {
  if (url_box === null) return target ?? undefined;
  return sealing?.open(url_box, urlLabel(group_guid));
}

interface OpenWebhook {
  readonly url: string;
  readonly secret: Buffer;
}

/** Url and secret of a webhook; undefined where one of them cannot be opened. */
export function openWebhook(row: AlarmMemberRow, vault: Vault): OpenWebhook | undefined {
  const url = urlOf(row, vault.opening());
  if (url === undefined || row.secret === null) return undefined;
  const secret = vault.unsealed({ box: row.secret, label: webhookLabel(row.group_guid, url) });
  return secret && { url, secret };
}

/** Seals the urls that are still in clear. Gives how many must stay so because the master secret is not there. */
export async function sealClearUrls(store: Store, vault: Vault): Promise<number> {
  const areSealed = await store.read(
    async (db) => [...(await clearUrls(db)), ...(await clearTargets(db))].length === 0,
  );
  if (areSealed) return 0;
  return await store.write(async (db) => {
    const clear = await clearUrls(db);
    const sealing = vault.sealingIfOpen(await everythingSealed(db));
    if (!sealing) return clear.length;
    for (const row of clear) await sealUrl(db, row, sealing);
    for (const url of await clearTargets(db)) await markTarget(db, url, sealing);
    return 0;
  });
}

type ClearUrl = Pick<AlarmMemberRow, 'group_guid' | 'ordinal'> & { target: string };

const clearUrls = (db: Db): Promise<ClearUrl[]> =>
  db
    .selectFrom('alarm_members')
    .select(['group_guid', 'ordinal', 'target'])
    .where('url_box', 'is', null)
    .where('target', 'is not', null)
    .$narrowType<ClearUrl>()
    .execute();

async function sealUrl(db: Db, { group_guid, ordinal, target: url }: ClearUrl, sealing: Sealing): Promise<void> {
  const members = db.updateTable('alarm_members').set(keptUrl(group_guid, url, sealing));
  await members.where('group_guid', '=', group_guid).where('ordinal', '=', ordinal).execute();
}

/** Of alarms that wait, also to webhooks that have left their group. A mark has no colon, a url always has one. */
async function clearTargets(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('alarms').select('target').distinct().where('target', 'like', '%:%').execute();
  return rows.map(({ target }) => target);
}

async function markTarget(db: Db, url: string, sealing: Sealing): Promise<void> {
  await db
    .updateTable('alarms')
    .set({ target: markOf(url, sealing) })
    .where('target', '=', url)
    .execute();
}
