// Tells that the service does not answer, and that it does again.

import { useEffect, useRef } from 'react';
import { useConnection } from '#console/client/connection.ts';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './offline-banner.module.css';

export function OfflineBanner() {
  const labels = useLabels();
  const connection = useConnection();
  const before = useRef(connection);
  useEffect(() => {
    if (before.current === 'offline' && connection === 'online') showToast(labels.shell.online);
    before.current = connection;
  }, [connection, labels]);
  return (
    <div role="status" className={connection === 'offline' ? styles.banner : undefined}>
      {connection === 'offline' && labels.shell.offline}
    </div>
  );
}
