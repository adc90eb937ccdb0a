// Warnings about the condition of search (7.2), for the condition and for each operand of and, or and not() in it: it is
// always true, it is a field alone, or it compares with a name that is meant as text.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { fieldIn, isKnownName, type Rows } from '#query/model/columns.ts';
import type { Expression, FieldRead } from '#query/model/expression.ts';
import { usesOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

/** The condition with its names resolved. */
export function* searchCondition(condition: Expression, planning: CommandPlanning<unknown>): SlicedWork<Expression> {
  const { rows } = planning;
  const meantAsText = new Set<number>();
  for (const operand of operandsOf(condition)) {
    warnAlone(operand, planning);
    for (const { begin } of namesComparedWith(operand, rows)) meantAsText.add(begin);
    yield;
  }
  return yield* planning.expression(condition, rows, (field, at) =>
    meantAsText.has(field.begin) ? warnMeantAsText(field, planning) : planning.warnUnknown(field, at),
  );
}

/** The parts of a condition whose truth decides. */
function* operandsOf(condition: Expression): Generator<Expression> {
  if (condition.kind === 'logic') for (const operand of condition.operands) yield* operandsOf(operand);
  else if (condition.kind === 'call' && condition.called.name === 'not' && condition.args[0])
    yield* operandsOf(condition.args[0]);
  else yield condition;
}

function warnAlone(operand: Expression, planning: CommandPlanning<unknown>): void {
  const { begin, end } = operand;
  if (operand.kind === 'literal' && ['string', 'long', 'double'].includes(operand.type)) {
    const values = { text: String(operand.value), table: tableBefore(planning) };
    planning.warn({ code: 90906, begin, end, values: {}, hints: [{ code: 91037, values }], suggestions: [] });
  }
  if (operand.kind !== 'field') return;
  const { type } = fieldIn(planning.rows, operand.name, operand);
  if (['any', 'bool', 'null'].includes(type)) return;
  planning.warn({ code: 90907, begin, end, values: { name: operand.name }, suggestions: [] });
}

/** Bare names that no row has, compared with a field that rows have. */
function namesComparedWith(operand: Expression, rows: Rows): FieldRead[] {
  if (operand.kind === 'comparison' && (operand.operator === '==' || operand.operator === '!='))
    return unknownBeside(operand.left, [operand.right], rows);
  if (operand.kind !== 'call' || operand.called.name !== 'in') return [];
  const [tested, ...members] = operand.args;
  return tested ? unknownBeside(tested, members, rows) : [];
}

function unknownBeside(tested: Expression, others: readonly Expression[], rows: Rows): FieldRead[] {
  if (tested.kind !== 'field' || !isKnownName(rows, tested.name)) return [];
  return others.filter((other) => other.kind === 'field').filter(({ name }) => !isKnownName(rows, name));
}

function warnMeantAsText({ name, begin, end }: FieldRead, planning: CommandPlanning<unknown>): void {
  const hint = { code: 91038, replacement: `"${name}"` } as const;
  const suggestions = planning.suggestedNames(name, planning.rows);
  planning.warn({ code: 90904, begin, end, values: { name }, hints: [hint], suggestions });
}

/** A table that the rows come from; a word for one where there is none. */
function tableBefore({ input }: CommandPlanning<unknown>): string {
  let node: PlanNode = input;
  while (node.input) node = node.input;
  return usesOf(node).tables?.[0] ?? 'TABLE';
}
