// A dialog over the page. Focus stays inside and returns to where it was; Escape closes.

import * as RadixDialog from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { useLabels } from '#console/labels/labels.tsx';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly isOpen: boolean;
  onClose(): void;
  readonly title: string;
  /** Below the title. */
  readonly description?: string;
  /** `side` stands at the right edge, for details beside a list. */
  readonly placement?: 'centre' | 'side';
  readonly isWide?: boolean;
  /** Buttons. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  placement = 'centre',
  isWide,
  footer,
  children,
}: DialogProps) {
  const labels = useLabels();
  const classes = [styles.content, styles[placement], isWide ? styles.wide : ''].filter(Boolean).join(' ');
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay} />
        <RadixDialog.Content
          className={classes}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className={styles.header}>
            <RadixDialog.Title>{title}</RadixDialog.Title>
          </header>
          {description !== undefined && (
            <RadixDialog.Description className={styles.description}>{description}</RadixDialog.Description>
          )}
          <div className={styles.body}>{children}</div>
          {footer && <footer className={styles.footer}>{footer}</footer>}
          {/* Last, so that the first field of the content has the focus at the beginning. */}
          <span className={styles.close}>
            <IconButton icon="close" label={labels.common.close} hasTooltip={false} onClick={onClose} />
          </span>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
