// A stored text on the page: as text, never as markup; cut where it is long, with a button for the rest.

import { useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { numberText } from '#console/time/numbers.ts';
import styles from './stored-text.module.css';
import { cutText, visibleParts } from './visible-text.ts';

const MAX_CELL = 300;
const MAX_SHOWN = 2000;

/** On one line, cut. */
export function CellText({ text, max = MAX_CELL }: { readonly text: string; readonly max?: number }) {
  const cut = cutText(text, max);
  return (
    <bdi className={styles.cellText}>
      <Parts text={cut.replaceAll(/\s+/g, ' ')} />
      {cut.length < text.length && '…'}
    </bdi>
  );
}

/** With its line breaks, cut until the reader asks for all of it. */
export function StoredText({ text }: { readonly text: string }) {
  const { search: labels } = useLabels();
  const { locale } = useLanguage();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : cutText(text, MAX_SHOWN);
  return (
    <>
      <bdi className={styles.storedText}>
        <Parts text={shown} />
        {shown.length < text.length && '…'}
      </bdi>
      {text.length > MAX_SHOWN && (
        <Button size="small" kind="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? labels.showLess : labels.showAll(numberText(text.length, locale))}
        </Button>
      )}
    </>
  );
}

const Parts = ({ text }: { readonly text: string }) =>
  visibleParts(text).map(({ text: part, isCode }, index) =>
    isCode ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: Parts keep their places.
      <span key={index} className={styles.code}>
        {part}
      </span>
    ) : (
      part
    ),
  );
