// Parsers: the built-in ones, which stay, and the stored ones, configured by their kind.

import { useState } from 'react';
import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import type { FormField } from '#console/components/forms/form-field.ts';
import { LinesInput, linesOf } from '#console/components/parser-preview/lines-input.tsx';
import { ParserPreview } from '#console/components/parser-preview/parser-preview.tsx';
import styles from '#console/pages/administration/administration.module.css';
import { defineFamily, type FormContext, listed } from '#console/pages/administration/family.ts';
import { descriptionValue, NAME_WIDTH, nameValue, timeValues } from './values.tsx';

type Parser = AnswerFor<'GET /api/core/parsers'>['parsers'][number];

const KINDS = ['regex', 'csv', 'key-value', 'json', 'xml', 'query'] as const;
type Kind = (typeof KINDS)[number];

/** The configurations of all kinds; a kind sends its own. */
interface Configs {
  readonly pattern: string;
  readonly columns: readonly string[];
  readonly delimiter: string;
  readonly quote: string;
  readonly pair_delimiter: string;
  readonly key_delimiter: string;
  readonly quoted: boolean;
  readonly flatten: boolean;
  readonly lenient: boolean;
  readonly query: string;
  readonly time_field: string;
  readonly time_format: string;
}

interface Draft extends Configs {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly factory_name: Kind;
  readonly schema_code: string;
}

const INITIAL: Configs = {
  pattern: '',
  columns: [],
  delimiter: ',',
  quote: '"',
  pair_delimiter: ' ',
  key_delimiter: '=',
  quoted: true,
  flatten: false,
  lenient: false,
  query: '',
  time_field: '',
  time_format: '',
};

const TIMES = ['time_field', 'time_format'] as const;
const CONFIGS: Readonly<Record<Kind, readonly (keyof Configs)[]>> = {
  regex: ['pattern', ...TIMES],
  csv: ['columns', 'delimiter', 'quote', ...TIMES],
  'key-value': ['pair_delimiter', 'key_delimiter', 'quoted', ...TIMES],
  json: ['flatten', 'lenient'],
  xml: [],
  query: ['query'],
};

export const parsers = defineFamily<Parser, Parser, Draft>({
  id: 'parsers',
  readers: 'MEMBER',
  writers: 'ADMIN',
  needs: ['schemas'],
  list: listed('GET /api/core/parsers', (answer) => answer.parsers),
  get: async (code) => (await call('GET /api/core/parsers/:code', { code })).parser,
  keyOf: ({ code }) => code,
  nameOf: ({ name }) => name,
  mayChange: ({ builtin }) => !builtin,
  values(context) {
    const { parsers: names } = context.labels.administration;
    return [
      nameValue(context),
      {
        id: 'code',
        label: names.code,
        width: '10rem',
        show: ({ code }) => <code>{code}</code>,
        sortValue: ({ code }) => code,
      },
      {
        id: 'builtin',
        label: names.kind,
        width: NAME_WIDTH,
        show: ({ builtin, factory_name }) =>
          builtin ? <StatusBadge tone="neutral">{names.builtin}</StatusBadge> : names.kinds[factory_name as Kind],
      },
      descriptionValue(context),
      ...timeValues<Parser>(context),
    ];
  },
  facts({ labels }) {
    const { parsers: names } = labels.administration;
    return [
      { id: 'schema', label: names.schema, show: ({ schema_code }) => schema_code },
      ...configNames(names).map(([name, label]) => ({
        id: `config-${name}`,
        label,
        show: ({ configs }: Parser) =>
          configs?.[name] !== undefined && <pre className={styles.query}>{String(configs[name])}</pre>,
      })),
    ];
  },
  fields,
  Trial: ParserTrial,
  draftOf: (parser) => ({
    ...INITIAL,
    ...storedConfigs(parser?.configs),
    code: parser?.code ?? '',
    name: parser?.name ?? '',
    description: parser?.description ?? '',
    factory_name: KINDS.find((kind) => kind === parser?.factory_name) ?? 'regex',
    schema_code: parser?.schema_code ?? '',
  }),
  create: async ({ code, ...draft }) => ({
    key: (await call('POST /api/core/parsers', { code, ...bodyOf(draft) })).code,
  }),
  update: (code, draft) => call('PUT /api/core/parsers/:code', { code, ...bodyOf(draft) }),
  remove: (codes, { isDryRun }) => call('DELETE /api/core/parsers', { codes, dry_run: isDryRun }),
  hasDryRun: true,
});

