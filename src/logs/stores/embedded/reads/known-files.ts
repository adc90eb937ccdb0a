// Ranges of rows as the files that a statement reads, apart for rows of which different things are known. A search of each part
// is written for what is known of its rows, so no part may hold rows of another one.

import type { Segment } from '#logs/stores/embedded/storage/catalog.ts';
import type { SourceFiles } from '#logs/stores/embedded/storage/records.ts';
import type { SearchedRows } from '#query/plan-nodes/shared/compile-context.ts';
import { commonFacts, type TextFacts } from '#query/plan-nodes/shared/text-facts.ts';
import { NO_FACTS } from './known-texts.ts';
import { countParts, MAX_PARTS, segmentsOf, sourceFiles } from './row-ranges.ts';
import type { SearchedRange } from './word-selection.ts';

export interface KnownFiles extends SourceFiles {
  readonly facts: TextFacts;
}

/** Searches of one table in a statement: each takes time to prepare. */
const MAX_SEARCHES = 4;

/** `paths` are those of `segmentsOf(ranges)`. */
export function filesByFacts(ranges: readonly SearchedRange[], paths: readonly string[]): KnownFiles[] {
  const pathOf = new Map<Segment, string>(segmentsOf(ranges).map((segment, index) => [segment, paths[index] ?? '']));
  return bySearch(ranges).map(({ facts, rows }) => {
    const own = segmentsOf(rows).map((segment) => pathOf.get(segment) ?? '');
    return { ...sourceFiles(rows, own), facts };
  });
}

interface ReadRows<Hot> {
  readonly files: readonly KnownFiles[];
  /** Nothing is known of their rows. */
  readonly hotTables: readonly Hot[];
  /** A condition on all rows; empty where there is none. */
  readonly where: string;
}

/** A SELECT for each, of which `select` writes the source. */
export function searchedRows<Hot>(
  { files, hotTables, where }: ReadRows<Hot>,
  select: (files: SourceFiles, hotTables: readonly Hot[]) => string,
): SearchedRows[] {
  const whole = (source: string) => (where === '' ? source : `select * from (${source}) where ${where}`);
  const sealed = files.map(({ facts, ...read }) => ({ facts, select: whole(select(read, [])) }));
  if (sealed.length > 0 && hotTables.length === 0) return sealed;
  const fresh = { facts: NO_FACTS, select: whole(select({ paths: [] }, hotTables)) };
  return sealed.length === 0 && hotTables.length === 0 ? [{ ...fresh, isEmpty: true }] : [...sealed, fresh];
}

interface KnownRows {
  readonly facts: TextFacts;
  readonly rows: readonly SearchedRange[];
}

function bySearch(ranges: readonly SearchedRange[]): KnownRows[] {
  const alike = [...Map.groupBy(ranges, ({ facts }) => facts).values()].sort(byRows);
  const apart =
    alike.length <= MAX_SEARCHES ? alike : [...alike.slice(0, MAX_SEARCHES - 1), alike.slice(MAX_SEARCHES - 1).flat()];
  if (fits(apart)) return apart.map(known);
  // Where there are more parts than a statement may have, rows between them are read too, of which nothing is known.
  return fits([ranges]) ? [known(ranges)] : [{ facts: NO_FACTS, rows: ranges }];
}

const known = (rows: readonly SearchedRange[]): KnownRows => ({
  facts: commonFacts([...new Set(rows.map(({ facts }) => facts))]),
  rows,
});

const fits = (searches: readonly (readonly SearchedRange[])[]): boolean =>
  searches.reduce((sum, ranges) => sum + countParts(ranges), 0) <= MAX_PARTS;

const rowsOf = (ranges: readonly SearchedRange[]): number => ranges.reduce((sum, { rows }) => sum + rows, 0);

const byRows = (one: readonly SearchedRange[], other: readonly SearchedRange[]): number => rowsOf(other) - rowsOf(one);
