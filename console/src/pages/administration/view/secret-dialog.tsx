// A secret that the service shows once: to be copied now.

import { Button } from '#console/components/button.tsx';
import { copyText } from '#console/components/copy-text.ts';
import { Dialog } from '#console/components/overlays/dialog.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from '#console/pages/administration/administration.module.css';

export function SecretDialog({ secret, onClose }: { readonly secret: string; onClose(): void }) {
  const labels = useLabels();
  const { administration, common } = labels;
  return (
    <Dialog
      isOpen
      isLasting
      onClose={onClose}
      title={administration.secret.title}
      description={administration.secret.text}
      footer={
        <Button kind="primary" onClick={onClose}>
          {administration.secret.done}
        </Button>
      }
    >
      <div className={styles.secret}>
        <code>{secret}</code>
        <Button icon="copy" onClick={() => void copyText(secret, labels)}>
          {common.copy}
        </Button>
      </div>
    </Dialog>
  );
}
