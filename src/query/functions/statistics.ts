// Aggregates that commands compute and no text can call: those of boxplot, correlation and linearreg (8.3).

import type { AggregateDeclaration } from '#query/model/function.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import { bothNumbers, percentile, presentNumbers, regression } from '#query/values/aggregates.ts';
import { n } from './arguments.ts';

type Local = AggregateDeclaration['local'];

const of = (
  name: string,
  args: AggregateDeclaration['args'],
  result: ColumnType,
  local: Local,
): AggregateDeclaration => ({
  name,
  group: 'aggregates',
  syntax: name,
  summary: { en: '', ko: '' },
  args,
  result,
  empty: result === 'long' ? '0' : 'null',
  examples: [],
  local,
});

const quartile = (name: string, percent: number): AggregateDeclaration =>
  of(name, [n], 'double', (rows) => percentile(presentNumbers(rows), percent, 'linear'));

const ofPairs = (name: string, local: (rows: readonly (readonly Value[])[]) => Value) =>
  of(name, [n, n], 'double', local);

/** DuckDB computes the three of one argument together. */
export const QUARTILES = {
  iqr1: quartile('first-quartile', 25),
  iqr2: quartile('second-quartile', 50),
  iqr3: quartile('third-quartile', 75),
} as const;

export const PAIR_COUNT = of('pair-count', [n, n], 'long', (rows) => BigInt(bothNumbers(rows).length));

export const REGRESSION = {
  intercept: ofPairs('intercept', (rows) => regression(rows).intercept),
  r2: ofPairs('r-squared', (rows) => regression(rows).r2),
  stderr: ofPairs('standard-error', (rows) => regression(rows).stderr),
} as const;
