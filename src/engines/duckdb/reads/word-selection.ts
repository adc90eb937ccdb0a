// Which row groups of segments can hold the texts that a scan looks for: the others are not read. A segment without a filter is
// read whole.

import type { Columns } from '#engines/duckdb/storage/columns.ts';
import type { LogTable } from '#engines/duckdb/storage/table.ts';
import { type GroupFilter, mayHold, type Sought, soughtText } from '#engines/duckdb/text-index/group-filter.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import type { Term } from '#query/functions/text-tests.ts';
import type { TableSource } from '#query/nodes/shared/scans.ts';
import type { FieldNeed, TextNeed } from '#query/rules/text-needs.ts';
import type { RowRange } from './row-ranges.ts';

/** Segments that are asked in one turn of the event loop: some thousandths of a second. */
const AT_ONCE = 64;

/** The number of the column that holds the fields without a column, see `allColumns`. */
const OVERFLOW = 3;
const FIRST_COLUMN = 4;

/** A table as one scan reads it. */
interface SearchedTable {
  readonly table: Pick<LogTable, 'filters'>;
  readonly source: TableSource;
  /** As they are stored. */
  readonly columns: Columns;
}

export async function rangesWithTexts(
  ranges: readonly RowRange[],
  need: TextNeed | undefined,
  searched: SearchedTable,
): Promise<readonly RowRange[]> {
  const mayMatch = need && question(need, searched);
  if (!mayMatch) return ranges;
  const found: RowRange[] = [];
  for (const [index, range] of ranges.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await eventLoop.nextSlot();
    const filter = await searched.table.filters.of(range.segment);
    found.push(...(filter ? partsWith(range, filter.groups, mayMatch) : [range]));
  }
  return found;
}

/** The parts of a range that lie in row groups which may match. */
function partsWith(range: RowRange, groups: readonly GroupFilter[], mayMatch: Question): RowRange[] {
  const total = groups.reduce((sum, { rows }) => sum + rows, 0);
  // A filter of another file than this one tells nothing.
  if (total !== range.segment.rows) return [range];
  const parts: RowRange[] = [];
  let begin = 0;
  for (const group of groups) {
    const [from, to] = [Math.max(begin, range.from), Math.min(begin + group.rows, range.from + range.rows)];
    if (from < to && mayMatch(group)) parts.push({ ...range, from, rows: to - from });
    begin += group.rows;
  }
  return parts;
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

function termQuestion(term: Term, { source, columns }: SearchedTable): Question | undefined {
  const holders = new Set<number>(source.isOpen ? [OVERFLOW] : []);
  for (const { name, type } of source.columns) {
    if (name.startsWith('_')) continue;
    if (type === 'any') holders.add(OVERFLOW);
    const stored = columns.get(name);
    if (stored === 'VARCHAR') holders.add(numberOf(name, columns));
    else if (stored !== undefined && mayBeIn(stored, term)) return undefined;
  }
  return inSome([...holders], soughtText(term.words.join(' '), term));
}

function fieldQuestion(
  { column, text, isWhole, isOnlyText }: FieldNeed,
  searched: SearchedTable,
): Question | undefined {
  const { source, columns } = searched;
  const sought = soughtText(text, { openStart: !isWhole, openEnd: !isWhole });
  const type = source.columns.find(({ name }) => name === column)?.type;
  const isText = column !== undefined && columns.get(column) === 'VARCHAR';
  if (isText && type === 'string') return inSome([numberOf(column, columns)], sought);
  if (!isOnlyText || (column !== undefined && (!isText || type !== 'any'))) return undefined;
  return inSome([...(isText ? [numberOf(column, columns)] : []), OVERFLOW], sought);
}

const numberOf = (name: string, columns: Columns): number => FIRST_COLUMN + [...columns.keys()].indexOf(name);

/** Filters do not know numbers and booleans. */
const mayBeIn = (stored: 'BIGINT' | 'DOUBLE' | 'BOOLEAN', { words, openStart, openEnd }: Term): boolean =>
  stored === 'BOOLEAN'
    ? words.every((word) => (openStart || openEnd ? /^[aeflrstu]+$/ : /^(true|false)$/).test(word))
    : words.every((word) => /^[\de]+$/.test(word));
