// The members of an alarm group: users, and webhooks with a secret that is stored sealed and never shown.

import { missing, wrongUrl } from '#contract/errors.ts';
import { MASK } from '#contract/secret-names.ts';
import { isAtLeast } from '#contract/values.ts';
import { isWebTarget, schemeAndHost, type Targets } from '#kernel/net/web-target.ts';
import type { Field, WriteContext } from '#objects/families/family.ts';
import { requireHolders } from '#objects/grants.ts';
import { arrayOf, choice, eitherOf, guidText, orNull, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { array, eitherReader, members, reading } from '#operations/params/json-params.ts';
import { maskingSecrets } from '#operations/params/masked-members.ts';
import { guid, oneOf, type Reader, required, text } from '#operations/params/params.ts';
import { resolveReferences } from '#store/rows/resolve.ts';
import type { AlarmMemberRow } from '#store/schema/schema.ts';
import { everythingSealed, webhookLabel } from '#vault/sealed/everything-sealed.ts';
import { keptUrl, urlOf } from '#vault/sealed/webhook-urls.ts';
import { membersOf, setMembers } from './store.ts';

type Member = UserMember | Webhook;

interface UserMember {
  readonly type: 'USER';
  readonly guid: string;
}

interface Webhook {
  readonly type: 'WEBHOOK';
  readonly url: string;
  /** Absent to keep the secret of the same URL. */
  readonly secret: string | undefined;
}

const kind = members({ type: required(oneOf(['USER', 'WEBHOOK'])) });
const user = members({
  type: required(oneOf(['USER']), 'Kind of member.'),
  guid: required(guid, 'GUID of the user.'),
});
const webhook = members({
  type: required(oneOf(['WEBHOOK']), 'Kind of member.'),
  url: required(text(2000), 'URL of the webhook, `http` or `https`.'),
  secret: described(text(1000), 'Secret that signs the calls; absent to keep that of the same URL.', 'SECRET'),
});

const member = reading(eitherReader(user, webhook), (item, name, context): Member => {
  const { type } = kind(item, name, context);
  return type === 'USER' ? user(item, name, context) : webhook(item, name, context);
});

const schema = {
  $comment: 'Each item is `{type: "USER", guid}` or `{type: "WEBHOOK", url, secret}`.',
  examples: [[{ type: 'WEBHOOK', url: 'https://alarm.example.com/vigil', secret: 'SECRET' }]],
};

const reader: Reader<readonly Member[] | undefined> = {
  ...array(schema, member),
  shown: maskingSecrets({ url: (url) => (typeof url === 'string' ? schemeAndHost(url) : undefined) ?? MASK }),
};

export const membersField = {
  reader,
  shape: arrayOf(
    eitherOf(
      record('AlarmedUser', {
        type: choice(['USER'])('Kind of member.'),
        guid: guidText('GUID of the user.'),
        name: orNull(string)('Name of the user; null where the user has been removed.', 'Kim'),
      }),
      record('AlarmedWebhook', {
        type: choice(['WEBHOOK'])('Kind of member.'),
        url: string(
          'URL of the webhook; scheme and host alone for callers below ADMIN.',
          'https://alarm.example.com/vigil',
        ),
      }),
    ),
  ),
  async require(given = [], writing) {
    const before = await rowsBefore(writing);
    const known = new Set(before.map(({ user_guid }) => user_guid));
    const guids = given.flatMap((one) => (one.type === 'USER' && !known.has(one.guid) ? [one.guid] : []));
    const { db, caller } = writing.call;
    await requireHolders(db, { kind: 'user', guids, caller });
    const open = given.flatMap((one) => (one.type === 'WEBHOOK' && one.secret === undefined ? [one.url] : []));
    if (open.length === 0) return;
    const secrets = await secretsBefore(before, writing);
    if (open.some((url) => !secrets.has(url))) throw missing('members.secret');
  },
  async keep(given = [], writing) {
    const { call, key } = writing;
    const blank = { group_guid: key, user_guid: null, target: null, url_box: null, secret: null };
    const sealed = given.some(({ type }) => type === 'WEBHOOK') ? await webhookSealer(writing) : undefined;
    const rows = given.map((one, ordinal) => ({
      ...blank,
      ordinal,
      ...(one.type === 'USER' ? { user_guid: one.guid } : sealed?.(one)),
    }));
    await setMembers(call.db, key, rows);
  },
  async show(rows, { db, caller, vault }) {
    const groups = rows.map((row) => String(row.guid));
    const all = await membersOf(db, groups);
    const users = all.flatMap(({ user_guid }) => user_guid ?? []);
    const found = await resolveReferences(
      db,
      users.map((key) => ({ thing: 'user', key })),
    );
    const sealing = vault.opening();
    const isWhole = isAtLeast(caller.role, 'ADMIN');
    const shownUrl = (row: AlarmMemberRow) => {
      const url = urlOf(row, sealing);
      return (url !== undefined && !isWhole ? schemeAndHost(url) : url) ?? MASK;
    };
    const shown = (row: AlarmMemberRow) =>
      row.user_guid === null
        ? { type: 'WEBHOOK', url: shownUrl(row) }
        : { type: 'USER', guid: row.user_guid, name: found.nameOf({ thing: 'user', key: row.user_guid }) ?? null };
    const byGroup = Map.groupBy(all, ({ group_guid }) => group_guid);
    return groups.map((group) => (byGroup.get(group) ?? []).map(shown));
  },
} satisfies Field<readonly Member[] | undefined>;

/** Refuses the first URL that is not allowed; the error leaves out the path, which may hold a secret. */
export function requireTargets(given: readonly Member[] = [], targets: Targets): void {
  for (const one of given) {
    if (one.type === 'WEBHOOK' && !isWebTarget(one.url, targets)) throw wrongUrl(schemeAndHost(one.url) ?? MASK);
  }
}

/** The stored columns of a webhook: URL and secret; without a new secret the former one is kept. */
async function webhookSealer(writing: WriteContext): Promise<(webhook: Webhook) => Partial<AlarmMemberRow>> {
  const { call, key } = writing;
  const secrets = await secretsBefore(await rowsBefore(writing), writing);
  const existing = await everythingSealed(call.db);
  const sealing = call.vault.sealing(existing);
  return ({ url, secret }) => {
    const box = secret && call.vault.sealed(Buffer.from(secret), webhookLabel(key, url), existing);
    return { ...keptUrl(key, url, sealing), secret: box ?? secrets.get(url) ?? null };
  };
}

/** Sealed secrets by URL. */
async function secretsBefore(before: readonly AlarmMemberRow[], { call: { db, vault } }: WriteContext) {
  const webhooks = before.filter(({ target }) => target !== null);
  if (webhooks.length === 0) return new Map<string | undefined, string | null>();
  const sealing = vault.sealing(await everythingSealed(db));
  return new Map(webhooks.map((row) => [urlOf(row, sealing), row.secret]));
}

const rowsBefore = async ({ before, key, call }: WriteContext): Promise<AlarmMemberRow[]> =>
  before ? await membersOf(call.db, [key]) : [];
