// What the first lines of a file become, and which time each record gets.

import { useQuery } from '@tanstack/react-query';
import { useAnswer } from '#console/client/answers.ts';
import { failureText } from '#console/client/failure-text.ts';
import previewStyles from '#console/components/parser-preview/parser-preview.module.css';
import { RecordFields } from '#console/components/parser-preview/parser-preview.tsx';
import { Failed, Loading } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { Time } from '#console/time/time.tsx';
import { beginningOf } from './file-beginning.ts';
import { type FirstRecord, firstRecords, PARSERS } from './first-records.ts';
import type { Format } from './upload-store.ts';
import styles from './uploads.module.css';

interface FilePreviewProps {
  readonly file: File;
  readonly format: Format;
  /** Of lines. */
  readonly count: number;
}

export function FilePreview({ file, format, count }: FilePreviewProps) {
  const { sources: labels } = useLabels();
  const { name, size, lastModified } = file;
  const { data, error } = useQuery({
    queryKey: ['beginning of a file', name, size, lastModified],
    queryFn: () => beginningOf(file),
    gcTime: 0,
  });
  const records = data && firstRecords(data.text, format, count, data.isWhole);
  return (
    <section className={previewStyles.preview} aria-label={labels.previewOf(name)}>
      <h3>
        {labels.previewOf(name)} <span className={styles.note}>{labels.formats[format]}</span>
      </h3>
      {error && <Failed error={error} />}
      {!data && !error && <Loading lines={2} />}
      {records?.length === 0 && <p className={styles.note}>{labels.emptyFile}</p>}
      {records && records.length > 0 && <Records records={records} format={format} />}
    </section>
  );
}

function Records({ records, format }: { readonly records: readonly FirstRecord[]; readonly format: Format }) {
  const labels = useLabels();
  const { sources } = labels;
  const request = { lines: records.map(({ line }) => line), parser_code: PARSERS[format] };
  const { data, error } = useAnswer('POST /api/core/parsers/preview', request, { keepsPrevious: true });
  const reasons: Readonly<Record<string, string>> = sources.reasons;
  if (error) {
    const { text, detail } = failureText(error, labels);
    return (
      <p className={previewStyles.failure} role="alert">
        {text} {detail}
      </p>
    );
  }
  if (!data) return <Loading lines={2} />;
  return (
    <ol className={previewStyles.results}>
      {records.map(({ source, hasTime }, index) => {
        const { record = null, reason = null } = data.results[index] ?? {};
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: Lines may be equal; their places are what they are.
          <li key={index}>
            <code className={previewStyles.source}>{source}</code>
            {record === null ? (
              <span className={previewStyles.failure}>{reasons[reason ?? ''] ?? sources.blankLine}</span>
            ) : (
              <StoredRecord record={record} hasTime={hasTime} />
            )}
          </li>
        );
      })}
    </ol>
  );
}

function StoredRecord({
  record: { _time, ...fields },
  hasTime,
}: {
  readonly record: Readonly<Record<string, unknown>>;
  readonly hasTime: boolean;
}) {
  const { sources: labels } = useLabels();
  return (
    <>
      <p className={hasTime ? undefined : styles.uploadTime}>
        {hasTime ? (
          <>
            {labels.timeOfLine}: <Time at={String(_time)} />
          </>
        ) : (
          labels.timeOfUpload
        )}
      </p>
      <RecordFields record={fields} />
    </>
  );
}
