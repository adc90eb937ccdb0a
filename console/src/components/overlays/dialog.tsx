// A dialog over the page. Focus stays inside and returns to where it was; Escape closes what is open in it, then the dialog.

import * as RadixDialog from '@radix-ui/react-dialog';
import { type ReactNode, useState } from 'react';
import { IconButton } from '#console/components/button.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './dialog.module.css';
import { createEscapeLayers, EscapeLayersContext } from './escape-layers.ts';

export interface DialogProps {
  readonly isOpen: boolean;
  onClose(): void;
  readonly title: string;
  /** Below the title. */
  readonly description?: string;
  /** `side` stands at the right edge, for details beside a list. */
  readonly placement?: 'centre' | 'side';
  readonly isWide?: boolean;
  /** True for what is shown once: neither Escape nor a click beside it closes it. */
  readonly isLasting?: boolean;
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
  isLasting = false,
  footer,
  children,
}: DialogProps) {
  const labels = useLabels();
  const [layers] = useState(createEscapeLayers);
  const classes = [styles.content, styles[placement], isWide ? styles.wide : ''].filter(Boolean).join(' ');
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay} />
        <RadixDialog.Content
          className={classes}
          onEscapeKeyDown={(event) => {
            // While a syllable is being composed, Escape belongs to the input method.
            if (event.isComposing || layers.closeNewest() || isLasting) event.preventDefault();
          }}
          onInteractOutside={(event) => isLasting && event.preventDefault()}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className={styles.header}>
            <RadixDialog.Title>{title}</RadixDialog.Title>
          </header>
          {description !== undefined && (
            <RadixDialog.Description className={styles.description}>{description}</RadixDialog.Description>
          )}
          <EscapeLayersContext value={layers}>
            <div className={styles.body}>{children}</div>
          </EscapeLayersContext>
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
