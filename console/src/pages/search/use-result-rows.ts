// The rows of a run as the page shows them: how many, which page of them, and their columns.

import { useMemo } from 'react';
import { type ColumnType, fieldsOf, initialColumns } from '#console/results/columns.ts';
import type { QueryRun } from '#console/results/query-run.ts';
import type { Row } from '#console/results/row.ts';
import type { RowStore } from '#console/results/row-store.ts';
import type { SearchAddress } from './address.ts';
import { PAGE_ROWS } from './rows/pager.tsx';

export interface ResultRows {
  readonly total: number;
  readonly isRunning: boolean;
  /** The number of the first row of the page. */
  readonly offset: number;
  /** Grows when rows have come. */
  readonly version: number;
  /** The first rows of the page. */
  readonly sample: readonly Row[];
  readonly fields: readonly ColumnType[];
  readonly types: ReadonlyMap<string, string>;
  /** Shown columns. */
  readonly columns: readonly string[];
}

const SAMPLE_ROWS = 200;

export function useResultRows(
  run: QueryRun,
  store: RowStore,
  { page = 1, columns: chosen }: SearchAddress,
): ResultRows {
  const state = run.state.use();
  const { version, seen, columns: known } = store.state.use();
  const status = 'status' in state ? state.status : undefined;
  const total = Math.max(status?.rows ?? 0, seen);
  const offset = Math.min(page - 1, Math.max(0, Math.ceil(total / PAGE_ROWS) - 1)) * PAGE_ROWS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` tells that rows have come.
  const sample = useMemo(() => sampleOf(store, offset), [store, offset, version]);
  const fields = useMemo(() => fieldsOf(known, sample), [known, sample]);
  const types = useMemo(() => new Map(fields.map(({ name, type }) => [name, type])), [fields]);
  const columns = useMemo(() => chosen ?? initialColumns(fields, sample), [chosen, fields, sample]);
  return { total, isRunning: state.phase === 'running', offset, version, sample, fields, types, columns };
}

const sampleOf = (store: RowStore, offset: number): readonly Row[] =>
  Array.from({ length: SAMPLE_ROWS }, (_, index) => store.rowAt(offset + index)).filter((row) => row !== undefined);
