// The drawing of a result: lines over time, bars, parts of a whole, or numbers. Search and Dashboards share it.

import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { CellText } from '#console/results/stored-text.tsx';
import { numberText, shortNumber } from '#console/time/numbers.ts';
import type { Interval } from '#console/time/ranges.ts';
import { BarList } from './bar-list.tsx';
import styles from './chart.module.css';
import { type ChartData, type ChartForm, partsOf } from './chart-data.ts';
import { TimeSeries } from './time-series.tsx';

interface ChartProps {
  readonly title: string;
  readonly data: ChartData;
  readonly height: number;
  /** By default that of the data: lines, bars or numbers. */
  readonly form?: ChartForm;
  onZoom?(interval: Interval): void;
}

const SERIES_FORMS = { line: 'line', area: 'area', bar: 'bars', pie: 'line', number: 'line' } as const;

export function Chart({ title, data, height, form = 'line', onZoom }: ChartProps) {
  const { locale } = useLanguage();
  if (data.kind === 'series') {
    return (
      <TimeSeries
        title={title}
        times={data.times}
        series={data.lines}
        height={height}
        form={SERIES_FORMS[form]}
        valueText={(value) => shortNumber(value, locale)}
        {...(onZoom ? { onZoom } : {})}
      />
    );
  }
  if (data.kind === 'bars') return form === 'pie' ? <Pie title={title} data={data} /> : <Bars data={data} />;
  return (
    <dl className={styles.numbers}>
      {data.numbers.map(({ label, value }) => (
        <div key={label}>
          <dd>{numberText(value, locale)}</dd>
          <dt>{label}</dt>
        </div>
      ))}
    </dl>
  );
}

type BarData = Extract<ChartData, { readonly kind: 'bars' }>;

function Bars({ data }: { readonly data: BarData }) {
  const { locale } = useLanguage();
  return (
    <BarList
      label={data.measure}
      items={data.bars.map(({ label, value }, index) => ({
        key: `${index} ${label}`,
        label: <CellText text={label} />,
        value,
        text: numberText(value, locale),
      }))}
    />
  );
}

const MAX_PARTS = 6;
const RADIUS = 42;
const ROUND = 2 * Math.PI * RADIUS;

/** Parts of a whole as a ring, with their names and shares beside it. */
function Pie({ title, data }: { readonly title: string; readonly data: BarData }) {
  const { charts } = useLabels();
  const { locale } = useLanguage();
  const parts = partsOf(data.bars, MAX_PARTS, charts.others);
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  const shares = parts.map(({ value }) => value / whole);
  const colour = (index: number) => `var(--series-${index + 1})`;
  return (
    <div className={styles.pie}>
      <svg viewBox="0 0 120 120" width={140} height={140} role="img" aria-label={charts.chart(title)}>
        {shares.map((share, index) => (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: Parts keep their places.
            key={index}
            cx={60}
            cy={60}
            r={RADIUS}
            fill="none"
            strokeWidth={24}
            style={{ stroke: colour(index) }}
            strokeDasharray={`${share * ROUND} ${ROUND}`}
            strokeDashoffset={-shares.slice(0, index).reduce((sum, one) => sum + one, 0) * ROUND}
            transform="rotate(-90 60 60)"
          />
        ))}
      </svg>
      <ul>
        {parts.map(({ label, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Two parts may have one name.
          <li key={index}>
            <span className={styles.swatch} style={{ background: colour(index) }} />
            <span className={styles.name}>
              <CellText text={label} />
            </span>
            <span>
              {numberText(value, locale)} · {Math.round((100 * value) / whole)} %
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
