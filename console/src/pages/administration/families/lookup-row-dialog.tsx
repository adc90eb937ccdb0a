// One row of a lookup: made, changed, or removed.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { FormDialog } from '#console/components/forms/form.tsx';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import styles from '#console/pages/administration/administration.module.css';
import { numberText } from '#console/time/numbers.ts';
import { editedValue, type LookupRow, MAX_READ_ROWS, mergeRow, removeRow, rowText } from './lookup-values.ts';
import type { Lookup } from './lookups.tsx';

interface LookupRowDialogProps {
  readonly lookup: Lookup;
  /** Undefined for a new one. */
  readonly row: LookupRow | undefined;
  onClose(): void;
}

type Draft = Readonly<Record<string, string>>;

export function LookupRowDialog({ lookup, row, onClose }: LookupRowDialogProps) {
  const { administration } = useLabels();
  const { lookups: names } = administration;
  const client = useQueryClient();
  const key = row && rowText(row[lookup.key]);
  async function save(draft: Draft) {
    const values = Object.entries(draft).map(([column, text]) => [column, editedValue(text, row?.[column])]);
    await mergeRow(lookup.guid, Object.fromEntries(values));
    await client.invalidateQueries();
    onClose();
  }
  return (
    <FormDialog<Draft>
      title={key === undefined ? names.addRow : names.changeRow(key)}
      fields={lookup.columns.map((column) => ({
        kind: 'text',
        name: column,
        label: column,
        isRequired: column === lookup.key,
        // Another key would be another row.
        isShown: () => row === undefined || column !== lookup.key,
      }))}
      initial={Object.fromEntries(lookup.columns.map((column) => [column, rowText(row?.[column])]))}
      onSubmit={save}
      onClose={onClose}
    >
      {() => row && <RemoveRow lookup={lookup} row={row} onDone={onClose} />}
    </FormDialog>
  );
}

interface RemoveRowProps {
  readonly lookup: Lookup;
  readonly row: LookupRow;
  onDone(): void;
}

function RemoveRow({ lookup, row, onDone }: RemoveRowProps) {
  const { administration, common } = useLabels();
  const { lookups: names } = administration;
  const { locale } = useLanguage();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  if (lookup.row_count > MAX_READ_ROWS) {
    return <p className={styles.note}>{names.tooManyToRemove(numberText(MAX_READ_ROWS, locale))}</p>;
  }
  async function remove() {
    const isRemoved = await removeRow(lookup, row[lookup.key]);
    await client.invalidateQueries();
    showToast(isRemoved ? administration.removed(1) : names.changedMeanwhile, isRemoved ? 'done' : 'failed');
    onDone();
  }
  return (
    <div>
      <Button size="small" icon="trash" onClick={() => setAsked(true)}>
        {common.delete}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={names.removeRow(rowText(row[lookup.key]))}
          text={administration.removeText}
          onConfirm={remove}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  );
}
