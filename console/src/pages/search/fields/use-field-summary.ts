// The summary of the fields of a run: by the service where it can, otherwise over the rows that are here.

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keyOf } from '#console/client/answers.ts';
import { callWith } from '#console/client/call.ts';
import type { ColumnType } from '#console/pages/search/rows/columns.ts';
import type { Row } from '#console/pages/search/rows/row.ts';
import type { RunRequest } from '#console/pages/search/run/query-run.ts';
import { type CommandKinds, filterPartOf } from '#console/query-text/parts.ts';
import { toStamp } from '#console/time/moments.ts';
import { countsOf, type FieldSummary, facetsRequest } from './field-counts.ts';

const FACETS = 'POST /api/core/tables/:table/facets';

interface SummaryOptions {
  readonly kinds: CommandKinds;
  readonly columns: readonly ColumnType[];
  readonly rows: readonly Row[];
  /** False where the fields are not shown: nothing is counted then. */
  readonly isEnabled: boolean;
}

export function useFieldSummary(
  { text, interval }: RunRequest,
  { kinds, columns, rows, isEnabled }: SummaryOptions,
): { readonly summary: FieldSummary | undefined; readonly hasFailed: boolean } {
  const asked = facetsRequest(text, filterPartOf(text, kinds));
  const request = { table: '', ...asked, from: toStamp(interval.from), to: toStamp(interval.to) };
  const isOfRecords = asked !== undefined && columns.some(({ name }) => name === '_id');
  const facets = useQuery({
    queryKey: keyOf(FACETS, request),
    queryFn: ({ signal }) => callWith({ signal }, FACETS, request),
    enabled: isEnabled && isOfRecords,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const own = useMemo(
    () => (isOfRecords || !isEnabled ? undefined : countsOf(columns, rows)),
    [isOfRecords, isEnabled, columns, rows],
  );
  if (own) return { summary: own, hasFailed: false };
  if (!facets.data) return { summary: undefined, hasFailed: facets.isError };
  const { rows: counted, is_partial: isPartial, facets: fields } = facets.data;
  return { summary: { rows: counted, isPartial, isOfRecords: true, fields }, hasFailed: false };
}
