// Which row groups of segments can hold the texts that a scan looks for: the others are not read. A segment without a filter is
// read whole.

import type { TimeRange } from '#logs/log-store.ts';
import { inRange } from '#logs/runs/tables/timed-rows.ts';
import { OVERFLOW_NUMBER } from '#logs/stores/embedded/storage/records.ts';
import type { LogTable } from '#logs/stores/embedded/storage/table.ts';
import { type GroupFilter, mayHold, type Sought, soughtText } from '#logs/stores/embedded/text-index/group-filter.ts';
import type { Term } from '#query/functions/text-tests.ts';
import type { TextFacts } from '#query/plan-nodes/shared/text-facts.ts';
import type { FieldNeed, TextNeed } from '#query/rules/text-needs.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { knownParts } from './divided-ranges.ts';
import { factsOf, NO_FACTS, type TellFacts } from './known-texts.ts';
import { type RowRange, wholeRange } from './row-ranges.ts';
import { columnsOfFields, mayBeIn, type StoredTexts, searchedFields, textNumbers } from './text-holders.ts';

/** Questions to filters in one turn of the event loop: some thousandths of a second. */
const AT_ONCE = 10_000;
const RANGES_AT_ONCE = 256;

/** A table as one scan reads it. */
export interface SearchedTable extends StoredTexts {
  readonly table: Pick<LogTable, 'filters'>;
}

/** What a scan looks for. */
interface SoughtTexts {
  readonly need?: TextNeed | undefined;
  /** The phrases of its own condition. */
  readonly phrases?: readonly Term[];
  /** The statement leaves out rows of other times itself. */
  readonly times?: TimeRange;
}

/** Rows of which so much is known. */
export interface SearchedRange extends RowRange {
  readonly facts: TextFacts;
}

export async function rangesWithTexts(
  ranges: readonly RowRange[],
  { need, phrases = [], times = {} }: SoughtTexts,
  searched: SearchedTable,
): Promise<readonly SearchedRange[]> {
  const mayMatch = need && question(need, searched);
  const tell = factsOf(phrases, searched);
  const found: SearchedRange[] = [];
  const perGroup = (phrases.length + 1) * (searched.source.columns.length + 1);
  let asked = 0;
  for (const range of ranges) {
    const filter = mayMatch || tell ? await searched.table.filters.of(range.segment) : undefined;
    found.push(
      ...(filter ? partsWith(range, filter.groups, { mayMatch, tell, times }) : [{ ...range, facts: NO_FACTS }]),
    );
    asked += perGroup * (filter?.groups.length ?? 0);
    if (asked < AT_ONCE) continue;
    asked = 0;
    await eventLoop.nextSlot();
  }
  return found;
}

/** The ranges that hold rows which may match, each as it is. */
export async function rangesThatMayMatch(
  ranges: readonly RowRange[],
  need: TextNeed | undefined,
  tableOf: (range: RowRange) => SearchedTable | undefined,
): Promise<readonly RowRange[]> {
  if (!need) return ranges;
  const kept: RowRange[] = [];
  for (const [index, range] of ranges.entries()) {
    if (index > 0 && index % RANGES_AT_ONCE === 0) await eventLoop.nextSlot();
    const searched = tableOf(range);
    if (!searched || (await rangesWithTexts([range], { need }, searched)).length > 0) kept.push(range);
  }
  return kept;
}

interface Asking {
  readonly mayMatch: Question | undefined;
  readonly tell: TellFacts | undefined;
  readonly times: TimeRange;
}

/** The parts of a range that lie in row groups which may match; the range as it is where all of its times are alike. */
function partsWith(
  range: RowRange,
  groups: readonly GroupFilter[],
  { mayMatch, tell, times }: Asking,
): readonly SearchedRange[] {
  const total = groups.reduce((sum, { rows }) => sum + rows, 0);
  // A filter of another file than this one tells nothing.
  if (total !== range.segment.rows) return [{ ...range, facts: NO_FACTS }];
  const isOutside = outsideOf(range, times);
  const parts: SearchedRange[] = [];
  let begin = 0;
  let asked = 0;
  for (const group of groups) {
    const from = Math.max(begin, range.from);
    const to = Math.min(begin + group.rows, range.from + range.rows);
    const isAsked = from < to && !isOutside(begin, group.rows);
    const isRead = isAsked && (!mayMatch || mayMatch(group));
    if (isRead) parts.push({ ...range, from, rows: to - from, facts: tell?.(group) ?? NO_FACTS });
    if (isAsked) asked += 1;
    begin += group.rows;
  }
  const [first] = parts;
  const isAlike = parts.length === asked && parts.every(({ facts }) => facts === first?.facts);
  // A file that is read whole needs no condition on the numbers of its rows.
  return first && isAlike ? [{ ...range, facts: first.facts }] : parts;
}

/** Whether rows that share a filter are known to have none of these times: they are known by row groups, or by parts of one. */
function outsideOf({ segment }: RowRange, times: TimeRange): (begin: number, rows: number) => boolean {
  const outside = (knownParts(wholeRange(segment)) ?? []).filter((part) => inRange([part], times).length === 0);
  return (begin, rows) => {
    const own = outside.filter((part) => part.from >= begin && part.from + part.rows <= begin + rows);
    return own.reduce((sum, part) => sum + part.rows, 0) === rows;
  };
}

/** False where no row of the group can match. */
type Question = (group: GroupFilter) => boolean;

/** Undefined where no filter can tell. */
function question(need: TextNeed, searched: SearchedTable): Question | undefined {
  switch (need.kind) {
    case 'and': {
      const each = need.operands.flatMap((operand) => question(operand, searched) ?? []);
      return each.length === 0 ? undefined : (group) => each.every((holds) => holds(group));
    }
    case 'or': {
      const each = need.operands.map((operand) => question(operand, searched));
      if (each.some((one) => one === undefined)) return undefined;
      return (group) => each.some((holds) => holds?.(group));
    }
    case 'term':
      return termQuestion(need, searched);
    default:
      return fieldQuestion(need, searched);
  }
}

const inSome = (numbers: readonly number[], sought: Sought): Question | undefined =>
  sought.words.length + sought.characters.length === 0
    ? undefined
    : (group) => numbers.some((number) => mayHold(group, number, sought));

function termQuestion(term: Term, searched: SearchedTable): Question | undefined {
  const fields = searchedFields(searched);
  if (fields.some((field) => mayBeIn(field, term))) return undefined;
  const holders = new Set([
    ...(searched.source.isOpen ? [OVERFLOW_NUMBER] : []),
    ...fields.flatMap(({ numbers }) => numbers),
  ]);
  return inSome([...holders], soughtText(term.words.join(' '), term));
}

function fieldQuestion(
  { column, text, isWhole, isOnlyText }: FieldNeed,
  searched: SearchedTable,
): Question | undefined {
  const { source, columns } = searched;
  const sought = soughtText(text, { openStart: !isWhole, openEnd: !isWhole });
  const type = source.columns.find(({ name }) => name === column)?.type;
  const numbers = textNumbers((column !== undefined && columnsOfFields(columns).get(column)) || []);
  if (numbers.length > 0 && type === 'string') return inSome(numbers, sought);
  if (!isOnlyText || (column !== undefined && (numbers.length === 0 || type !== 'any'))) return undefined;
  return inSome([...numbers, OVERFLOW_NUMBER], sought);
}
