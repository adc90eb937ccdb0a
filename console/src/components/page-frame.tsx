// The frame of a page: its heading, its controls, and panels below.

import { type ReactNode, useEffect } from 'react';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './page-frame.module.css';

interface PageFrameProps {
  readonly title: string;
  /** Beside the heading: time range, buttons. */
  readonly controls?: ReactNode;
  /** True for a page whose content fills the height of the window and scrolls inside. */
  readonly fills?: boolean;
  readonly children: ReactNode;
}

export function PageFrame({ title, controls, fills = false, children }: PageFrameProps) {
  const { product } = useLabels();
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
  return (
    <div className={fills ? `${styles.page} ${styles.fills}` : styles.page}>
      <header className={styles.header}>
        <h1>{title}</h1>
        <div className={styles.controls}>{controls}</div>
      </header>
      {children}
    </div>
  );
}

interface PanelProps {
  readonly title?: string;
  readonly controls?: ReactNode;
  readonly isFlush?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** `isFlush`: content reaches the edges. */
export const Panel = ({ title, controls, isFlush = false, className, children }: PanelProps) => (
  <section
    className={[styles.panel, className].filter(Boolean).join(' ')}
    {...(title === undefined ? {} : { 'aria-label': title })}
  >
    {(title !== undefined || controls !== undefined) && (
      <header className={styles.panelHeader}>
        {title !== undefined && <h2>{title}</h2>}
        <div className={styles.controls}>{controls}</div>
      </header>
    )}
    <div className={isFlush ? undefined : styles.panelBody}>{children}</div>
  </section>
);
