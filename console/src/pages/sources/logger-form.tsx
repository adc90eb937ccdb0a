// A logger is made or changed: its name, its model, its table, and what its kind is configured with.

import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { FormDialog } from '#console/components/forms/form.tsx';
import type { FormField } from '#console/components/forms/form-field.ts';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { type ConfigValues, configsOf, configValuesOf, NO_CONFIGS, useConfigFields } from './logger-configs.ts';
import type { Logger } from './sources-search.ts';

interface LoggerFormProps {
  /** Absent for a new one. */
  readonly logger?: Logger;
  onClose(): void;
  onDone(guid: string): void;
}

interface Draft extends ConfigValues {
  readonly name: string;
  readonly description: string;
  readonly model_guid: string;
  readonly table_name: string;
  readonly group_guid: string;
  readonly expect_every: number | undefined;
  readonly alarm_group_guid: string;
}

const ALL = { limit: 10_000 };

export function LoggerForm({ logger, onClose, onDone }: LoggerFormProps) {
  const { sources: labels } = useLabels();
  const fields = useLoggerFields();
  if (!fields) return undefined;
  return (
    <FormDialog<Draft>
      title={logger ? labels.edit : labels.newLogger}
      fields={fields.list}
      initial={logger ? draftOf(logger) : { ...EMPTY, model_guid: fields.model, table_name: fields.table }}
      onClose={onClose}
      onSubmit={async (draft) => {
        const sent = sentOf(draft, fields.kindOf(draft.model_guid), logger?.configs);
        const guid = logger ? logger.guid : (await call('POST /api/core/loggers', { ...sent, enabled: true })).guid;
        if (logger) {
          const { enabled, node } = logger;
          await call('PUT /api/core/loggers/:guid', { guid, enabled, node, ...sent });
        }
        showToast(labels.saved(draft.name));
        onDone(guid);
      }}
    />
  );
}

const EMPTY: Draft = {
  ...NO_CONFIGS,
  name: '',
  description: '',
  model_guid: '',
  table_name: '',
  group_guid: '',
  expect_every: 0,
  alarm_group_guid: '',
};

const draftOf = (logger: Logger): Draft => ({
  name: logger.name,
  description: logger.description ?? '',
  model_guid: logger.model_guid,
  table_name: logger.table_name,
  group_guid: logger.group_guid ?? '',
  expect_every: logger.expect_every,
  alarm_group_guid: logger.alarm_group_guid ?? '',
  ...configValuesOf(logger),
});

function sentOf(draft: Draft, kind: string, configs: Logger['configs']) {
  const { name, model_guid, table_name, description, group_guid, alarm_group_guid, expect_every } = draft;
  const { interval, cron_schedule } = draft;
  return {
    name,
    model_guid,
    table_name,
    configs: configsOf(draft, kind, configs),
    ...present({ description, group_guid, alarm_group_guid, expect_every, interval, cron_schedule }),
  };
}

/** Undefined until the choices are known. */
function useLoggerFields() {
  const { sources: labels, tables: tableLabels, common } = useLabels();
  const models = useAnswer('GET /api/core/logger-models', ALL).data?.logger_models;
  const tables = useAnswer('GET /api/core/tables', ALL).data?.tables;
  const groups = useAnswer('GET /api/core/logger-groups', ALL).data?.logger_groups;
  const alarms = useAnswer('GET /api/core/alarm-groups', ALL).data?.alarm_groups;
  const kindOf = (guid: string): string => models?.find((model) => model.guid === guid)?.logger_factory_name ?? 'http';
  // Its draft is that of this form.
  const configs = useConfigFields((draft) => kindOf((draft as Draft).model_guid));
  if (!models || !tables || !groups || !alarms) return undefined;
  const named = (list: readonly { readonly guid: string; readonly name: string }[]) =>
    list.map(({ guid, name }) => ({ value: guid, label: name }));
  const list: readonly FormField<Draft>[] = [
    { kind: 'text', name: 'name', label: common.name, isRequired: true, maxLength: 50 },
    { kind: 'text', name: 'description', label: labels.description, maxLength: 2000 },
    { kind: 'choice', name: 'model_guid', label: labels.model, hint: labels.modelHint, options: named(models) },
    {
      kind: 'choice',
      name: 'table_name',
      label: labels.table,
      options: tables.map(({ table_name: value }) => ({ value, label: value })),
    },
    // They look at their part of the draft alone.
    ...(configs as unknown as readonly FormField<Draft>[]),
    { kind: 'choice', name: 'group_guid', label: labels.group, options: named(groups), noneLabel: common.none },
    { kind: 'number', name: 'expect_every', label: tableLabels.expectEvery, hint: tableLabels.expectHint, min: 0 },
    {
      kind: 'choice',
      name: 'alarm_group_guid',
      label: tableLabels.alarmGroup,
      options: named(alarms),
      noneLabel: common.none,
      isShown: ({ expect_every = 0 }) => expect_every > 0,
    },
  ];
  // A new logger has the first of each, until another is chosen.
  return { list, kindOf, model: models[0]?.guid ?? '', table: tables[0]?.table_name ?? '' };
}
