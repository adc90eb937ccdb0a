// Rows or bytes by day as bars, drawn as SVG. Days are those of the service; days without records are gaps.

import { type PointerEvent, useState } from 'react';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { byteText, numberText, shortNumber } from '#console/time/numbers.ts';
import { type DayBucket, type DayFigures, dayBuckets } from './day-buckets.ts';
import styles from './histogram.module.css';

interface DayBarsProps {
  readonly title: string;
  /** In any order. */
  readonly days: readonly DayFigures[];
  readonly measure: 'rows' | 'bytes';
  /** Drawn as what would go. */
  isMarked?(day: string): boolean;
  readonly height?: number;
}

const VIEW_WIDTH = 1000;
const MAX_AXIS_DAYS = 7;

export function DayBars({ title, days, measure, isMarked = () => false, height = 120 }: DayBarsProps) {
  const { charts } = useLabels();
  const { locale } = useLanguage();
  const [hovered, setHovered] = useState<number>();
  const buckets = dayBuckets(days);
  const highest = Math.max(1, ...buckets.map((bucket) => bucket[measure]));
  const total = buckets.reduce((sum, bucket) => sum + bucket[measure], 0);
  const text = (value: number) => (measure === 'bytes' ? byteText(value) : numberText(value, locale));
  const indexAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(buckets.length - 1, Math.floor(((clientX - left) / width) * buckets.length)));
  };
  return (
    <figure className={styles.figure}>
      <div className={styles.plot}>
        <span className={styles.top}>{measure === 'bytes' ? byteText(highest) : shortNumber(highest, locale)}</span>
        <svg
          className={styles.svg}
          viewBox={`0 0 ${VIEW_WIDTH} 100`}
          preserveAspectRatio="none"
          height={height}
          role="img"
          aria-label={`${charts.chart(title)}. ${text(total)}`}
          onPointerMove={(event) => setHovered(indexAt(event))}
          onPointerLeave={() => setHovered(undefined)}
        >
          {buckets.map((bucket, index) => (
            <Bar
              key={bucket.first}
              share={bucket[measure] / highest}
              span={{ index, count: buckets.length }}
              isMarked={isMarked(bucket.last)}
              isHovered={index === hovered}
            />
          ))}
        </svg>
        {total === 0 && <p className={styles.empty}>{charts.noData}</p>}
      </div>
      <Axis buckets={buckets} />
      {hovered !== undefined && <Reading buckets={buckets} index={hovered} />}
    </figure>
  );
}

interface BarProps {
  readonly share: number;
  readonly span: { readonly index: number; readonly count: number };
  readonly isMarked: boolean;
  readonly isHovered: boolean;
}

function Bar({ share, span: { index, count }, isMarked, isHovered }: BarProps) {
  if (share === 0) return undefined;
  const width = VIEW_WIDTH / count;
  // A single record among millions is still to be seen.
  const height = Math.max(1.5, share * 100);
  return (
    <rect
      x={(index + 0.08) * width}
      width={width * 0.84}
      y={100 - height}
      height={height}
      fill={`var(${isMarked ? '--high' : '--series-1'})`}
      opacity={isHovered ? 1 : 0.85}
    />
  );
}

function Axis({ buckets }: { readonly buckets: readonly DayBucket[] }) {
  const step = Math.max(1, Math.ceil(buckets.length / MAX_AXIS_DAYS));
  const isLong = buckets[0]?.first.slice(0, 4) !== buckets.at(-1)?.last.slice(0, 4);
  return (
    <div className={styles.axis} aria-hidden="true">
      {buckets.map(({ first }, index) =>
        index % step === 0 ? (
          <span key={first} style={{ left: `${(index / buckets.length) * 100}%` }}>
            {isLong ? first : first.slice(5)}
          </span>
        ) : undefined,
      )}
    </div>
  );
}

function Reading({ buckets, index }: { readonly buckets: readonly DayBucket[]; readonly index: number }) {
  const { charts } = useLabels();
  const { locale } = useLanguage();
  const bucket = buckets[index];
  if (!bucket) return undefined;
  const share = (index + 0.5) / buckets.length;
  const side = share > 0.5 ? { right: `${(1 - share) * 100}%` } : { left: `${share * 100}%` };
  return (
    <div className={styles.reading} style={side}>
      <strong>{bucket.first}</strong>
      {bucket.last !== bucket.first && <span className={styles.until}>– {bucket.last}</span>}
      <span className={styles.count}>
        {charts.rows}
        <b>{numberText(bucket.rows, locale)}</b>
      </span>
      <span className={styles.count}>
        {charts.bytes}
        <b>{byteText(bucket.bytes)}</b>
      </span>
    </div>
  );
}
