// What would be removed, in a sentence.

import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { byteText, numberText } from '#console/time/numbers.ts';
import type { Removal } from './removal.ts';
import styles from './tables.module.css';

interface RemovalNoteProps {
  readonly removal: Removal;
  /** The first day that stays. */
  readonly kept?: string | undefined;
}

export function RemovalNote({ removal: { days, rows, bytes }, kept }: RemovalNoteProps) {
  const { tables: labels } = useLabels();
  const { locale } = useLanguage();
  const text = days === 0 ? labels.removesNothing : labels.removes(days, numberText(rows, locale), byteText(bytes));
  return (
    <p className={days === 0 ? styles.note : styles.warning} role="status">
      {text}
      {kept !== undefined && ` ${labels.keepsFrom(kept)}`}
    </p>
  );
}
