// Uploads that other browsers and programs have opened and not finished: an administrator sees how far they are, and removes them.

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { AnswerFor } from '#client/call.ts';
import { useAnswer } from '#console/client/answers.ts';
import { call } from '#console/client/call.ts';
import { Button } from '#console/components/button.tsx';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { byteText } from '#console/time/numbers.ts';
import { Time } from '#console/time/time.tsx';
import styles from './uploads.module.css';

const LIST = 'GET /api/core/upload-streams';
const REFRESH_MS = 15_000;

type Stream = AnswerFor<typeof LIST>['streams'][number];

export function OpenStreams({ ownTokens }: { readonly ownTokens: readonly string[] }) {
  const { sources: labels } = useLabels();
  const client = useQueryClient();
  const { data } = useAnswer(LIST, {}, { every: REFRESH_MS });
  const [asked, setAsked] = useState<Stream>();
  // The list is older than the end of an own upload: those that were here stay left out.
  const own = useRef(new Set<string>());
  for (const token of ownTokens) own.current.add(token);
  const others = data?.streams.filter(({ token }) => !own.current.has(token)) ?? [];
  if (others.length === 0) return undefined;
  return (
    <section aria-label={labels.openStreams} className={styles.panel}>
      <h3>{labels.openStreams}</h3>
      <ul className={styles.list}>
        {others.map((stream) => (
          <StreamLine key={stream.token} stream={stream} onRemove={() => setAsked(stream)} />
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          title={labels.removeStream(asked.file_name)}
          text={labels.removeStreamText}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            // One that is gone meanwhile is what was asked for.
            await call('DELETE /api/core/upload-streams', { tokens: [asked.token] });
            setAsked(undefined);
            showToast(labels.streamRemoved);
            await client.invalidateQueries({ queryKey: [LIST] });
          }}
        />
      )}
    </section>
  );
}

function StreamLine({ stream, onRemove }: { readonly stream: Stream; onRemove(): void }) {
  const { sources: labels, common } = useLabels();
  const { file_name, uploaded_size, file_size, login_name, metadata, created } = stream;
  const progress = labels.progress(byteText(uploaded_size), byteText(file_size));
  const target = typeof metadata.table === 'string' ? labels.into(metadata.table) : '';
  return (
    <li className={styles.line}>
      <div className={styles.head}>
        <span className={styles.file}>{file_name}</span>
        <span className={styles.note}>
          {target} {labels.begunBy(login_name)}, <Time at={created} isRelative />
        </span>
        <Button size="small" icon="trash" onClick={onRemove}>
          {common.delete}
        </Button>
      </div>
      <div className={styles.bar}>
        <progress value={uploaded_size} max={Math.max(1, file_size)} aria-label={`${file_name}: ${progress}`} />
        <span className={styles.note}>{progress}</span>
      </div>
    </li>
  );
}
