// One upload: how far it is, how it ended, and what can be done about it.

import { useState } from 'react';
import { failureText } from '#console/client/failure-text.ts';
import { StatusBadge } from '#console/components/badge.tsx';
import { Button } from '#console/components/button.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import type { Tone } from '#console/components/tone.ts';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { SearchLink } from '#console/pages/search-link.tsx';
import { byteText, numberText } from '#console/time/numbers.ts';
import { LAST_HOUR } from '#console/time/ranges.ts';
import { cancelUpload, dismissUpload, type Outcome, retryUpload, type UploadView } from './upload-store.ts';
import styles from './uploads.module.css';

const TONES: Readonly<Record<UploadView['phase'], Tone>> = {
  waiting: 'medium',
  sending: 'accent',
  finished: 'good',
  failed: 'high',
};
const SHOWN_REJECTED = 10;

export function UploadLine({ upload }: { readonly upload: UploadView }) {
  const labels = useLabels();
  const { sources } = labels;
  const { fileName, table, size, sent, phase, outcome, error } = upload;
  const progress = sources.progress(byteText(sent), byteText(size));
  return (
    <li className={styles.line}>
      <div className={styles.head}>
        <span className={styles.file}>{fileName}</span>
        <span className={styles.note}>{sources.into(table)}</span>
        <StatusBadge tone={TONES[phase]}>{sources.phases[phase]}</StatusBadge>
        <UploadButtons upload={upload} />
      </div>
      {phase !== 'finished' && (
        <div className={styles.bar}>
          <progress value={sent} max={Math.max(1, size)} aria-label={`${fileName}: ${progress}`} />
          <span className={styles.note}>{progress}</span>
        </div>
      )}
      {phase === 'waiting' && <p className={styles.note}>{sources.giveAgain}</p>}
      {phase === 'failed' && (
        <p className={styles.failure} role="alert">
          {failureText(error, labels).text} {failureText(error, labels).detail}
        </p>
      )}
      {outcome && <OutcomeNote outcome={outcome} table={table} />}
    </li>
  );
}

function UploadButtons({ upload: { id, phase } }: { readonly upload: UploadView }) {
  const labels = useLabels();
  const [isBusy, setBusy] = useState(false);
  async function cancel() {
    setBusy(true);
    try {
      await cancelUpload(id);
    } catch (error) {
      showToast(failureText(error, labels).text, 'failed');
      setBusy(false);
    }
  }
  if (phase === 'finished') {
    return (
      <Button size="small" icon="close" onClick={() => dismissUpload(id)}>
        {labels.common.close}
      </Button>
    );
  }
  return (
    <>
      {phase === 'failed' && (
        <Button size="small" icon="refresh" onClick={() => retryUpload(id)}>
          {labels.common.retry}
        </Button>
      )}
      <Button size="small" icon="close" disabled={isBusy} onClick={() => void cancel()}>
        {labels.common.cancel}
      </Button>
    </>
  );
}

function OutcomeNote({ outcome, table }: { readonly outcome: Outcome; readonly table: string }) {
  const { sources: labels } = useLabels();
  const { locale } = useLanguage();
  const reasons: Readonly<Record<string, string>> = labels.reasons;
  return (
    <div className={styles.outcome}>
      <p>
        {labels.imported(numberText(outcome.accepted, locale), numberText(outcome.rejected_count, locale))}{' '}
        <SearchLink query={`table ${table}`} range={LAST_HOUR}>
          {labels.search}
        </SearchLink>
      </p>
      {outcome.rejected_count > 0 && (
        <ul className={styles.note}>
          {outcome.rejected.slice(0, SHOWN_REJECTED).map(({ line, reason }) => (
            <li key={line}>{labels.rejectedLine(numberText(line, locale), reasons[reason] ?? reason)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
