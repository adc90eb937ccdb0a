// Datasets: stored queries for rules and people.

import type { AnswerFor, RequestFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { QueryControl } from '#console/components/query-editor/query-field.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from '#console/pages/administration/administration.module.css';
import { defineFamily, listed } from '#console/pages/administration/family.ts';
import { SearchLink } from '#console/pages/search-link.tsx';
import { LAST_DAY } from '#console/time/ranges.ts';
import { isAtLeast } from '#contract/values.ts';
import {
  descriptionValue,
  NAME_WIDTH,
  namedFields,
  nameValue,
  type Sharing,
  sentSharing,
  sharingFacts,
  sharingFields,
  sharingOf,
  timeValues,
} from './values.tsx';

type Listed = AnswerFor<'GET /api/core/datasets'>['datasets'][number];
type Pivot = RequestFor<'POST /api/core/datasets'>['pivot'];
type Dataset = NonNullable<AnswerFor<'GET /api/core/datasets/:guid'>['dataset']>;

interface Draft extends Sharing {
  readonly name: string;
  readonly description: string;
  readonly query: string;
  /** Stored by other clients, and kept. */
  readonly pivot: Pivot;
}

const bodyOf = ({ name, description, query, pivot, ...sharing }: Draft) => ({
  name,
  query,
  ...present({ description }),
  ...(pivot === undefined || pivot === null ? {} : { pivot }),
  ...sentSharing(sharing),
});

export const datasets = defineFamily<Listed, Dataset, Draft>({
  id: 'datasets',
  readers: 'MEMBER',
  writers: 'MEMBER',
  needs: ['users', 'groups'],
  list: listed('GET /api/core/datasets', (answer) => answer.datasets),
  get: async (guid) => (await call('GET /api/core/datasets/:guid', { guid })).dataset,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  mayChange: ({ owner_guid }, { guid, role_name }) => owner_guid === guid || isAtLeast(role_name, 'ADMIN'),
  values: (context) => [
    nameValue(context),
    {
      id: 'owner',
      label: context.labels.administration.owner,
      width: NAME_WIDTH,
      show: ({ owner_name }) => owner_name,
      sortValue: ({ owner_name }) => owner_name ?? undefined,
    },
    descriptionValue(context),
    ...timeValues<Listed>(context),
  ],
  facts: (context) => [
    {
      id: 'query',
      label: context.labels.administration.stored.query,
      show: ({ query }) => <pre className={styles.query}>{query}</pre>,
    },
    {
      id: 'author',
      label: context.labels.administration.stored.author,
      show: ({ query_user_name }) => query_user_name,
    },
    ...sharingFacts<Dataset>(context),
  ],
  fields: (context) => {
    const { stored } = context.labels.administration;
    return [
      ...namedFields<Draft>(context, 255),
      {
        kind: 'own',
        name: 'query',
        label: stored.query,
        hint: stored.authorHint,
        isRequired: true,
        control: ({ value, onChange }) => <QueryControl label={stored.query} text={value} onChange={onChange} />,
      },
      ...sharingFields<Draft>(context),
    ];
  },
  draftOf: (dataset) => ({
    name: dataset?.name ?? '',
    description: dataset?.description ?? '',
    query: dataset?.query ?? '',
    pivot: dataset?.pivot as Pivot, // Any JSON, as it was sent.
    ...sharingOf(dataset),
  }),
  create: async (draft) => ({ key: (await call('POST /api/core/datasets', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/datasets/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/datasets', { guids, dry_run: isDryRun }),
  hasDryRun: true,
  Actions: ({ record }) => <OpenInSearch query={record.query} />,
});

function OpenInSearch({ query }: { readonly query: string }) {
  const { administration } = useLabels();
  return (
    <SearchLink query={query} range={LAST_DAY}>
      {administration.queries.search}
    </SearchLink>
  );
}
