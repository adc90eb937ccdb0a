// Keys of an account. A key is shown once, when it is made.

import type { AnswerFor } from '#client/call.ts';
import { call, callWith } from '#console/client/call.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import { defineFamily } from '#console/pages/administration/family.ts';
import { toStamp } from '#console/time/moments.ts';
import { Time } from '#console/time/time.tsx';
import { KEY_SCOPES, type KeyScope } from '#contract/values.ts';
import { NAME_WIDTH, Texts } from './values.tsx';

type Key = AnswerFor<'GET /api/core/users/:guid/api-keys'>['api_keys'][number];

interface Draft {
  readonly name: string;
  readonly scope: KeyScope;
  readonly expires_at: number | undefined;
  readonly trust_hosts: readonly string[];
}

export const keys = defineFamily<Key, Key, Draft>({
  id: 'keys',
  readers: 'MEMBER',
  // Of the own account; those of others are for administrators, and no others are listed.
  writers: 'MEMBER',
  needs: ['users'],
  async list({ scope: guid, options, ...page }) {
    const { total_count, api_keys } = await callWith(options, 'GET /api/core/users/:guid/api-keys', { guid, ...page });
    return { total: total_count, records: api_keys };
  },
  scopes: ({ labels, account, options }) => ({
    label: labels.administration.keys.user,
    initial: account.guid,
    options: options.users,
  }),
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values({ labels }) {
    const { keys: names, created, never, users } = labels.administration;
    return [
      { id: 'name', label: labels.common.name, width: NAME_WIDTH, show: ({ name }) => name },
      {
        id: 'scope',
        label: names.scope,
        width: '6.5rem',
        show: ({ scope }) => (
          <StatusBadge tone={scope === 'push' ? 'accent' : 'neutral'}>{names.scopeNames[scope]}</StatusBadge>
        ),
      },
      {
        id: 'last_used',
        label: names.lastUsed,
        width: '8rem',
        show: ({ last_used }) => (last_used === null ? never : <Time at={last_used} isRelative />),
      },
      { id: 'prefix', label: names.prefix, width: '9rem', show: ({ prefix }) => <code>{prefix}…</code> },
      {
        id: 'expires_at',
        label: names.expires,
        width: '11.5rem',
        show: ({ expires_at }) => (expires_at === null ? never : <Time at={expires_at} />),
      },
      { id: 'created', label: created, show: (key) => <Time at={key.created} /> },
      {
        id: 'trust_hosts',
        label: users.trustHosts,
        show: ({ trust_hosts }) => trust_hosts.length > 0 && <Texts texts={trust_hosts} />,
      },
    ];
  },
  fields({ labels, zone }) {
    const { keys: names, users } = labels.administration;
    return [
      { kind: 'text', name: 'name', label: labels.common.name, isRequired: true, maxLength: 255 },
      {
        kind: 'choice',
        name: 'scope',
        label: names.scope,
        options: KEY_SCOPES.map((value) => ({ value, label: names.scopes[value] })),
      },
      { kind: 'moment', name: 'expires_at', label: names.expires, hint: names.expiresHint(zone) },
      {
        kind: 'texts',
        name: 'trust_hosts',
        label: users.trustHosts,
        hint: users.trustHostsHint,
        placeholder: '10.0.0.0/8',
      },
    ];
  },
  draftOf: () => ({ name: '', scope: 'all', expires_at: undefined, trust_hosts: [] }),
  async create({ name, scope, expires_at, trust_hosts }, owner) {
    const made = await call('POST /api/core/users/:guid/api-keys', {
      guid: owner,
      name,
      scope,
      trust_hosts,
      ...(expires_at === undefined ? {} : { expires_at: toStamp(expires_at) }),
    });
    return { key: made.guid, secret: made.api_key };
  },
  async remove(guids, { scope: guid }) {
    for (const key_guid of guids) await call('DELETE /api/core/users/:guid/api-keys/:key_guid', { guid, key_guid });
    return { failures: [] };
  },
});
