// What can be changed of a table after it was made: its group, its log schema, and how often records are expected.

import { call } from '#console/client/call.ts';
import { present } from '#console/client/present.ts';
import { FormDialog } from '#console/components/forms/form.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import type { TableRecord } from './tables-search.ts';
import { type TableFieldValues, useTableFields } from './use-table-fields.ts';

interface TableSettingsProps {
  readonly table: TableRecord;
  onClose(): void;
  onDone(): void;
}

export function TableSettings({ table, onClose, onDone }: TableSettingsProps) {
  const { tables: labels } = useLabels();
  const { group_guid = '', schema_code = '', alarm_group_guid = '', expect_every } = table;
  const initial: TableFieldValues = { group_guid, schema_code, alarm_group_guid, expect_every };
  const fields = useTableFields(initial);
  if (!fields) return undefined;
  return (
    <FormDialog<TableFieldValues>
      title={labels.settings}
      description={labels.settingsText}
      fields={fields}
      initial={initial}
      onClose={onClose}
      onSubmit={async (draft) => {
        await call('PUT /api/core/tables/:table', { table: table.table_name, ...present({ ...draft }) });
        showToast(labels.saved);
        onDone();
      }}
    />
  );
}
