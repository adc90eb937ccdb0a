// Counts over time as stacked bars, drawn as SVG. Dragging over bars chooses their time; the picker does the same by keyboard.

import { type PointerEvent, useState } from 'react';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { textOf } from '#console/time/moments.ts';
import { numberText, shortNumber } from '#console/time/numbers.ts';
import type { Interval } from '#console/time/ranges.ts';
import { useZone } from '#console/time/time.tsx';
import { axisTimes } from './axis-times.ts';
import styles from './histogram.module.css';

export interface HistogramSeries {
  readonly id: string;
  readonly label: string;
  /** A custom property of tokens.css, as `--high`. */
  readonly colour: string;
}

export interface HistogramBucket {
  /** Epoch milliseconds of its beginning. */
  readonly at: number;
  /** By the ids of series, bottom first. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface HistogramProps {
  readonly title: string;
  readonly buckets: readonly HistogramBucket[];
  /** Milliseconds of a bucket. */
  readonly width: number;
  readonly series: readonly HistogramSeries[];
  readonly height?: number;
  /** True until the counts are known: bars without a number then stand in their place. */
  readonly isLoading?: boolean;
  /** Shown where all counts are 0. */
  readonly emptyText?: string;
  onZoom?(interval: Interval): void;
}

const VIEW_WIDTH = 1000;
const DEFAULT_HEIGHT = 120;

export const Histogram = (props: HistogramProps) => (props.isLoading ? <Unknown {...props} /> : <Counted {...props} />);

/** Heights in percent of bars whose counts are on their way. */
const UNKNOWN_HEIGHTS = [34, 52, 44, 66, 58, 38, 72, 50, 62, 42, 56, 36, 68, 48, 60, 40];

function Unknown({ title, height = DEFAULT_HEIGHT }: HistogramProps) {
  const { charts, common } = useLabels();
  return (
    <figure className={styles.figure} role="status" aria-label={`${charts.chart(title)}. ${common.loading}`}>
      <div className={styles.unknown} style={{ height }}>
        {UNKNOWN_HEIGHTS.map((share, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: A bar is its place.
          <span key={index} style={{ height: `${share}%` }} />
        ))}
      </div>
      <div className={styles.axis} />
    </figure>
  );
}

function Counted(props: HistogramProps) {
  const { title, buckets, width, series, height = DEFAULT_HEIGHT, emptyText, onZoom } = props;
  const { charts } = useLabels();
  const { locale } = useLanguage();
  const { hovered, marked, handlers } = usePointer(props);
  const totals = buckets.map(({ counts }) => series.reduce((sum, { id }) => sum + (counts[id] ?? 0), 0));
  const highest = Math.max(1, ...totals);
  const total = totals.reduce((sum, count) => sum + count, 0);
  const step = VIEW_WIDTH / Math.max(1, buckets.length);
  return (
    <figure className={styles.figure}>
      <div className={styles.plot}>
        {total > 0 && <span className={styles.top}>{shortNumber(highest, locale)}</span>}
        <svg
          className={onZoom ? `${styles.svg} ${styles.zooms}` : styles.svg}
          viewBox={`0 0 ${VIEW_WIDTH} 100`}
          preserveAspectRatio="none"
          height={height}
          role="img"
          aria-label={`${charts.chart(title)}. ${numberText(total, locale)}`}
          {...handlers}
        >
          {marked && (
            <rect className={styles.marked} x={marked.first * step} width={marked.count * step} y={0} height={100} />
          )}
          {buckets.map((bucket, index) => (
            <Bar
              key={bucket.at}
              bucket={bucket}
              series={series}
              x={index * step}
              width={step}
              highest={highest}
              isHovered={index === hovered}
            />
          ))}
        </svg>
        {total === 0 && <p className={styles.empty}>{emptyText ?? charts.noData}</p>}
      </div>
      <Axis buckets={buckets} width={width} />
      {hovered !== undefined && (
        <Reading bucket={buckets[hovered]} share={(hovered + 0.5) / buckets.length} width={width} series={series} />
      )}
    </figure>
  );
}

