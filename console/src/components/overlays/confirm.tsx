// A dialog that asks before something is removed or cannot be taken back, and says what goes with it.

import { type ReactNode, useState } from 'react';
import { failureText } from '#console/client/failure-text.ts';
import { Button } from '#console/components/button.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './confirm.module.css';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What happens. */
  readonly text: string;
  /** What goes with it: names, counts, references. */
  readonly consequences?: readonly string[];
  readonly confirmLabel?: string;
  readonly cancelLabel?: string;
  readonly isDangerous?: boolean;
  /** True while what goes with it is not known yet, or where it forbids the action. */
  readonly isBlocked?: boolean;
  /** Below the text. */
  readonly children?: ReactNode;
  /** A rejection is shown in the dialog, which stays open. */
  onConfirm(): Promise<void>;
  onClose(): void;
}

export function ConfirmDialog({
  title,
  text,
  consequences = [],
  confirmLabel,
  cancelLabel,
  isDangerous = true,
  isBlocked = false,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const labels = useLabels();
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  async function confirm() {
    setSending(true);
    setFailure(undefined);
    try {
      await onConfirm();
    } catch (error) {
      const { text: words, detail } = failureText(error, labels);
      setFailure(detail === undefined ? words : `${words} ${detail}`);
    }
    setSending(false);
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={text}
      footer={
        <>
          <Button onClick={onClose}>{cancelLabel ?? labels.common.cancel}</Button>
          <Button
            kind={isDangerous ? 'danger' : 'primary'}
            disabled={isSending || isBlocked}
            onClick={() => void confirm()}
          >
            {confirmLabel ?? labels.common.delete}
          </Button>
        </>
      }
    >
      {consequences.length > 0 && <Consequences texts={consequences} />}
      {children}
      {failure !== undefined && (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
    </Dialog>
  );
}

const Consequences = ({ texts }: { readonly texts: readonly string[] }) => (
  <ul className={styles.consequences}>
    {texts.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
);
