// A logger is changed: its name, its model, its table, and what its kind is configured with.

import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { FormDialog } from '#console/components/form.tsx';
import type { FormField } from '#console/components/form-field.ts';
import { showToast } from '#console/components/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { present } from '#console/pages/search-values.ts';
import { type ConfigValues, configsOf, configValuesOf, useConfigFields } from './logger-configs.ts';
import type { Logger } from './sources-search.ts';

interface EditLoggerProps {
  readonly logger: Logger;
  onClose(): void;
  onDone(): void;
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

export function EditLogger({ logger, onClose, onDone }: EditLoggerProps) {
  const { sources: labels } = useLabels();
  const fields = useLoggerFields();
  if (!fields) return undefined;
  const { kindOf } = fields;
  return (
    <FormDialog<Draft>
      title={labels.edit}
      fields={fields.list}
      initial={draftOf(logger)}
      onClose={onClose}
      onSubmit={async ({
        name,
        description,
        model_guid,
        table_name,
        group_guid,
        expect_every,
        alarm_group_guid,
        ...kept
      }) => {
        const { guid, enabled, node, configs } = logger;
        await call('PUT /api/core/loggers/:guid', {
          guid,
          enabled,
          node,
          name,
          model_guid,
          table_name,
          configs: configsOf(kept, kindOf(model_guid), configs ?? {}),
          ...present({
            description,
            group_guid,
            alarm_group_guid,
            expect_every,
            interval: kept.interval,
            cron_schedule: kept.cron_schedule,
          }),
        });
        showToast(labels.saved(name));
        onDone();
      }}
    />
  );
}

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
  return { list, kindOf };
}
