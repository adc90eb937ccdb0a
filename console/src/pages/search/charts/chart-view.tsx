// The rows of aggregates as a chart.

import { useEffect, useMemo } from 'react';
import { Chart } from '#console/components/charts/chart.tsx';
import { chartDataOf } from '#console/components/charts/chart-data.ts';
import { EmptyState, Loading } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import type { ColumnType } from '#console/results/columns.ts';
import type { Row } from '#console/results/row.ts';
import type { RowStore } from '#console/results/row-store.ts';
import { numberText } from '#console/time/numbers.ts';
import type { Interval } from '#console/time/ranges.ts';
import styles from './chart-view.module.css';

interface ChartViewProps {
  readonly store: RowStore;
  readonly version: number;
  readonly total: number;
  readonly columns: readonly ColumnType[];
  onZoom(interval: Interval): void;
}

const MAX_ROWS = 2000;
const HEIGHT = 320;

export function ChartView({ store, version, total, columns, onZoom }: ChartViewProps) {
  const { search: labels } = useLabels();
  const { locale } = useLanguage();
  const count = Math.min(MAX_ROWS, total);
  useEffect(() => store.want(0, count), [store, count]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` tells that rows have come.
  const rows = useMemo(() => rowsIn(store, count), [store, count, version]);
  const data = useMemo(() => chartDataOf(columns, rows), [columns, rows]);
  if (rows.length === 0) return <Loading />;
  if (!data) return <EmptyState icon="bars" title={labels.noChartTitle} text={labels.noChartText} />;
  return (
    <div className={styles.chart}>
      <Chart title={labels.views.chart} data={data} height={HEIGHT} onZoom={onZoom} />
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
