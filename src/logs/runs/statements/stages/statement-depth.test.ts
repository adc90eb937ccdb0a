import { expect, it } from 'vitest';
import { chainTo } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { check } from '#test/support/query.ts';
import { cutsBelow } from './statement-depth.ts';

const none = () => false;

/** How many nodes of the pipeline each statement has. */
function statementsOf(text: string): number[] {
  const { result } = check(text).plan;
  const chain = chainTo(result);
  const ends = [...cutsBelow(result, none), result].map((node) => chain.indexOf(node));
  return ends.map((end, index) => end - (index === 0 ? -1 : (ends[index - 1] ?? 0)));
}

it.each<[string, number[]]>([
  ['table t | search a | stats count by a | sort a', [4]],
  [`table t${' | search a'.repeat(50)} | stats count`, [52]],
  [`table t${' | search a'.repeat(255)}`, [64, 63, 63, 63, 3]],
  [`table t${' | sort a'.repeat(20)}`, [8, 7, 6]],
  [`table t | eval n = 1${', n = n + 1'.repeat(100)} | search n`, [2, 1]],
])('A plan is cut where a statement would be too deep, case %#', (text, expected) => {
  expect(statementsOf(text)).toEqual(expected);
});

it('Nodes in brackets are cut as well, and nothing is cut above a table of the run', () => {
  const { result } = check(`table t | union [ table r${' | bypass'.repeat(100)} ]`).plan;
  expect(cutsBelow(result, none)).toHaveLength(1);
  const staged = (node: PlanNode) => node.command === 'bypass' && node.input?.command === 'table';
  expect(cutsBelow(check(`table t${' | bypass'.repeat(64)}`).plan.result, staged)).toEqual([]);
});
