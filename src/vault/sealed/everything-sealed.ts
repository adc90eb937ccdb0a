// Everything that is sealed with the master secret, in all tables of the metadata store.

import type { Db } from '#store/kysely.ts';
import { labelOf, type Sealed } from '#vault/vault.ts';

export const webhookLabel = (groupGuid: string, url: string) => `webhook ${groupGuid} ${url}`;
export const urlLabel = (groupGuid: string) => `webhook url ${groupGuid}`;
export const passwordLabel = (profileGuid: string) => `connection password ${profileGuid}`;
export const headersLabel = (profileGuid: string) => `connection headers ${profileGuid}`;
export const eventLabel = (guid: string) => `event ${guid}`;
export const findingLabel = (tableId: number) => `finding ${tableId}`;
export const ticketLabel = (guid: string) => `ticket ${guid}`;

export async function everythingSealed(db: Db): Promise<Sealed[]> {
  const profiles = await db.selectFrom('crypto_profiles').select(['guid', 'algorithm', 'wrapped_key']).execute();
  const webhooks = await db
    .selectFrom('alarm_members')
    .select(['group_guid', 'target', 'url_box', 'secret'])
    .where('secret', 'is not', null)
    .where('target', 'is not', null)
    .$narrowType<{ target: string; secret: string }>()
    .execute();
  return [
    ...profiles.map((profile) => ({ box: profile.wrapped_key, label: labelOf(profile) })),
    ...webhooks.map(({ group_guid, target, url_box, secret }) =>
      url_box === null
        ? { box: secret, label: webhookLabel(group_guid, target) }
        : { box: url_box, label: urlLabel(group_guid) },
    ),
    ...(await sealedConnections(db)),
    ...(await sealedTexts(db)),
    ...(await sealedFindings(db)),
  ];
}

/** Findings that were not raised yet. */
async function sealedFindings(db: Db): Promise<Sealed[]> {
  const rows = await db
    .selectFrom('unraised_findings')
    .select(['table_id', 'content'])
    .where('is_sealed', '=', 1)
    .limit(1)
    .execute();
  return rows.map(({ table_id, content }) => ({ box: content, label: findingLabel(table_id) }));
}

async function sealedConnections(db: Db): Promise<Sealed[]> {
  const rows = await db.selectFrom('connection_profiles').select(['guid', 'password_box', 'headers_box']).execute();
  return rows.flatMap(({ guid, password_box, headers_box }) => [
    ...(password_box === null ? [] : [{ box: password_box, label: passwordLabel(guid) }]),
    ...(headers_box === null ? [] : [{ box: headers_box, label: headersLabel(guid) }]),
  ]);
}

/** One of each kind is enough: all are sealed by the same secret, and there may be millions. */
async function sealedTexts(db: Db): Promise<Sealed[]> {
  const newestOf = (table: 'events' | 'tickets') =>
    db
      .selectFrom(table)
      .select(['guid', 'sealed'])
      .where('sealed', 'is not', null)
      .orderBy('id', 'desc')
      .limit(1)
      .$narrowType<{ sealed: string }>()
      .execute();
  const events = await newestOf('events');
  const tickets = await newestOf('tickets');
  return [
    ...events.map(({ guid, sealed }) => ({ box: sealed, label: eventLabel(guid) })),
    ...tickets.map(({ guid, sealed }) => ({ box: sealed, label: ticketLabel(guid) })),
  ];
}