type Names = FormContext['labels']['administration']['parsers'];

const configNames = (names: Names): readonly (readonly [keyof Configs, string])[] => [
  ['pattern', names.pattern],
  ['columns', names.columns],
  ['delimiter', names.delimiter],
  ['quote', names.quote],
  ['pair_delimiter', names.pairDelimiter],
  ['key_delimiter', names.keyDelimiter],
  ['quoted', names.quoted],
  ['flatten', names.flatten],
  ['lenient', names.lenient],
  ['query', names.query],
  ['time_field', names.timeField],
  ['time_format', names.timeFormat],
];

function fields({ labels, options }: FormContext, parser: Parser | undefined): readonly FormField<Draft>[] {
  const { administration, common } = labels;
  const { parsers: names } = administration;
  return [
    {
      kind: 'text',
      name: 'code',
      label: names.code,
      hint: names.codeHint,
      isRequired: true,
      maxLength: 50,
      isShown: () => parser === undefined,
    },
    { kind: 'text', name: 'name', label: common.name, isRequired: true, maxLength: 255 },
    { kind: 'text', name: 'description', label: administration.description, isLong: true, maxLength: 2000 },
    {
      kind: 'choice',
      name: 'factory_name',
      label: names.kind,
      options: KINDS.map((value) => ({ value, label: names.kinds[value] })),
    },
    ...configFields(names),
    { kind: 'choice', name: 'schema_code', label: names.schema, options: options.schemas, noneLabel: common.none },
  ];
}

function configFields(names: Names): readonly FormField<Draft>[] {
  const labels = new Map(configNames(names));
  const of = <N extends keyof Configs>(name: N) => ({
    name,
    label: labels.get(name) ?? name,
    isShown: ({ factory_name }: Draft) => CONFIGS[factory_name].includes(name),
  });
  return [
    { kind: 'text', ...of('pattern'), hint: names.patternHint, isRequired: true, isLong: true, maxLength: 10_000 },
    { kind: 'texts', ...of('columns'), isRequired: true },
    { kind: 'text', ...of('delimiter'), maxLength: 10 },
    { kind: 'text', ...of('quote'), maxLength: 1 },
    { kind: 'text', ...of('pair_delimiter'), maxLength: 10 },
    { kind: 'text', ...of('key_delimiter'), maxLength: 10 },
    { kind: 'switch', ...of('quoted') },
    { kind: 'switch', ...of('flatten') },
    { kind: 'switch', ...of('lenient') },
    { kind: 'text', ...of('query'), hint: names.queryHint, isRequired: true, isLong: true, maxLength: 65_535 },
    { kind: 'text', ...of('time_field'), maxLength: 255 },
    { kind: 'text', ...of('time_format'), maxLength: 1000, placeholder: 'yyyy-MM-dd HH:mm:ss' },
  ];
}

/** A stored list of columns may be one text. */
function storedConfigs(configs: Readonly<Record<string, unknown>> = {}): Partial<Configs> {
  const { columns } = configs;
  return typeof columns === 'string' ? { ...configs, columns: columns.split(',') } : configs;
}

const bodyOf = (draft: Omit<Draft, 'code'>) => ({
  name: draft.name,
  factory_name: draft.factory_name,
  ...present({ description: draft.description, schema_code: draft.schema_code }),
  configs: configsOf(draft),
});

const configsOf = (draft: Pick<Draft, keyof Configs | 'factory_name'>) =>
  Object.fromEntries(
    CONFIGS[draft.factory_name].flatMap((name) => (draft[name] === '' ? [] : [[name, draft[name]] as const])),
  );

/** What the parser makes of lines, before it is stored. */
function ParserTrial({ draft }: { readonly draft: Draft }) {
  const [text, setText] = useState('');
  const lines = linesOf(text);
  const { factory_name, pattern, columns, query } = draft;
  // Without them the service can only say what is missing, which the form says when it is saved.
  const isComplete =
    { regex: pattern !== '', csv: columns.length > 0, query: query !== '' }[factory_name as string] ?? true;
  return (
    <>
      <LinesInput text={text} onChange={setText} />
      {isComplete && lines.length > 0 && (
        <ParserPreview lines={lines} parser={{ factory_name, configs: configsOf(draft) }} />
      )}
    </>
  );
}
