// What is wrong with an object, or that nothing is: a line beside its other content.

import type { ReactNode } from 'react';
import styles from './callout.module.css';

interface CalloutProps {
  readonly tone?: 'high' | 'good';
  /** Read aloud as it appears: for the answer to what was just done. */
  readonly isAlert?: boolean;
  readonly children: ReactNode;
}

export const Callout = ({ tone = 'high', isAlert = false, children }: CalloutProps) => (
  <div className={styles.callout} data-tone={tone} role={isAlert ? 'alert' : undefined}>
    {children}
  </div>
);
