// Crypto profiles: keys for tables. Algorithm and key are set once; no operation shows the key.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { descriptionValue, namedFields, nameValue, timeValues } from './values.tsx';

type Profile = AnswerFor<'GET /api/core/crypto-profiles'>['profiles'][number];
type Algorithm = Profile['algorithm'];

const ALGORITHMS: readonly Algorithm[] = ['aes-256-gcm', 'aes-128-gcm'];

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly algorithm: Algorithm;
  readonly key: string;
}

export const cryptoProfiles = defineFamily<Profile, Profile, Draft>({
  id: 'crypto-profiles',
  readers: 'MASTER',
  writers: 'MASTER',
  list: listed('GET /api/core/crypto-profiles', (answer) => answer.profiles),
  get: async (guid) => (await call('GET /api/core/crypto-profiles/:guid', { guid })).profile,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => [
    nameValue(context),
    {
      id: 'algorithm',
      label: context.labels.administration.crypto.algorithm,
      width: '9rem',
      show: ({ algorithm }) => <code>{algorithm}</code>,
    },
    descriptionValue(context),
    ...timeValues<Profile>(context),
  ],
  fields(context, profile) {
    const { crypto } = context.labels.administration;
    return [
      ...namedFields<Draft>(context),
      {
        kind: 'choice',
        name: 'algorithm',
        label: crypto.algorithm,
        hint: crypto.keyNote,
        options: ALGORITHMS.map((value) => ({ value, label: value })),
        isShown: () => profile === undefined,
      },
      { kind: 'secret', name: 'key', label: crypto.key, hint: crypto.keyHint, isShown: () => profile === undefined },
    ];
  },
  draftOf: (profile) => ({
    name: profile?.name ?? '',
    description: profile?.description ?? '',
    algorithm: 'aes-256-gcm',
    key: '',
  }),
  async create({ name, description, algorithm, key }) {
    const profile = { name, algorithm, ...present({ description, key }) };
    return { key: (await call('POST /api/core/crypto-profiles', profile)).guid };
  },
  update: (guid, { name, description }) =>
    call('PUT /api/core/crypto-profiles/:guid', { guid, name, ...present({ description }) }),
  remove: (guids) => call('DELETE /api/core/crypto-profiles', { guids }),
});
