// A panel beside a button.

import * as RadixPopover from '@radix-ui/react-popover';
import type { ReactNode } from 'react';
import styles from './popup.module.css';

interface PopoverProps {
  /** One button. */
  readonly trigger: ReactNode;
  readonly label: string;
  readonly isOpen?: boolean;
  onOpenChange?(isOpen: boolean): void;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

export const Popover = ({ trigger, label, isOpen, onOpenChange, align = 'start', children }: PopoverProps) => (
  <RadixPopover.Root
    {...(isOpen === undefined ? {} : { open: isOpen })}
    {...(onOpenChange === undefined ? {} : { onOpenChange })}
  >
    <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
    <RadixPopover.Portal>
      <RadixPopover.Content
        className={styles.popover}
        align={align}
        sideOffset={4}
        collisionPadding={8}
        aria-label={label}
      >
        {children}
      </RadixPopover.Content>
    </RadixPopover.Portal>
  </RadixPopover.Root>
);
