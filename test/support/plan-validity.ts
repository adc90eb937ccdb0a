// Holds a plan to what compilers rely on: a node reads only what its input hands on, and hands on only what it reads
// or makes.

import { idsOf } from '#query/model/columns.ts';
import { type ColumnId, childrenOf, type Expression } from '#query/model/expression.ts';
import { inputsOf, scanOf } from '#query/plan-nodes/facts.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';

/** Sentences about nodes that break the rule. */
export function invalidPlanNodes(plan: Plan): string[] {
  const complaints: string[] = [];
  const visit = (node: PlanNode): void => {
    complaints.push(...complaintsAbout(node));
    inputsOf(node).forEach(visit);
  };
  visit(plan.result);
  return complaints;
}

function complaintsAbout(node: PlanNode): string[] {
  const inputs = inputsOf(node);
  const isSource = inputs.length === 0 || scanOf(node) !== undefined;
  const given = new Set(inputs.flatMap(({ rows }) => idsOf(rows)));
  const found: Found = { made: new Set(isSource ? idsOf(node.rows) : []), read: new Set() };
  const { rows, ...own } = node;
  const inner: Record<string, unknown> = { ...own };
  for (const key of [
    'input',
    'right',
    'body',
    'query',
    'subqueries',
    'bracket',
    'tables',
    'values',
    'constants',
    'built',
    'records',
  ]) {
    if (!(key === 'right' && node.kind !== 'join' && node.kind !== 'union')) delete inner[key];
  }
  look(inner, found);
  const known = (id: ColumnId) => given.has(id) || found.made.has(id);
  const names = rows.columns.map(({ name }) => name);
  return [
    ...[...found.read].filter((id) => !known(id)).map((id) => `${node.text}: reads ${id}`),
    ...idsOf(rows)
      .filter((id) => !known(id))
      .map((id) => `${node.text}: hands on ${id}`),
    ...(new Set(names).size === names.length ? [] : [`${node.text}: two columns of one name`]),
    ...(rows.order?.length === 0 ? [`${node.text}: an empty order`] : []),
  ];
}

interface Found {
  readonly made: Set<ColumnId>;
  readonly read: Set<ColumnId>;
}

/** Columns that nodes make by number: hidden ones, and those of the answer of a request. */
const HIDDEN = [
  'position',
  'exploded',
  'copy',
  'sequence',
  'single',
  'leftOut',
  'line',
  'code',
  'headers',
  'error',
  'index',
];

function look(value: unknown, found: Found): void {
  if (typeof value !== 'object' || value === null || value instanceof Temporal.Instant) return;
  if (Array.isArray(value)) {
    for (const one of value) look(one, found);
    return;
  }
  if (isExpression(value)) {
    readIn(value, found);
    return;
  }
  if ('id' in value && typeof value.id === 'number') found.made.add(value.id);
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'number' && (HIDDEN.includes(key) || key === 'overflow')) found.made.add(inner);
    // The overflows of both sides of a join are read, not made.
    else if ((key === 'left' || key === 'right') && isOverflow(inner)) found.read.add(inner.id);
    else if (key !== 'called') look(inner, found);
  }
}

const KINDS = ['literal', 'pattern', 'field', 'parameter', 'negation', 'arithmetic', 'logic', 'call'];

const isExpression = (value: object): value is Expression =>
  'kind' in value &&
  'type' in value &&
  (KINDS.includes(String(value.kind)) || (value.kind === 'comparison' && 'left' in value));

const isOverflow = (value: unknown): value is { id: ColumnId } =>
  typeof value === 'object' && value !== null && 'without' in value && 'id' in value;

function readIn(expression: Expression, found: Found): void {
  const source = expression.kind === 'field' ? expression.source : undefined;
  if (expression.kind === 'field' && !source) throw new Error(`field ${expression.name} has no source`);
  if (source && 'id' in source) found.read.add(source.id);
  for (const inner of childrenOf(expression)) readIn(inner, found);
}
