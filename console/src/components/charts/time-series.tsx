// Lines over time on a canvas, by uPlot: many points, drag to zoom.

import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useLabels } from '#console/labels/labels.tsx';
import { useIsDark } from '#console/shell/theme.ts';
import { textOf } from '#console/time/moments.ts';
import type { Interval } from '#console/time/ranges.ts';
import { useZone } from '#console/time/time.tsx';
import { axisText } from './axis-times.ts';
import styles from './time-series.module.css';

export interface LineSeries {
  readonly label: string;
  /** One value for each time; null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** A custom property of tokens.css; otherwise by its position. */
  readonly colour?: string;
}

export interface TimeSeriesProps {
  readonly title: string;
  /** Epoch milliseconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly LineSeries[];
  readonly height?: number;
  readonly form?: 'line' | 'area' | 'bars';
  /** Of a value, on the axis and in the legend. */
  valueText?(value: number): string;
  onZoom?(interval: Interval): void;
}

const COLOURS = 6;

export function TimeSeries(props: TimeSeriesProps) {
  const { title, times, height = 160, form = 'line' } = props;
  const { charts, common } = useLabels();
  const zone = useZone();
  const isDark = useIsDark();
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const names = props.series.map(({ label, colour }) => `${label} ${colour ?? ''}`).join('\n');

  // Colours are read from the page: the plot is made anew with another theme.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `names`, `form` and `isDark` decide what is drawn.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const plot = new uPlot(
      optionsOf(latest, { zone, height, element, timeLabel: common.time }),
      dataOf(latest.current),
      element,
    );
    plots.set(element, plot);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plots.delete(element);
      plot.destroy();
    };
  }, [zone, height, isDark, names, form, common]);
  useEffect(() => {
    if (host.current) plots.get(host.current)?.setData(dataOf(props));
  }, [props]);
  return (
    <div className={styles.frame} role="img" aria-label={charts.chart(title)}>
      <div ref={host} className={styles.plot} />
      {times.length === 0 && <p className={styles.empty}>{charts.noData}</p>}
    </div>
  );
}

const plots = new WeakMap<HTMLElement, uPlot>();

const dataOf = ({ times, series }: TimeSeriesProps): uPlot.AlignedData => [
  times.map((at) => at / 1000),
  ...series.map(({ values }) => [...values]),
];

interface Drawing {
  readonly zone: string;
  readonly height: number;
  readonly element: HTMLElement;
  /** Of the time, in the legend. */
  readonly timeLabel: string;
}

/** Values of one sign are seen from zero. */
const FROM_ZERO: uPlot.Range.Config = {
  min: { pad: 0.1, soft: 0, mode: 1 },
  max: { pad: 0.1, soft: 0, mode: 1 },
};

function optionsOf(
  latest: { readonly current: TimeSeriesProps },
  { zone, height, element, timeLabel }: Drawing,
): uPlot.Options {
  const { series, form = 'line' } = latest.current;
  const muted = colourOf(element, '--muted');
  const border = colourOf(element, '--border');
  const axis = { stroke: muted, grid: { stroke: border, width: 1 }, ticks: { show: false }, font: '11px system-ui' };
  const text = (value: number) => latest.current.valueText?.(value) ?? String(value);
  return {
    width: element.clientWidth,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
    cursor: { drag: { x: latest.current.onZoom !== undefined, y: false, setScale: false } },
    scales: { y: { range: FROM_ZERO } },
    axes: [
      {
        ...axis,
        space: 70,
        values: (_, seconds, __, ___, step) => seconds.map((at) => axisText(at * 1000, step * 1000, zone)),
      },
      { ...axis, size: 56, space: 28, values: (_, values) => values.map(text) },
    ],
    series: [
      { label: timeLabel, value: (_, seconds) => (seconds === null ? '–' : textOf(seconds * 1000, zone)) },
      ...series.map(({ label, colour }, index) => ({
        label,
        ...strokeOf(colourOf(element, colour ?? `--series-${(index % COLOURS) + 1}`), form),
        points: { show: false, size: 6, filter: lonePoints },
        value: (_: uPlot, value: number | null) => (value === null ? '–' : text(value)),
      })),
    ],
    hooks: { setSelect: [(plot) => zoom(plot, latest.current)] },
  };
}

/** A point between two gaps has no line to show it. */
function lonePoints(plot: uPlot, index: number): number[] {
  const values = plot.data[index] ?? [];
  const isGap = (index: number) => (values[index] ?? null) === null;
  return Array.from(values.keys()).filter((index) => !isGap(index) && isGap(index - 1) && isGap(index + 1));
}

const BAR_SHARE = 0.8;
const MAX_BAR_PIXELS = 60;

/** A colour of the page is `rgb(…)`; an area is filled with a share of it. */
function strokeOf(stroke: string, form: NonNullable<TimeSeriesProps['form']>): Partial<uPlot.Series> {
  if (form === 'line') return { stroke, width: 1.5 };
  if (form === 'area') return { stroke, width: 1.5, fill: stroke.replace('rgb(', 'rgba(').replace(')', ', 0.2)') };
  const { bars } = uPlot.paths;
  return { stroke, fill: stroke, width: 0, ...(bars ? { paths: bars({ size: [BAR_SHARE, MAX_BAR_PIXELS] }) } : {}) };
}

function zoom(plot: uPlot, { onZoom }: TimeSeriesProps): void {
  const { left, width } = plot.select;
  if (width <= 2) return;
  const from = plot.posToVal(left, 'x');
  const to = plot.posToVal(left + width, 'x');
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onZoom?.({ from: Math.round(from) * 1000, to: Math.round(to) * 1000 });
}

/** A canvas knows neither custom properties nor light-dark(). */
function colourOf(element: HTMLElement, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