/** The bar under the pointer, and the bars that are dragged over. */
function usePointer({ buckets, width, onZoom }: HistogramProps) {
  const [hovered, setHovered] = useState<number>();
  const [dragged, setDragged] = useState<number>();
  const indexAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width: pixels } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(buckets.length - 1, Math.floor(((clientX - left) / pixels) * buckets.length)));
  };
  const release = (event: PointerEvent) => {
    const [begin, end] = [dragged ?? 0, indexAt(event)].toSorted((a, b) => a - b).map((index) => buckets[index]);
    setDragged(undefined);
    if (dragged !== undefined && begin && end) onZoom?.({ from: begin.at, to: end.at + width });
  };
  const isDragging = dragged !== undefined && hovered !== undefined;
  return {
    hovered,
    marked: isDragging ? { first: Math.min(dragged, hovered), count: Math.abs(dragged - hovered) + 1 } : undefined,
    handlers: {
      onPointerMove: (event: PointerEvent) => setHovered(indexAt(event)),
      onPointerLeave: () => setHovered(undefined),
      ...(onZoom && {
        onPointerDown(event: PointerEvent) {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(indexAt(event));
        },
        onPointerUp: release,
        onPointerCancel: () => setDragged(undefined),
      }),
    },
  };
}

interface BarProps extends Pick<HistogramProps, 'series'> {
  readonly bucket: HistogramBucket;
  readonly x: number;
  readonly width: number;
  readonly highest: number;
  readonly isHovered: boolean;
}

function Bar({ bucket: { counts }, series, x, width, highest, isHovered }: BarProps) {
  let y = 100;
  return series.map(({ id, colour }) => {
    const count = counts[id] ?? 0;
    if (count === 0) return undefined;
    // A single record among millions is still to be seen.
    const height = Math.max(1.5, (count / highest) * 100);
    y -= height;
    return (
      <rect
        key={id}
        x={x + width * 0.08}
        y={Math.max(0, y)}
        width={width * 0.84}
        height={height}
        fill={`var(${colour})`}
        opacity={isHovered ? 1 : 0.85}
      />
    );
  });
}

/** A text further right would be cut off. */
const LAST_SHARE = 0.96;

function Axis({ buckets, width }: Pick<HistogramProps, 'buckets' | 'width'>) {
  const zone = useZone();
  const first = buckets[0];
  const last = buckets.at(-1);
  if (!first || !last) return undefined;
  return (
    <div className={styles.axis} aria-hidden="true">
      {axisTimes({ from: first.at, to: last.at + width }, zone)
        .filter(({ share }) => share < LAST_SHARE)
        .map(({ at, text, share }) => (
          <span key={at} style={{ left: `${share * 100}%` }}>
            {text}
          </span>
        ))}
    </div>
  );
}

interface ReadingProps extends Pick<HistogramProps, 'series' | 'width'> {
  readonly bucket: HistogramBucket | undefined;
  readonly share: number;
}

function Reading({ bucket, share, series, width }: ReadingProps) {
  const zone = useZone();
  const { locale } = useLanguage();
  if (!bucket) return undefined;
  const side = share > 0.5 ? { right: `${(1 - share) * 100}%` } : { left: `${share * 100}%` };
  return (
    <div className={styles.reading} style={side}>
      <strong>{textOf(bucket.at, zone)}</strong>
      <span className={styles.until}>– {textOf(bucket.at + width, zone).slice(11)}</span>
      {series.toReversed().map(({ id, label, colour }) => (
        <span key={id} className={styles.count}>
          <i style={{ background: `var(${colour})` }} />
          {label}
          <b>{numberText(bucket.counts[id] ?? 0, locale)}</b>
        </span>
      ))}
    </div>
  );
}
