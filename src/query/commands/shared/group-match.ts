// The shared part of matchnet, matchblackip and matchport, which test whether a row belongs to a group.

import { functionNamed } from '#query/functions/index.ts';
import { about, flag, guid, type OptionText, orElse } from '#query/language/option-readers.ts';
import type { RawOption } from '#query/language/options.ts';
import { withColumn } from '#query/model/columns.ts';
import type { Expression, Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';

import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { call, literal } from '#query/values/typing.ts';

export const groupOptions = {
  guid: about(guid, { en: 'GUID of the group.', ko: '그룹의 GUID입니다.' }),
  invert: about(orElse(false, flag), { en: 'Keeps the rows that do not match.', ko: '맞지 않는 행을 남깁니다.' }),
  tag: about(orElse(false, flag), {
    en: 'Adds the result of the test as a field and keeps every row.',
    ko: '검사 결과를 필드로 더하고 모든 행을 남깁니다.',
  }),
} as const;

interface GroupValues {
  readonly guid: string | undefined;
  readonly invert: boolean | undefined;
  readonly tag: boolean | undefined;
}

/** The option that holds the GUID; 21300 without it. */
export function guidWritten(given: RawOption<string> | undefined, nameSpan: Span): OptionText {
  if (!given) throw new QueryError(21300, nameSpan);
  return given.at;
}

/** The GUID of an existing group. While the option waits for a parameter the plan is never run, so any text will do. */
export function knownGroup(at: OptionText, planning: CommandPlanning<GroupValues>): string {
  const { guid: group } = planning.options;
  if (planning.isPending('guid')) return group ?? '';
  if (group === undefined) throw new QueryError(21300, at);
  if (!planning.queryContext.groups.has(group)) throw new QueryError(21301, at, { name: group });
  return group;
}

/**
 * Keeps the rows for which a function of the group and these values is true; with `tag=t` adds the result as a column.
 */
export function matchedRows(
  { name, at, values }: { name: string; at: OptionText; values: readonly Expression[] },
  planning: CommandPlanning<GroupValues>,
): KnownPlanNode {
  const { invert = false, tag = false } = planning.options;
  const isMember = called(name, [literal(knownGroup(at, planning), at), ...values], planning.span);
  const condition = invert ? called('not', [isMember], planning.span) : isMember;
  if (!tag) return { ...planning.step(planning.rows), kind: 'filter', condition };
  const column = planning.newColumn(`_${name}`, 'bool');
  const rows = withColumn(planning.rows, column);
  return { ...planning.step(rows), kind: 'project', assigned: [{ column, value: condition }] };
}

function called(name: string, args: readonly Expression[], span: Span): Expression {
  const declared = functionNamed(name);
  if (!declared) throw new Error(`the function ${name} is missing`);
  return call(declared, args, span);
}
