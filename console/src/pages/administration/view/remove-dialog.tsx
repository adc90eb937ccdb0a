// Asks before records are removed: what refers to them is listed where the service knows it.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from '#console/pages/administration/administration.module.css';
import type { AnyFamily, AnyRecord, Removal } from '#console/pages/administration/family.ts';

interface RemoveDialogProps {
  readonly family: AnyFamily;
  readonly scope: string;
  readonly records: readonly AnyRecord[];
  onDone(): void;
  onClose(): void;
}

export function RemoveDialog({ family, scope, records, onDone, onClose }: RemoveDialogProps) {
  const { administration: labels, common } = useLabels();
  const client = useQueryClient();
  const [failures, setFailures] = useState<Removal['failures']>([]);
  const keys = records.map((record) => family.keyOf(record));
  const names = new Map(records.map((record) => [family.keyOf(record), family.nameOf(record)]));
  const trial = useQuery({
    queryKey: ['administration', family.id, 'removal', keys],
    queryFn: async () => (await family.remove?.(keys, { scope, isDryRun: true })) ?? null,
    enabled: family.hasDryRun === true,
    gcTime: 0,
  });
  const references = trial.data?.references ?? [];
  async function remove() {
    const removal = await family.remove?.(keys, { scope, isDryRun: false });
    const failed = removal?.failures ?? [];
    await client.invalidateQueries();
    setFailures(failed);
    if (failed.length < keys.length) showToast(labels.removed(keys.length - failed.length));
    if (failed.length === 0) onDone();
  }
  const [only] = records;
  const { many } = labels.families[family.id];
  return (
    <ConfirmDialog
      title={
        only && records.length === 1
          ? labels.removeTitle(family.nameOf(only))
          : labels.removeMany(records.length, many.toLowerCase())
      }
      text={labels.removeText}
      confirmLabel={common.delete}
      isBlocked={trial.isLoading}
      onConfirm={remove}
      onClose={onClose}
    >
      {trial.isSuccess && <p>{references.length === 0 ? labels.noReferences : labels.references(references.length)}</p>}
      {references.length > 0 && (
        <ul className={styles.references}>
          {references.map(({ id, kind, guid, name, field }) => (
            <li key={`${id} ${kind} ${guid} ${field}`}>
              {labels.referrers[kind]}: <strong>{name}</strong> <code>{field}</code>
            </li>
          ))}
        </ul>
      )}
      {failures.length > 0 && (
        <ul className={styles.failures} role="alert">
          {failures.map(({ id, reason }) => (
            <li key={id}>
              <strong>{names.get(id) ?? id}</strong>: {reasonText(reason, labels.reasons)}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}

const reasonText = (reason: string, reasons: Readonly<Record<string, string>>): string => reasons[reason] ?? reason;
