// Waits for the next record of a table, and shows it as it was stored.

import { useEffect, useState } from 'react';
import { Button } from '#console/components/button.tsx';
import { Icon } from '#console/components/icon.tsx';
import { RecordFields } from '#console/components/parser-preview/parser-preview.tsx';
import { Failed } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { SearchLink } from '#console/pages/search-link.tsx';
import { LiveTail, WINDOW_SECONDS } from '#console/results/live-tail.ts';
import { numberText } from '#console/time/numbers.ts';
import { LAST_HOUR } from '#console/time/ranges.ts';
import styles from './add.module.css';

interface FirstLogProps {
  readonly table: string;
  onDone(): void;
}

export function FirstLog({ table, onDone }: FirstLogProps) {
  const [tail, setTail] = useState<LiveTail>();
  useEffect(() => {
    const made = new LiveTail(`table window=${WINDOW_SECONDS}s ${table}`);
    setTail(made);
    return () => made.close();
  }, [table]);
  return tail && <Arrival tail={tail} table={table} onDone={onDone} />;
}

function Arrival({ tail, table, onDone }: FirstLogProps & { readonly tail: LiveTail }) {
  const { sources: labels } = useLabels();
  const { locale } = useLanguage();
  const { rows, arrived, error } = tail.state.use();
  const first = rows.at(-1);
  if (error !== undefined) return <Failed error={error} />;
  return (
    <section className={styles.arrival} aria-label={labels.firstLog}>
      <p role="status" className={first ? styles.arrived : styles.waiting}>
        {first ? <Icon name="check" /> : <span className={styles.pulse} aria-hidden="true" />}
        {first ? labels.arrived(numberText(arrived, locale)) : labels.waiting(table)}
      </p>
      {first && (
        <>
          <RecordFields record={first} />
          <div className={styles.buttons}>
            <SearchLink query={`table ${table}`} range={LAST_HOUR}>
              {labels.search}
            </SearchLink>
            <Button kind="primary" icon="check" onClick={onDone}>
              {labels.done}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
