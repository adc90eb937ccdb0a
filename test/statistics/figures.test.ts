// The statistics against what numpy, scipy and statsmodels say of the same series; make-figures.py makes the figures anew.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { QueryRunner } from '#test/support/query-runner.ts';
import { ROOT } from '#test/support/sources.ts';

interface Series {
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly slope: number;
  readonly intercept: number;
  readonly r2: number;
  readonly stderr: number;
  readonly pearson: number;
  readonly spearman: number;
  readonly quartiles: readonly number[];
}

const { series }: { readonly series: readonly Series[] } = JSON.parse(
  readFileSync(join(ROOT, 'test/statistics/figures.json'), 'utf8'),
);

describe('Statistics on DuckDB', () => {
  it.each(series)('of a series with $name are those of others', async (one) => {
    const given = one.x.map((x, index) => ({ x, y: one.y[index] ?? null }));
    await using runner = await QueryRunner.open({ tables: { given } });
    const first = async (text: string) => (await runner.run(`table given | ${text}`)).rows[0] ?? new Map();
    const line = await first('linearreg x, y');
    const within = LOST.get(one.name) ?? PRECISE;
    for (const name of ['slope', 'intercept', 'r2', 'stderr'] as const) near(line.get(name), one[name], within);
    near((await first('correlation x, y')).get('corr'), one.pearson, within);
    near((await first('correlation method=spearman x, y')).get('corr'), one.spearman);
    const box = await first('boxplot y');
    for (const [index, quartile] of one.quartiles.entries()) near(box.get(`iqr${index + 1}`), quartile);
    expect([Number(box.get('count')), Number(box.get('min')), Number(box.get('max'))]).toEqual([
      one.y.length,
      Math.min(...one.y),
      Math.max(...one.y),
    ]);
  });
});

const PRECISE = 1e-9;

/**
 * One pass over the rows loses digits where the spread is small against the values, and where the residuals are small against the
 * spread.
 */
const LOST = new Map([
  ['large', 1e-6],
  ['small noise', 1e-4],
]);

function near(found: unknown, expected: number, within = PRECISE): void {
  const value = Number(found);
  expect(Math.abs(value - expected), `${value} for ${expected}`).toBeLessThanOrEqual(within * Math.abs(expected));
}
