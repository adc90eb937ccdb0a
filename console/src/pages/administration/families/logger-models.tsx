// Logger models: how loggers of one kind read logs, and the rules that assign a schema to them.

import type { AnswerFor, RequestFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import type { FormField } from '#console/components/forms/form-field.ts';
import { defineFamily, type FormContext, listed } from '#console/pages/administration/family.ts';
import { countValue, descriptionValue, NAME_WIDTH, namedFields, nameValue, Texts, timeValues } from './values.tsx';

type Model = AnswerFor<'GET /api/core/logger-models'>['logger_models'][number];
type Kind = Model['logger_factory_name'];
type SentRules = NonNullable<RequestFor<'POST /api/core/logger-models'>['rules']>;
type Configs = NonNullable<RequestFor<'POST /api/core/logger-models'>['parser_configs']>;
type Rule = Model['rules'][number];

const KINDS = ['http', 'syslog-udp', 'syslog-tcp', 'syslog-tls', 'file'] as const satisfies readonly Kind[];

interface ConfigDraft {
  readonly key: string;
  readonly value: string;
  /** The stored value, which keeps its type as long as its text stays. */
  readonly stored?: Configs[string];
}

interface RuleDraft extends Pick<Rule, 'stream_interval'> {
  /** Empty for a new one. */
  readonly guid: string;
  readonly name: string;
  readonly log_schema_code: string;
  readonly parser_code: string;
  readonly stream_query: string;
}

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly logger_factory_name: Kind;
  readonly parser_code: string;
  readonly parser_configs: readonly ConfigDraft[];
  readonly rules: readonly RuleDraft[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const configOf = ({ value, stored }: ConfigDraft): Configs[string] => {
  if (stored !== undefined && textOf(stored) === value) return stored;
  return value === 'true' || value === 'false' ? value === 'true' : value;
};

/** As they were sent: JSON. */
const configsIn = (model: Model | undefined): Configs => (model?.parser_configs ?? {}) as Configs;

const bodyOf = ({ name, description, logger_factory_name, parser_code, parser_configs, rules }: Draft) => ({
  name,
  logger_factory_name,
  parser_code,
  ...present({ description }),
  ...(parser_configs.length === 0
    ? {}
    : { parser_configs: Object.fromEntries(parser_configs.map((config) => [config.key, configOf(config)])) }),
  rules: rules.map(({ name: own, log_schema_code, stream_interval, ...others }) => ({
    name: own,
    log_schema_code,
    ...present(others),
    ...(stream_interval === undefined ? {} : { stream_interval }),
  })) as unknown as SentRules, // The service makes the GUID of a new rule.
});

export const loggerModels = defineFamily<Model, Model, Draft>({
  id: 'logger-models',
  readers: 'MEMBER',
  writers: 'ADMIN',
  needs: ['schemas', 'parsers'],
  list: listed('GET /api/core/logger-models', (answer) => answer.logger_models),
  get: async (guid) => (await call('GET /api/core/logger-models/:guid', { guid })).logger_model,
  keyOf: ({ guid }) => guid,
  nameOf: ({ name }) => name,
  values(context) {
    const { models } = context.labels.administration;
    return [
      nameValue(context),
      {
        id: 'kind',
        label: models.kind,
        width: '10rem',
        show: ({ logger_factory_name }) => models.kinds[logger_factory_name],
        sortValue: ({ logger_factory_name }) => logger_factory_name,
      },
      {
        id: 'parser',
        label: models.parser,
        width: NAME_WIDTH,
        show: ({ parser_name, parser_code }) => parser_name ?? parser_code,
      },
      countValue('rule_count', models.rules, ({ rule_count }) => rule_count),
      descriptionValue(context),
      ...timeValues<Model>(context),
    ];
  },
  facts({ labels }) {
    const { models } = labels.administration;
    return [
      {
        id: 'configs',
        label: models.configs,
        show: ({ parser_configs }) => (
          <Texts texts={Object.entries(parser_configs ?? {}).map(([key, value]) => `${key} = ${textOf(value)}`)} />
        ),
      },
      {
        id: 'rules',
        label: models.rules,
        show: ({ rules }) => (
          <Texts
            texts={rules.map(
              ({ name, log_schema_name, log_schema_code }) => `${name} → ${log_schema_name ?? log_schema_code}`,
            )}
          />
        ),
      },
    ];
  },
  fields,
  draftOf: (model) => ({
    name: model?.name ?? '',
    description: model?.description ?? '',
    logger_factory_name: model?.logger_factory_name ?? 'http',
    parser_code: model?.parser_code ?? '',
    parser_configs: Object.entries(configsIn(model)).map(([key, stored]) => ({
      key,
      value: textOf(stored),
      stored,
    })),
    rules: (model?.rules ?? []).map(
      ({ guid, name, log_schema_code, parser_code = '', stream_query = '', stream_interval }) => ({
        guid,
        name,
        log_schema_code,
        parser_code,
        stream_query,
        ...(stream_interval === undefined ? {} : { stream_interval }),
      }),
    ),
  }),
  create: async (draft) => ({ key: (await call('POST /api/core/logger-models', bodyOf(draft))).guid }),
  update: (guid, draft) => call('PUT /api/core/logger-models/:guid', { guid, ...bodyOf(draft) }),
  remove: (guids, { isDryRun }) => call('DELETE /api/core/logger-models', { guids, dry_run: isDryRun }),
  hasDryRun: true,
});

function fields(context: FormContext): readonly FormField<Draft>[] {
  const { common, administration } = context.labels;
  const { models, stored } = administration;
  return [
    ...namedFields<Draft>(context, 50),
    {
      kind: 'choice',
      name: 'logger_factory_name',
      label: models.kind,
      options: KINDS.map((value) => ({ value, label: models.kinds[value] })),
    },
    {
      kind: 'choice',
      name: 'parser_code',
      label: models.parser,
      isRequired: true,
      options: context.options.parsers,
    },
    {
      kind: 'rows',
      name: 'parser_configs',
      label: models.configs,
      addLabel: models.addConfig,
      empty: { key: '', value: '' },
      fields: [
        { kind: 'text', name: 'key', label: stored.key, isRequired: true, maxLength: 50 },
        { kind: 'text', name: 'value', label: models.configValue, maxLength: 10_000 },
      ],
    },
    {
      kind: 'rows',
      name: 'rules',
      label: models.rules,
      hint: models.rulesHint,
      addLabel: models.addRule,
      empty: { guid: '', name: '', log_schema_code: '', parser_code: '', stream_query: '' },
      fields: [
        { kind: 'text', name: 'name', label: common.name, isRequired: true, maxLength: 50 },
        {
          kind: 'choice',
          name: 'log_schema_code',
          label: models.schema,
          isRequired: true,
          options: context.options.schemas,
        },
        {
          kind: 'choice',
          name: 'parser_code',
          label: models.ruleParser,
          options: context.options.parsers,
          noneLabel: models.modelParser,
        },
        { kind: 'text', name: 'stream_query', label: models.query, isLong: true, maxLength: 65_535 },
      ],
    },
  ];
}
