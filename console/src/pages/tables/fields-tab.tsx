// The fields of a table with their types, as queries see them.

import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { type Column, DataTable } from '#console/components/data-table.tsx';
import { TextField } from '#console/components/forms/field.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { matching } from '#console/filters/text-filter.ts';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './tables.module.css';

interface TableField {
  readonly name: string;
  readonly type: string;
}

export function FieldsTab({ table }: { readonly table: string }) {
  const { tables: labels, common } = useLabels();
  const answer = useAnswer('POST /api/core/queries/check', { q: `table ${table}` });
  const [sought, setSought] = useState('');
  const columns: readonly Column<TableField>[] = [
    {
      id: 'name',
      header: common.name,
      width: 'minmax(8rem, 1fr)',
      sortValue: ({ name }) => name,
      cell: ({ name }) => <code>{name}</code>,
    },
    {
      id: 'type',
      header: labels.type,
      width: '8rem',
      sortValue: ({ type }) => type,
      cell: ({ type }) => type,
    },
  ];
  return (
    <div className={styles.tab}>
      <TextField
        label={labels.findField}
        isLabelHidden
        type="search"
        placeholder={labels.findField}
        value={sought}
        onChange={setSought}
      />
      <Answered answer={answer}>
        {(checked) => (
          <DataTable
            label={labels.tabs.fields}
            rows={matching(checked.columns, sought, ({ name }) => name)}
            rowKey={({ name }) => name}
            columns={columns}
            maxHeight="32rem"
            empty={<EmptyState icon="columns" title={labels.noFields} />}
          />
        )}
      </Answered>
      <p className={styles.note}>{labels.fieldsNote}</p>
    </div>
  );
}
