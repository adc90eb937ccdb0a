// Procedures: stored queries with parameters, which run with the rights of their owner.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import type { FormField } from '#console/components/forms/form-field.ts';
import { QueryControl } from '#console/components/query-editor/query-field.tsx';
import styles from '#console/pages/administration/administration.module.css';
import { defineFamily, type FormContext, listed } from '#console/pages/administration/family.ts';
import { countValue, descriptionValue, NAME_WIDTH, namedFields, nameValue, Texts, timeValues } from './values.tsx';

type Listed = AnswerFor<'GET /api/core/procedures'>['procedures'][number];
type Procedure = NonNullable<AnswerFor<'GET /api/core/procedures/:guid'>['procedure']>;
type ParameterType = Listed['parameters'][number]['type'];

const TYPES = ['string', 'long', 'double', 'bool', 'date'] as const satisfies readonly ParameterType[];

interface Parameter {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly type: ParameterType;
}

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly query: string;
  readonly parameters: readonly Parameter[];
  readonly company_public: boolean;
  readonly command: boolean;
  readonly granted_user_guids: readonly string[];
  readonly granted_group_guids: readonly string[];
}

const bodyOf = ({ description, parameters, ...others }: Draft) => ({
  ...others,
  ...present({ description }),
  parameters: parameters.map(({ key, type, ...texts }) => ({ key, type, ...present(texts) })),
});

export const procedures = defineFamily<Listed, Procedure, Draft>({
  id: 'procedures',
  readers: 'MEMBER',
  writers: 'ADMIN',
  needs: ['users', 'groups'],
  list: listed('GET /api/core/procedures', (answer) => answer.procedures),
  get: async (guid) => (await call('GET /api/core/procedures/:guid', { guid })).procedure,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values: (context) => [
    nameValue(context),
    countValue('parameters', context.labels.administration.stored.parameters, ({ parameters }) => parameters.length),
    {
      id: 'owner',
      label: context.labels.administration.owner,
      width: NAME_WIDTH,
      show: ({ owner_name }) => owner_name,
    },
    {
      id: 'command',
      label: context.labels.administration.stored.command,
      show: ({ command }) => (command ? context.labels.common.yes : ''),
    },
    descriptionValue(context),
    ...timeValues<Listed>(context),
  ],
  facts({ labels }) {
    const { stored } = labels.administration;
    return [
      { id: 'query', label: stored.query, show: ({ query }) => <pre className={styles.query}>{query}</pre> },
      {
        id: 'parameter-keys',
        label: stored.parameters,
        show: ({ parameters }) => <Texts texts={parameters.map(({ key, type }) => `${key} · ${stored.types[type]}`)} />,
      },
      {
        id: 'granted',
        label: stored.grantedUsers,
        show: ({ granted_users }) => <Texts texts={(granted_users ?? []).map(({ name }) => name)} />,
      },
      {
        id: 'granted-groups',
        label: stored.grantedGroups,
        show: ({ granted_groups }) => <Texts texts={(granted_groups ?? []).map(({ name }) => name)} />,
      },
    ];
  },
  fields,
  draftOf: (procedure) => ({
    name: procedure?.name ?? '',
    description: procedure?.description ?? '',
    query: procedure?.query ?? '',
    parameters: (procedure?.parameters ?? []).map(({ key, type, name = '', description = '' }) => ({
      key,
      type,
      name,
      description,
    })),
    company_public: procedure?.company_public ?? false,
    command: procedure?.command ?? false,
    granted_user_guids: procedure?.granted_user_guids ?? [],
    granted_group_guids: procedure?.granted_group_guids ?? [],
  }),
  create: async (draft) => ({ key: (await call('POST /api/core/procedures', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/procedures/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/procedures', { guids, dry_run: isDryRun }),
  hasDryRun: true,
});

function fields(context: FormContext): readonly FormField<Draft>[] {
  const { administration, common } = context.labels;
  const { stored } = administration;
  return [
    ...namedFields<Draft>(context, 255),
    {
      kind: 'own',
      name: 'query',
      label: stored.query,
      isRequired: true,
      control: ({ value, onChange }) => <QueryControl label={stored.query} text={value} onChange={onChange} />,
    },
    {
      kind: 'rows',
      name: 'parameters',
      label: stored.parameters,
      hint: stored.parametersHint,
      addLabel: stored.addParameter,
      empty: { key: '', name: '', description: '', type: 'string' },
      fields: [
        { kind: 'text', name: 'key', label: stored.key, isRequired: true, maxLength: 50 },
        { kind: 'text', name: 'name', label: common.name, maxLength: 255 },
        { kind: 'text', name: 'description', label: administration.description, maxLength: 2000 },
        {
          kind: 'choice',
          name: 'type',
          label: stored.type,
          options: TYPES.map((value) => ({ value, label: stored.types[value] })),
        },
      ],
    },
    { kind: 'switch', name: 'company_public', label: stored.isPublic },
    { kind: 'switch', name: 'command', label: stored.isCommand },
    { kind: 'choices', name: 'granted_user_guids', label: stored.grantedUsers, options: context.options.users },
    { kind: 'choices', name: 'granted_group_guids', label: stored.grantedGroups, options: context.options.groups },
  ];
}
