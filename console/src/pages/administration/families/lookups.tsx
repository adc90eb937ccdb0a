// Stored lookups: rows that queries join by a key.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { LookupRows } from './lookup-rows.tsx';
import {
  countValue,
  descriptionValue,
  nameValue,
  type Sharing,
  sentSharing,
  sharingFacts,
  sharingFields,
  sharingOf,
  timeValues,
} from './values.tsx';

type Listed = AnswerFor<'GET /api/core/lookups'>['lookups'][number];
export type Lookup = NonNullable<AnswerFor<'GET /api/core/lookups/:guid'>['lookup']>;

interface Draft extends Sharing {
  readonly name: string;
  readonly description: string;
  readonly key: string;
  readonly columns: readonly string[];
  readonly restricted: boolean;
}

const bodyOf = ({ name, description, columns, restricted, ...sharing }: Omit<Draft, 'key'>) => ({
  name,
  columns,
  restricted,
  ...present({ description }),
  ...sentSharing(sharing),
});

export const lookups = defineFamily<Listed, Lookup, Draft>({
  id: 'lookups',
  readers: 'MEMBER',
  writers: 'ADMIN',
  needs: ['users', 'groups'],
  list: listed('GET /api/core/lookups', (answer) => answer.lookups),
  get: async (guid) => (await call('GET /api/core/lookups/:guid', { guid })).lookup,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values(context) {
    const { lookups: names } = context.labels.administration;
    return [
      nameValue(context),
      countValue('rows', names.rowCount, ({ row_count }) => row_count),
      { id: 'key', label: names.key, width: '9rem', show: ({ key }) => <code>{key}</code> },
      { id: 'columns', label: names.columns, width: 'minmax(10rem, 20rem)', show: ({ columns }) => columns.join(', ') },
      descriptionValue(context),
      ...timeValues<Listed>(context),
    ];
  },
  facts(context) {
    const { lookups: names, owner } = context.labels.administration;
    const { yes, no } = context.labels.common;
    return [
      { id: 'owner', label: owner, show: ({ owner_name }) => owner_name },
      { id: 'version', label: names.version, show: ({ version }) => String(version) },
      { id: 'restricted', label: names.restricted, show: ({ restricted }) => (restricted ? yes : no) },
      ...sharingFacts<Lookup>(context),
    ];
  },
  fields(context, lookup) {
    const { lookups: names, description } = context.labels.administration;
    return [
      {
        kind: 'text',
        name: 'name',
        label: context.labels.common.name,
        hint: names.nameHint,
        isRequired: true,
        maxLength: 50,
      },
      { kind: 'text', name: 'description', label: description, isLong: true, maxLength: 2000 },
      { kind: 'texts', name: 'columns', label: names.columns, hint: names.columnsHint, isRequired: true },
      {
        kind: 'text',
        name: 'key',
        label: names.key,
        hint: names.keyHint,
        isRequired: true,
        maxLength: 50,
        isShown: () => lookup === undefined,
      },
      { kind: 'switch', name: 'restricted', label: names.restricted },
      ...sharingFields<Draft>(context),
    ];
  },
  draftOf: (lookup) => ({
    name: lookup?.name ?? '',
    description: lookup?.description ?? '',
    key: lookup?.key ?? '',
    columns: lookup?.columns ?? [],
    restricted: lookup?.restricted ?? false,
    ...sharingOf(lookup),
  }),
  create: async ({ key, ...draft }) => ({
    key: (await call('POST /api/core/lookups', { key, ...bodyOf(draft) })).guid,
  }),
  update: (guid, { key, ...draft }) => call('PUT /api/core/lookups/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/lookups', { guids, dry_run: isDryRun }),
  hasDryRun: true,
  content: { label: ({ administration }) => administration.lookups.rows, View: LookupRows },
});
