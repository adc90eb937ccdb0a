// What the service could not renew: it stays, greyed, with its age.

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useConnection } from '#console/client/connection.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { now, textOf } from '#console/time/moments.ts';
import { agoText, useZone } from '#console/time/time.tsx';
import { useEvery } from '#console/time/use-every.ts';
import styles from './aged.module.css';

/** An answer of React Query. */
export interface DatedAnswer {
  /** Epoch milliseconds; 0 where there is none yet. */
  readonly dataUpdatedAt: number;
  /** True for an older answer in the place of one that is on its way. */
  readonly isPlaceholderData: boolean;
}

/** `answers`: those that the content is made of; the oldest counts. */
export function Aged({
  answers,
  children,
}: {
  readonly answers: readonly DatedAnswer[];
  readonly children: ReactNode;
}) {
  const at = useAnsweredAt(answers);
  const isOld = useConnection() === 'offline' && at !== undefined;
  return (
    <div className={isOld ? styles.old : styles.current}>
      {isOld && <Age at={at} />}
      {children}
    </div>
  );
}

/** When the content was answered. An answer that takes the place of another one keeps its own time. */
function useAnsweredAt(answers: readonly DatedAnswer[]): number | undefined {
  const known = useRef<number>(undefined);
  const dated = answers.filter(({ dataUpdatedAt, isPlaceholderData }) => dataUpdatedAt > 0 && !isPlaceholderData);
  const oldest = Math.min(...dated.map(({ dataUpdatedAt }) => dataUpdatedAt));
  const answeredAt = dated.length === answers.length ? oldest : known.current;
  useEffect(() => {
    known.current = answeredAt;
  }, [answeredAt]);
  return answeredAt;
}

const TICK_MS = 5000;

function Age({ at }: { readonly at: number }) {
  const { times } = useLabels();
  const zone = useZone();
  const [, setNow] = useState(now);
  useEvery(TICK_MS, () => setNow(now()));
  return <p className={styles.age}>{times.asOf(textOf(at, zone, 'second'), agoText(at, times))}</p>;
}
