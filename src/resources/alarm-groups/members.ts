// The members of an alarm group: users, and webhooks with a secret that is kept sealed and never read back.

import { missing, wrongUrl } from '#contract/errors.ts';
import { array, members, type Shape } from '#http/json-params.ts';
import { maskingMembers } from '#http/masked-members.ts';
import { guid, oneOf, type Reader, required, text } from '#http/params.ts';
import { arrayOf, guidText, object, optional, orNull, string } from '#http/shapes.ts';
import { isWebTarget, type Targets } from '#kernel/web-target.ts';
import type { Field, Writing } from '#objects/family.ts';
import { requireHolders } from '#objects/grants.ts';
import { resolved } from '#store/resolve.ts';
import type { AlarmMemberRow } from '#store/schema.ts';
import { everythingSealed, webhookLabel } from '#vault/everything-sealed.ts';
import { membersOf, setMembers } from './store.ts';

type Member = UserMember | Webhook;

interface UserMember {
  readonly type: 'USER';
  readonly guid: string;
}

interface Webhook {
  readonly type: 'WEBHOOK';
  readonly url: string;
  /** Absent to keep that of the same url. */
  readonly secret: string | undefined;
}

const kind = members({ type: required(oneOf(['USER', 'WEBHOOK'])) });
const user = members({ guid: required(guid) });
const webhook = members({ url: required(text(2000)), secret: text(1000) });

const member: Shape<Member> = (item, name, circumstances) => {
  const { type } = kind(item, name, circumstances);
  return type === 'USER'
    ? { type, ...user(item, name, circumstances) }
    : { type, ...webhook(item, name, circumstances) };
};

const schema = {
  items: { type: 'object' },
  description: 'each item `{type: "USER", guid}` or `{type: "WEBHOOK", url, secret}`',
  examples: [JSON.stringify([{ type: 'WEBHOOK', url: 'https://alarm.example.com/vigil', secret: 'SECRET' }])],
};

const reader: Reader<readonly Member[] | undefined> = { ...array(schema, member), shown: maskingMembers('secret') };

export const membersField = {
  reader,
  shape: arrayOf(
    object({ type: string, guid: optional(guidText), name: optional(orNull(string)), url: optional(string) }),
  ),
  async require(given = [], writing) {
    const before = await rowsBefore(writing);
    const known = new Set(before.map(({ user_guid }) => user_guid));
    const guids = given.flatMap((one) => (one.type === 'USER' && !known.has(one.guid) ? [one.guid] : []));
    const { db, caller } = writing.call;
    await requireHolders(db, { kind: 'user', guids, caller });
    const kept = new Set(before.map(({ url }) => url));
    const isOpen = (one: Member) => one.type === 'WEBHOOK' && one.secret === undefined && !kept.has(one.url);
    if (given.some(isOpen)) throw missing('members.secret');
  },
  async keep(given = [], writing) {
    const { call, key } = writing;
    const secrets = new Map((await rowsBefore(writing)).map(({ url, secret }) => [url, secret]));
    const sealed = await everythingSealed(call.db);
    const rows = given.map((one, ordinal): AlarmMemberRow => {
      const row = { group_guid: key, ordinal, user_guid: null, url: null, secret: null };
      if (one.type === 'USER') return { ...row, user_guid: one.guid };
      const { url, secret } = one;
      const box = secret && call.vault.sealed(Buffer.from(secret), webhookLabel(key, url), sealed);
      return { ...row, url, secret: box ?? secrets.get(url) ?? null };
    });
    await setMembers(call.db, key, rows);
  },
  async show(rows, { db }) {
    const groups = rows.map((row) => String(row.guid));
    const all = await membersOf(db, groups);
    const users = all.flatMap(({ user_guid }) => user_guid ?? []);
    const found = await resolved(
      db,
      users.map((key) => ({ thing: 'user', key })),
    );
    const shown = (row: AlarmMemberRow) =>
      row.user_guid === null
        ? { type: 'WEBHOOK', url: row.url }
        : { type: 'USER', guid: row.user_guid, name: found.nameOf({ thing: 'user', key: row.user_guid }) ?? null };
    const byGroup = Map.groupBy(all, ({ group_guid }) => group_guid);
    return groups.map((group) => (byGroup.get(group) ?? []).map(shown));
  },
} satisfies Field<readonly Member[] | undefined>;

/** Refuses the first url that may not be called. */
export function requireTargets(given: readonly Member[] = [], targets: Targets): void {
  for (const one of given) if (one.type === 'WEBHOOK' && !isWebTarget(one.url, targets)) throw wrongUrl(one.url);
}

const rowsBefore = async ({ before, key, call }: Writing): Promise<AlarmMemberRow[]> =>
  before ? await membersOf(call.db, [key]) : [];
