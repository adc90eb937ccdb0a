// Files dropped here are uploaded into a table; the list below shows how far they are, also after a reload.

import { useEffect, useState } from 'react';
import { useAnswer } from '#console/client/answers.ts';
import { useAccount } from '#console/client/session.ts';
import { FileDrop } from '#console/components/file-drop.tsx';
import { Panel } from '#console/components/page-frame.tsx';
import { Select } from '#console/components/select.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { isAtLeast } from '#contract/values.ts';
import { OpenStreams } from './open-streams.tsx';
import { UploadLine } from './upload-line.tsx';
import { beginUpload, FORMATS, type Format, recallUploads, useUploads } from './upload-store.ts';
import styles from './uploads.module.css';

const AUTO = 'auto';
const MAX_TABLES = 10_000;

export function UploadPanel() {
  const { sources: labels } = useLabels();
  const { guid, role_name } = useAccount();
  const uploads = useUploads(guid);
  const { data } = useAnswer('GET /api/core/tables', { limit: MAX_TABLES });
  const tables = data?.tables.map(({ table_name }) => table_name) ?? [];
  const [chosen, setChosen] = useState('');
  const [format, setFormat] = useState<Format | typeof AUTO>(AUTO);
  useEffect(() => void recallUploads(guid), [guid]);
  const table = tables.includes(chosen) ? chosen : (tables[0] ?? '');
  const take = (files: readonly File[]) => {
    for (const file of files) {
      void beginUpload(guid, file, { table, format: format === AUTO ? formatOf(file.name) : format });
    }
  };
  return (
    <Panel title={labels.uploads}>
      <div className={styles.panel}>
        <div className={styles.target}>
          <Select
            label={labels.uploadTable}
            value={table}
            options={tables.map((name) => ({ value: name, label: labels.into(name) }))}
            onChange={setChosen}
          />
          <Select<Format | typeof AUTO>
            label={labels.format}
            value={format}
            options={[
              { value: AUTO, label: labels.formats.auto },
              ...FORMATS.map((value) => ({ value, label: labels.formats[value] })),
            ]}
            onChange={setFormat}
          />
        </div>
        <FileDrop label={labels.drop} hint={labels.dropHint} takesMany isDisabled={table === ''} onFiles={take} />
        {uploads.length > 0 && (
          <ul className={styles.list} aria-label={labels.uploads}>
            {uploads.map((upload) => (
              <UploadLine key={upload.id} upload={upload} />
            ))}
          </ul>
        )}
        {isAtLeast(role_name, 'ADMIN') && <OpenStreams ownTokens={uploads.flatMap(({ token }) => token ?? [])} />}
      </div>
    </Panel>
  );
}

/** By the ending; `.gz` says nothing of the lines inside. */
export function formatOf(fileName: string): Format {
  const name = fileName.toLowerCase().replace(/\.gz$/, '');
  if (/\.(ndjson|jsonl|json)$/.test(name)) return 'ndjson';
  return name.endsWith('.csv') ? 'csv' : 'text';
}
