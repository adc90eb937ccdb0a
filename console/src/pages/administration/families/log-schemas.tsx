// Log schemas: the fields of normalised logs of one kind.

import type { AnswerFor } from '#client/call.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import type { FormField } from '#console/components/forms/form-field.ts';
import { defineFamily, type FormContext, listed } from '#console/pages/administration/family.ts';
import { SCHEMA_TYPES, type SchemaType } from '#contract/values.ts';
import { countValue, descriptionValue, namedFields, nameValue, Texts, timeValues } from './values.tsx';

type LogSchema = AnswerFor<'GET /api/core/log-schemas'>['schemas'][number];
type SchemaField = LogSchema['fields'][number];

interface FieldDraft extends Pick<SchemaField, 'display_name_trans'> {
  readonly name: string;
  readonly display_name: string;
  readonly type: SchemaType;
  readonly ordinal: number | undefined;
}

interface Draft {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly name_ko: string;
  readonly name_en: string;
  /** Kept as it is. */
  readonly name_zh: string;
  readonly fields: readonly FieldDraft[];
}

function bodyOf({ name, description, name_ko: ko, name_en: en, name_zh: zh, fields }: Omit<Draft, 'code'>) {
  const trans = present({ ko, en, zh });
  return {
    name,
    ...present({ description }),
    ...(Object.keys(trans).length > 0 ? { name_trans: trans } : {}),
    fields: fields.map(({ name: own, type, display_name, display_name_trans, ordinal }) => ({
      name: own,
      type,
      ...present({ display_name }),
      ...(display_name_trans === undefined ? {} : { display_name_trans }),
      ...(ordinal === undefined ? {} : { ordinal }),
    })),
  };
}

export const logSchemas = defineFamily<LogSchema, LogSchema, Draft>({
  id: 'log-schemas',
  readers: 'MEMBER',
  writers: 'ADMIN',
  list: listed('GET /api/core/log-schemas', (answer) => answer.schemas),
  get: async (code) => (await call('GET /api/core/log-schemas/:code', { code })).schema,
  keyOf: ({ code }) => code,
  nameOf: ({ name }) => name,
  values: (context) => [
    nameValue(context),
    {
      id: 'code',
      label: context.labels.administration.schemas.code,
      width: '10rem',
      show: ({ code }) => <code>{code}</code>,
      sortValue: ({ code }) => code,
    },
    countValue('fields', context.labels.administration.schemas.fields, ({ fields }) => fields.length),
    descriptionValue(context),
    ...timeValues<LogSchema>(context),
  ],
  facts: ({ labels, locale }) => [
    {
      id: 'translation',
      label: labels.administration.schemas.nameKo,
      show: ({ name_trans }) => name_trans?.ko,
    },
    {
      id: 'field-names',
      label: labels.administration.schemas.fields,
      show: ({ fields }) => <Texts texts={fields.map((field) => fieldText(field, locale))} />,
    },
  ],
  fields,
  draftOf: (schema) => ({
    code: schema?.code ?? '',
    name: schema?.name ?? '',
    description: schema?.description ?? '',
    name_ko: schema?.name_trans?.ko ?? '',
    name_en: schema?.name_trans?.en ?? '',
    name_zh: schema?.name_trans?.zh ?? '',
    fields: (schema?.fields ?? []).map(({ display_name = '', ordinal, ...field }) => ({
      ...field,
      display_name,
      ordinal,
    })),
  }),
  create: async ({ code, ...draft }) => ({
    key: (await call('POST /api/core/log-schemas', { code, ...bodyOf(draft) })).code,
  }),
  update: (code, draft) => call('PUT /api/core/log-schemas/:code', { code, ...bodyOf(draft) }),
  remove: (codes, { isDryRun }) => call('DELETE /api/core/log-schemas', { codes, dry_run: isDryRun }),
  hasDryRun: true,
});

function fieldText({ name, display_name, display_name_trans, type }: SchemaField, locale: 'en' | 'ko'): string {
  const shown = display_name_trans?.[locale] ?? display_name;
  return [name, ...(shown === undefined ? [] : [shown]), type].join(' · ');
}

function fields(context: FormContext, schema: LogSchema | undefined): readonly FormField<Draft>[] {
  const { common, administration } = context.labels;
  const { schemas: names } = administration;
  return [
    {
      kind: 'text',
      name: 'code',
      label: names.code,
      hint: names.codeHint,
      isRequired: true,
      maxLength: 50,
      isShown: () => schema === undefined,
    },
    ...namedFields<Draft>(context, 50),
    { kind: 'text', name: 'name_ko', label: names.nameKo, maxLength: 50 },
    { kind: 'text', name: 'name_en', label: names.nameEn, maxLength: 50 },
    {
      kind: 'rows',
      name: 'fields',
      label: names.fields,
      addLabel: names.addField,
      isRequired: true,
      empty: { name: '', display_name: '', type: 'STRING', ordinal: undefined },
      fields: [
        { kind: 'text', name: 'name', label: common.name, isRequired: true, maxLength: 50 },
        { kind: 'text', name: 'display_name', label: names.display, maxLength: 50 },
        {
          kind: 'choice',
          name: 'type',
          label: names.type,
          options: SCHEMA_TYPES.map((value) => ({ value, label: value })),
        },
        { kind: 'number', name: 'ordinal', label: names.ordinal },
      ],
    },
  ];
}
