// The rows of aggregates as a chart.

import { useEffect, useMemo } from 'react';
import { BarList } from '#console/components/bar-list.tsx';
import { EmptyState } from '#console/components/states.tsx';
import { TimeSeries } from '#console/components/time-series.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import type { ColumnType } from '#console/pages/search/rows/columns.ts';
import type { Row } from '#console/pages/search/rows/row.ts';
import type { RowStore } from '#console/pages/search/rows/row-store.ts';
import { CellText } from '#console/pages/search/rows/stored-text.tsx';
import { numberText, shortNumber } from '#console/time/numbers.ts';
import type { Interval } from '#console/time/ranges.ts';
import styles from './chart.module.css';
import { type ChartData, chartDataOf } from './chart-data.ts';

interface ChartViewProps {
  readonly store: RowStore;
  readonly version: number;
  readonly total: number;
  readonly columns: readonly ColumnType[];
  onZoom(interval: Interval): void;
}

const MAX_ROWS = 2000;

export function ChartView({ store, version, total, columns, onZoom }: ChartViewProps) {
  const { search: labels } = useLabels();
  const { locale } = useLanguage();
  const count = Math.min(MAX_ROWS, total);
  useEffect(() => store.want(0, count), [store, count]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` tells that rows have come.
  const rows = useMemo(() => rowsIn(store, count), [store, count, version]);
  const data = useMemo(() => chartDataOf(columns, rows), [columns, rows]);
  if (!data) return <EmptyState icon="bars" title={labels.noChartTitle} text={labels.noChartText} />;
  return (
    <div className={styles.chart}>
      <Drawing data={data} onZoom={onZoom} />
      {data.kind === 'series' && data.others > 0 && (
        <p className={styles.note}>
          {labels.linesCut(numberText(data.lines.length, locale), numberText(data.others, locale))}
        </p>
      )}
      {total > count && <p className={styles.note}>{labels.chartCut(numberText(count, locale))}</p>}
    </div>
  );
}

const rowsIn = (store: RowStore, count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => store.rowAt(index)).filter((row) => row !== undefined);

function Drawing({ data, onZoom }: { readonly data: ChartData; onZoom(interval: Interval): void }) {
  const { search: labels } = useLabels();
  const { locale } = useLanguage();
  if (data.kind === 'series') {
    return (
      <TimeSeries
        title={labels.views.chart}
        times={data.times}
        series={data.lines}
        height={320}
        valueText={(value) => shortNumber(value, locale)}
        onZoom={onZoom}
      />
    );
  }
  if (data.kind === 'bars') {
    return (
      <BarList
        label={data.measure}
        items={data.bars.map(({ label, value }, place) => ({
          key: `${place} ${label}`,
          label: <CellText text={label} />,
          value,
          text: numberText(value, locale),
        }))}
      />
    );
  }
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
