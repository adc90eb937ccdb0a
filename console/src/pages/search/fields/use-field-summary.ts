// The summary of the fields of a run: by the service where it can, otherwise over the rows that are here.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RequestFor } from '#client/call.ts';
import { keyOf } from '#console/client/answers.ts';
import { callWith } from '#console/client/call.ts';
import { type CommandKinds, filterPartOf } from '#console/query-text/parts.ts';
import type { ColumnType } from '#console/results/columns.ts';
import type { RunRequest } from '#console/results/query-run.ts';
import type { Row } from '#console/results/row.ts';
import { toStamp } from '#console/time/moments.ts';
import { countsOf, type FieldSummary, facetsRequest } from './field-counts.ts';

const FACETS = 'POST /api/core/tables/:table/facets';

interface SummaryOptions {
  readonly kinds: CommandKinds;
  readonly columns: readonly ColumnType[];
  readonly rows: readonly Row[];
  /** Fields of rows that are on their way are not known. */
  readonly isRunning: boolean;
  /** False where the fields are not shown: nothing is counted then. */
  readonly isEnabled: boolean;
}

export function useFieldSummary(
  { text, interval }: RunRequest,
  { kinds, columns, rows, isRunning, isEnabled }: SummaryOptions,
): { readonly summary: FieldSummary | undefined; readonly hasFailed: boolean } {
  const asked = facetsRequest(text, filterPartOf(text, kinds));
  const request = { table: '', ...asked, from: toStamp(interval.from), to: toStamp(interval.to) };
  const isOfRecords = asked !== undefined && columns.some(({ name }) => name === '_id');
  const known = useFacets(request, isEnabled && isOfRecords);
  // A table of rows declares no columns: the fields of the records that are here are counted then.
  const isOpen = known.data !== undefined && known.data.rows > 0 && known.data.facets.length === 0;
  const named = useFacets({ ...request, fields: ownNames(columns) }, isEnabled && isOpen && rows.length > 0);
  const facets = isOpen ? named : known;
  const isUnknown = isRunning && rows.length === 0;
  const own = useMemo(
    () => (isOfRecords || !isEnabled || isUnknown ? undefined : countsOf(columns, rows)),
    [isOfRecords, isEnabled, isUnknown, columns, rows],
  );
  if (own) return { summary: own, hasFailed: false };
  if (!facets.data) return { summary: undefined, hasFailed: facets.isError };
  const { rows: counted, is_partial: isPartial, facets: fields } = facets.data;
  return { summary: { rows: counted, isPartial, isOfRecords: true, fields }, hasFailed: false };
}

const useFacets = (request: RequestFor<typeof FACETS>, isEnabled: boolean) =>
  useQuery({
    queryKey: keyOf(FACETS, request),
    queryFn: ({ signal }) => callWith({ signal }, FACETS, request),
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    placeholderData: keepPreviousData,
  });

const MAX_FIELDS = 50;

const ownNames = (columns: readonly ColumnType[]): string[] =>
  columns
    .map(({ name }) => name)
    .filter((name) => !SYSTEM_FIELDS.has(name))
    .slice(0, MAX_FIELDS);

const SYSTEM_FIELDS = new Set(['_table', '_time', '_id', '_schema']);
