// A key of scope push, made here and shown once. It lives in the memory of the page alone.

import { useState } from 'react';
import { call } from '#console/client/call.ts';
import { failureText } from '#console/client/failure-text.ts';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { copyText } from '#console/components/copy-text.ts';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './add.module.css';

interface PushKeyProps {
  readonly table: string;
  readonly apiKey: string | undefined;
  onMade(key: string): void;
}

export function PushKey({ table, apiKey, onMade }: PushKeyProps) {
  const labels = useLabels();
  const { sources } = labels;
  const { guid } = useAccount();
  const [isSending, setSending] = useState(false);
  async function make() {
    setSending(true);
    try {
      const name = sources.keyName(table);
      const { api_key } = await call('POST /api/core/users/:guid/api-keys', { guid, name, scope: 'push' });
      onMade(api_key);
    } catch (error) {
      showToast(failureText(error, labels).text, 'failed');
    }
    setSending(false);
  }
  if (apiKey === undefined) {
    return (
      <div className={styles.key}>
        <p className={styles.note}>{sources.keyText}</p>
        <Button icon="plus" disabled={isSending} onClick={() => void make()}>
          {sources.makeKey}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.key}>
      <p className={styles.note}>{sources.keyOnce}</p>
      <code className={styles.secret}>{apiKey}</code>
      <Button size="small" icon="copy" onClick={() => void copyText(apiKey, labels)}>
        {sources.copyKey}
      </Button>
    </div>
  );
}
