// The export of the entries that the filters leave.

import { plainRequest } from '#client/plain-request.ts';
import { Button } from '#console/components/button.tsx';
import { Dialog } from '#console/components/overlays/dialog.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import type { AuditSearch, filtersOf } from './audit-search.ts';

interface ExportDialogProps {
  readonly filters: ReturnType<typeof filtersOf>;
  readonly search: AuditSearch;
  readonly total: number;
  onClose(): void;
}

export function ExportDialog({ filters, search: { user, address }, total, onClose }: ExportDialogProps) {
  const { audit: labels, common } = useLabels();
  const { locale } = useLanguage();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={labels.export}
      description={labels.exportText(numberText(total, locale))}
      footer={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            kind="primary"
            icon="download"
            onClick={() => {
              download(filters);
              onClose();
            }}
          >
            {labels.download}
          </Button>
        </>
      }
    >
      {(user !== undefined || address !== undefined) && <p>{labels.exportMentions}</p>}
    </Dialog>
  );
}

/** By the browser, from the operation to the disk: entries do not pass through the memory of the page. */
function download(filters: ExportDialogProps['filters']): void {
  const link = document.createElement('a');
  link.href = plainRequest('GET /api/core/audit-logs/export', filters).path;
  link.download = 'vigil-audit.ndjson';
  link.click();
}
