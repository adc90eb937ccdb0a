// A short text beside a control, on hover and on focus.

import * as RadixTooltip from '@radix-ui/react-tooltip';
import type { ReactNode } from 'react';
import styles from './popup.module.css';

export const TooltipProvider = ({ children }: { readonly children: ReactNode }) => (
  <RadixTooltip.Provider delayDuration={400}>{children}</RadixTooltip.Provider>
);

/** `children` is one element that takes a ref. */
export const Tooltip = ({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }) => (
  <RadixTooltip.Root>
    <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
    <RadixTooltip.Portal>
      <RadixTooltip.Content className={styles.tooltip} sideOffset={4} collisionPadding={8}>
        {text}
      </RadixTooltip.Content>
    </RadixTooltip.Portal>
  </RadixTooltip.Root>
);
