// Rows of a file into a lookup: all of them or none.

import { useQueryClient } from '@tanstack/react-query';
import { callWith } from '#console/client/call.ts';
import fieldStyles from '#console/components/forms/field.module.css';
import { FormDialog } from '#console/components/forms/form.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import { LOAD } from './lookup-values.ts';
import type { Lookup } from './lookups.tsx';

interface LookupUploadProps {
  readonly lookup: Lookup;
  onClose(): void;
}

interface Draft {
  readonly file: File | undefined;
  readonly mode: 'merge' | 'replace';
}

const TYPES: Readonly<Record<string, string>> = { csv: 'text/csv', json: 'application/json' };

const typeOf = ({ name }: File): string => TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/x-ndjson';

export function LookupUpload({ lookup: { guid }, onClose }: LookupUploadProps) {
  const { administration } = useLabels();
  const { lookups: names } = administration;
  const { locale } = useLanguage();
  const client = useQueryClient();
  async function upload({ file, mode }: Draft) {
    if (!file) return;
    const loaded = await callWith({ content: { type: typeOf(file), body: file } }, LOAD, { guid, mode });
    await client.invalidateQueries();
    showToast(names.loaded(numberText(loaded.row_count, locale)));
    onClose();
  }
  return (
    <FormDialog<Draft>
      title={names.upload}
      submitLabel={names.upload}
      initial={{ file: undefined, mode: 'merge' }}
      fields={[
        {
          kind: 'own',
          name: 'file',
          label: names.file,
          hint: names.fileHint,
          isRequired: true,
          control: ({ id, describedBy, mistake, onChange }) => (
            <input
              id={id}
              type="file"
              className={fieldStyles.file}
              accept=".csv,.json,.jsonl,.ndjson"
              aria-describedby={describedBy}
              aria-invalid={mistake !== undefined}
              onChange={(event) => onChange(event.target.files?.[0])}
            />
          ),
        },
        {
          kind: 'choice',
          name: 'mode',
          label: names.mode,
          options: (['merge', 'replace'] as const).map((value) => ({ value, label: names.modes[value] })),
        },
      ]}
      onSubmit={upload}
      onClose={onClose}
    />
  );
}
