// A table is removed with all its records. Loggers that write to it stand in the way, and are named before.

import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { ServiceError } from '#console/client/service-error.ts';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { byteText, numberText } from '#console/time/numbers.ts';
import type { TableRecord } from './tables-search.ts';
import { sumOf, useDays } from './use-days.ts';

interface DropTableProps {
  readonly table: TableRecord;
  onClose(): void;
  onDone(): void;
}

export function DropTable({ table, onClose, onDone }: DropTableProps) {
  const { tables: labels } = useLabels();
  const { locale } = useLanguage();
  const name = table.table_name;
  const { data: stored } = useDays(name);
  const { data: listed } = useAnswer('GET /api/core/loggers', {});
  const loggers = listed?.loggers.filter(({ table_name }) => table_name === name) ?? [];
  const rows = numberText(sumOf(stored?.days ?? [], 'rows'), locale);
  const shares = table.shared_users.length + table.shared_groups.length;
  return (
    <ConfirmDialog
      title={labels.drop(name)}
      text={loggers.length > 0 ? labels.dropUsed : labels.dropText}
      consequences={
        loggers.length > 0
          ? loggers.map((logger) => labels.usedBy(logger.name))
          : [labels.dropRows(rows, byteText(table.table_size + table.index_size)), labels.dropShares(shares)]
      }
      isBlocked={listed === undefined || loggers.length > 0}
      onClose={onClose}
      onConfirm={async () => {
        const { failure } = await call('DELETE /api/core/tables/:table', { table: name });
        // A logger that was made meanwhile.
        if (failure) throw new ServiceError(200, '', { error_code: 'illegal-state', error_msg: failure.message });
        showToast(labels.dropped(name));
        onDone();
      }}
    />
  );
}
