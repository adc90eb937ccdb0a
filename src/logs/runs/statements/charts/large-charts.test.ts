import { describe, expect, it } from 'vitest';
import type { ChartPlanNode } from '#query/plan-nodes/shared/chart-cells.ts';
import { checkQuery } from '#query/query.ts';
import { localChartOf, MAX_LOCAL_GROUPS } from '#query/statements/local-chart.ts';
import { contextOf } from '#test/support/query-examples.ts';
import { LargeCharts } from './large-charts.ts';

const chartOf = (text: string): ChartPlanNode => {
  const { next } = checkQuery(text, contextOf({ tables: { logs: [{ name: 'a', n: 1 }] } }));
  if (next?.kind !== 'chart') throw new Error('the text has no chart');
  return next.planNode;
};

describe('A local chart', () => {
  const node = chartOf('table logs | timechart span=1m count by name');
  const group = (at: number, key: string, value: string | null = key) => [BigInt(at) * 60_000n, key, value, 2n, 2n];

  it('has rows of its groups in order of time, and counts rows that are in none', () => {
    const chart = localChartOf(node, [group(2, 'b'), group(1, 'a'), group(2, 'a'), [null, 'c', 'c', 5n, 5n]], 'UTC');
    expect(chart?.columns.map(({ name }) => name)).toEqual(['a', 'b']);
    expect([chart?.rows, chart?.input]).toEqual([2, 11n]);
  });

  it('is left to statements where groups are too many or share a key', () => {
    const many = Array.from({ length: MAX_LOCAL_GROUPS + 1 }, (_, at) => group(at, 'a'));
    expect(localChartOf(node, many, 'UTC')).toBeUndefined();
    expect(localChartOf(node, many.slice(1), 'UTC')?.rows).toBe(MAX_LOCAL_GROUPS);
    expect(localChartOf(node, [group(1, 'null'), group(1, 'null', null)], 'UTC')).toBeUndefined();
  });

  it('is known by its text without the range of its tables, and forgotten after many others', () => {
    const charts = new LargeCharts();
    charts.add(node);
    expect(charts.has(chartOf('table from=20260101 logs | timechart span=1m count by name'))).toBe(true);
    expect(charts.has(chartOf('table logs | timechart span=1m count by n'))).toBe(false);
    for (let span = 1; span <= 300; span += 1) charts.add(chartOf(`table logs | timechart span=${span}s count by n`));
    expect(charts.has(node)).toBe(false);
  });
});
