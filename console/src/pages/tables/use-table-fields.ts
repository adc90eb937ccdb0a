// The fields of a form that new and existing tables share.

import { useAnswer } from '#console/client/answers.ts';
import type { FormField } from '#console/components/forms/form-field.ts';
import { useLabels } from '#console/labels/labels.tsx';

export interface TableFieldValues {
  readonly group_guid: string;
  readonly schema_code: string;
  readonly expect_every: number | undefined;
  readonly alarm_group_guid: string;
}

const ALL = { limit: 10_000 };
const MAX_EXPECTED_SECONDS = 31_536_000;

/** Undefined until the choices are known. A reference that is set can be replaced and not be taken away: an absent one is kept. */
export function useTableFields(
  initial: Partial<TableFieldValues> = {},
): readonly FormField<TableFieldValues>[] | undefined {
  const { tables: labels, common } = useLabels();
  const groups = useAnswer('GET /api/core/table-groups', ALL).data?.table_groups;
  const schemas = useAnswer('GET /api/core/log-schemas', ALL).data?.schemas;
  const alarms = useAnswer('GET /api/core/alarm-groups', ALL).data?.alarm_groups;
  if (!groups || !schemas || !alarms) return undefined;
  const noneFor = (value: string | undefined) => (value ? {} : { noneLabel: common.none });
  return [
    {
      kind: 'choice',
      name: 'group_guid',
      label: labels.group,
      options: groups.map(({ guid, name }) => ({ value: guid, label: name })),
      ...noneFor(initial.group_guid),
    },
    {
      kind: 'choice',
      name: 'schema_code',
      label: labels.schema,
      hint: labels.schemaHint,
      options: schemas.map(({ code, name }) => ({ value: code, label: name })),
      ...noneFor(initial.schema_code),
    },
    {
      kind: 'number',
      name: 'expect_every',
      label: labels.expectEvery,
      hint: labels.expectHint,
      min: 0,
      max: MAX_EXPECTED_SECONDS,
    },
    {
      kind: 'choice',
      name: 'alarm_group_guid',
      label: labels.alarmGroup,
      options: alarms.map(({ guid, name }) => ({ value: guid, label: name })),
      isShown: ({ expect_every = 0 }) => expect_every > 0,
      ...noneFor(initial.alarm_group_guid),
    },
  ];
}
