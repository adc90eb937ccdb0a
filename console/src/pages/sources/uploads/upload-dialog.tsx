// Dropped files before anything of them is sent: what their first lines become, and the table that the reader chooses.

import { useAnswer } from '#console/client/answers.ts';
import { useAccount } from '#console/client/session.ts';
import { FormDialog } from '#console/components/forms/form.tsx';
import type { FormField } from '#console/components/forms/form-field.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { ensureTable } from '#console/pages/sources/add/make-source.ts';
import { type TableDraft, useTableFields } from '#console/pages/sources/table-fields.ts';
import { numberText } from '#console/time/numbers.ts';
import { isAtLeast } from '#contract/values.ts';
import { FilePreview } from './file-preview.tsx';
import { formatOf } from './first-records.ts';
import { beginUpload, FORMATS, type Format } from './upload-store.ts';
import styles from './uploads.module.css';

interface UploadDialogProps {
  readonly files: readonly File[];
  onClose(): void;
}

interface Draft extends TableDraft {
  readonly format: string;
}

const MAX_TABLES = 10_000;
const MAX_PREVIEWS = 5;
const LINES_OF_ONE = 10;
const LINES_OF_MANY = 3;

export function UploadDialog({ files, onClose }: UploadDialogProps) {
  const { sources: labels } = useLabels();
  const { locale } = useLanguage();
  const { guid } = useAccount();
  const { data } = useAnswer('GET /api/core/tables', { limit: MAX_TABLES });
  const tables = data?.tables.map(({ table_name }) => table_name) ?? [];
  const fields = useUploadFields(tables);
  const count = { count: files.length, text: numberText(files.length, locale) };
  return (
    <FormDialog<Draft>
      title={labels.uploads}
      description={labels.uploadText}
      isWide
      fields={fields}
      initial={{ table: '', retention: 0, format: '' }}
      submitLabel={({ table }) =>
        table === '' ? labels.uploadFiles(count.count, count.text) : labels.uploadInto(count.count, count.text, table)
      }
      onClose={onClose}
      onSubmit={async ({ table, retention = 0, format }) => {
        await ensureTable(table, { retention, isThere: tables.includes(table) });
        for (const file of files) void beginUpload(guid, file, { table, format: chosenFormat(format, file) });
        onClose();
      }}
    >
      {({ format }) => (
        <>
          {files.slice(0, MAX_PREVIEWS).map((file) => (
            <FilePreview
              key={`${file.name} ${file.size} ${file.lastModified}`}
              file={file}
              format={chosenFormat(format, file)}
              count={files.length === 1 ? LINES_OF_ONE : LINES_OF_MANY}
            />
          ))}
          {files.length > MAX_PREVIEWS && (
            <p className={styles.note}>{labels.moreFiles(numberText(files.length - MAX_PREVIEWS, locale))}</p>
          )}
        </>
      )}
    </FormDialog>
  );
}

const chosenFormat = (chosen: string, { name }: File): Format =>
  FORMATS.find((format) => format === chosen) ?? formatOf(name);

function useUploadFields(tables: readonly string[]): readonly FormField<Draft>[] {
  const { sources: labels } = useLabels();
  const { role_name } = useAccount();
  const mayMake = isAtLeast(role_name, 'ADMIN');
  const tableFields = useTableFields({ label: labels.uploadTable, tables, mayMake });
  return [
    ...tableFields,
    {
      kind: 'choice',
      name: 'format',
      label: labels.format,
      noneLabel: labels.formats.auto,
      options: FORMATS.map((value) => ({ value, label: labels.formats[value] })),
    },
  ];
}
