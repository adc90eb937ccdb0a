// Files dropped here open a preview, and are uploaded into the table that is chosen there; the list below shows how far they
// are, also after a reload.

import { useEffect, useState } from 'react';
import { useAccount } from '#console/client/session.ts';
import { FileDrop } from '#console/components/forms/file-drop.tsx';
import { Panel } from '#console/components/page-frame.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { isAtLeast } from '#contract/values.ts';
import { OpenStreams } from './open-streams.tsx';
import { UploadDialog } from './upload-dialog.tsx';
import { UploadLine } from './upload-line.tsx';
import { recallUploads, resumeUpload, useUploads } from './upload-store.ts';
import styles from './uploads.module.css';

export function UploadPanel() {
  const { sources: labels } = useLabels();
  const { guid, role_name } = useAccount();
  const uploads = useUploads(guid);
  const [dropped, setDropped] = useState<readonly File[]>([]);
  useEffect(() => void recallUploads(guid), [guid]);
  /** A file that was begun before goes on at once: its table is known. */
  async function take(files: readonly File[]) {
    const isResumed = await Promise.all(files.map((file) => resumeUpload(guid, file)));
    setDropped(files.filter((_, index) => !isResumed[index]));
  }
  return (
    <Panel title={labels.uploads}>
      <div className={styles.panel}>
        <FileDrop label={labels.drop} hint={labels.dropHint} takesMany onFiles={(files) => void take(files)} />
        {uploads.length > 0 && (
          <ul className={styles.list} aria-label={labels.uploads}>
            {uploads.map((upload) => (
              <UploadLine key={upload.id} upload={upload} />
            ))}
          </ul>
        )}
        {isAtLeast(role_name, 'ADMIN') && <OpenStreams ownTokens={uploads.flatMap(({ token }) => token ?? [])} />}
      </div>
      {dropped.length > 0 && <UploadDialog files={dropped} onClose={() => setDropped([])} />}
    </Panel>
  );
}
