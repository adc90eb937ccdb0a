// After an update of the service, files of the older console are gone: the page offers to load itself again.

import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';

export function useOutdated(): ReactNode {
  const { shell } = useLabels();
  const [isOutdated, setOutdated] = useState(false);
  useEffect(() => {
    const notice = () => setOutdated(true);
    addEventListener('vite:preloadError', notice);
    return () => removeEventListener('vite:preloadError', notice);
  }, []);
  return isOutdated ? (
    <EmptyState icon="refresh" title={shell.outdatedTitle} text={shell.outdatedText}>
      <Button kind="primary" onClick={() => location.reload()}>
        {shell.reload}
      </Button>
    </EmptyState>
  ) : undefined;
}
