// The fields of a form that ask for a table: one that is there, or a new one with the days that its records are kept.

import type { FormField } from '#console/components/forms/form-field.ts';
import { useLabels } from '#console/labels/labels.tsx';

export interface TableDraft {
  readonly table: string;
  readonly retention: number | undefined;
}

interface TableFieldsOptions {
  readonly label: string;
  readonly tables: readonly string[];
  /** Whether a table may be made that is not there yet. */
  readonly mayMake: boolean;
}

export function useTableFields({ label, tables, mayMake }: TableFieldsOptions): readonly FormField<TableDraft>[] {
  const { sources: labels, tables: tableLabels } = useLabels();
  return [
    {
      kind: 'text',
      name: 'table',
      label,
      hint: mayMake ? labels.tableHint : labels.knownTableHint,
      isRequired: true,
      maxLength: 50,
      suggestions: tables,
    },
    {
      kind: 'number',
      name: 'retention',
      label: tableLabels.retentionDays,
      hint: tableLabels.retentionHint,
      min: 0,
      max: 36_500,
      isShown: ({ table }) => mayMake && table !== '' && !tables.includes(table),
    },
  ];
}
