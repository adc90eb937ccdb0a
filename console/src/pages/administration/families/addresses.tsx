// The addresses of an address group.

import type { AnswerFor } from '#client/call.ts';
import { call, callWith } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { defineFamily } from '#console/pages/administration/family.ts';
import { Time } from '#console/time/time.tsx';

type Address = AnswerFor<'GET /api/core/address-groups/:guid/addresses'>['addresses'][number];

interface Draft {
  readonly ip: string;
  readonly description: string;
  readonly expire_minute: number | undefined;
}

const MAX_MINUTES = 5_256_000;

export const addresses = defineFamily<Address, Address, Draft>({
  id: 'addresses',
  readers: 'MEMBER',
  writers: 'ADMIN',
  async list({ scope: guid, options, ...page }) {
    const answer = await callWith(options, 'GET /api/core/address-groups/:guid/addresses', { guid, ...page });
    return { total: answer.total_count, records: answer.addresses };
  },
  keyOf: ({ guid }) => guid,
  nameOf: ({ ip }) => ip,
  values({ labels }) {
    const { addresses: names, description, created, never } = labels.administration;
    return [
      {
        id: 'ip',
        label: names.ip,
        width: 'minmax(9rem, 14rem)',
        show: ({ ip }) => <code>{ip}</code>,
        sortValue: ({ ip }) => ip,
      },
      { id: 'description', label: description, width: 'minmax(8rem, 1fr)', show: (address) => address.description },
      {
        id: 'expires_at',
        label: names.expires,
        show: ({ expires_at }) => (expires_at === null ? never : <Time at={expires_at} />),
      },
      { id: 'created', label: created, show: (address) => <Time at={address.created} /> },
    ];
  },
  fields({ labels }) {
    const { addresses: names, description } = labels.administration;
    return [
      { kind: 'text', name: 'ip', label: names.ip, isRequired: true, placeholder: '10.0.0.0/8' },
      { kind: 'text', name: 'description', label: description, maxLength: 2000 },
      {
        kind: 'number',
        name: 'expire_minute',
        label: names.expireMinutes,
        hint: names.expireHint,
        min: 1,
        max: MAX_MINUTES,
      },
    ];
  },
  draftOf: () => ({ ip: '', description: '', expire_minute: undefined }),
  async create({ ip, description, expire_minute }, group) {
    const address = { guid: group, ip, ...present({ description, expire_minute }) };
    return { key: (await call('POST /api/core/address-groups/:guid/addresses', address)).guid };
  },
  remove: (guids, { scope: guid }) => call('DELETE /api/core/address-groups/:guid/addresses', { guid, guids }),
});
