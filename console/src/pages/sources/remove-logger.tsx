// A logger is removed; what refers to it is named before, and its table stays unless it is asked for.

import { useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { ServiceError } from '#console/client/service-error.ts';
import { Checkbox } from '#console/components/forms/field.tsx';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import type { Logger } from './sources-search.ts';

interface RemoveLoggerProps {
  readonly logger: Logger;
  onClose(): void;
  onDone(): void;
}

export function RemoveLogger({ logger: { guid, name, table_name }, onClose, onDone }: RemoveLoggerProps) {
  const { sources: labels } = useLabels();
  const [dropsTable, setDropsTable] = useState(false);
  const dryRun = useAnswer('DELETE /api/core/loggers', { guids: [guid], dry_run: true });
  const references = dryRun.data?.references ?? [];
  return (
    <ConfirmDialog
      title={labels.remove(name)}
      text={labels.removeText}
      consequences={references.map((reference) => labels.referredBy(reference.name ?? reference.guid))}
      isBlocked={dryRun.data === undefined}
      onClose={onClose}
      onConfirm={async () => {
        const { failures } = await call('DELETE /api/core/loggers', { guids: [guid], drop_table: dropsTable });
        const [failure] = failures;
        if (failure) throw new ServiceError(200, '', { error_code: 'illegal-state', error_msg: failure.reason });
        showToast(labels.removed(name));
        onDone();
      }}
    >
      <Checkbox label={labels.dropTable(table_name)} isChecked={dropsTable} onChange={setDropsTable} />
    </ConfirmDialog>
  );
}
