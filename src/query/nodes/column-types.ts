// The types of all columns of a plan, hidden ones among them.

import { inputsOf } from '#query/analysis/needs.ts';
import { type AggregateCall, type ColumnId, someWithin } from '#query/model/expression.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { Column, PlanNode } from './plan.ts';

export function learnTypes(node: PlanNode, types: Map<ColumnId, ColumnType>): void {
  const { columns, parameters = [] } = node.rows;
  for (const { id, type } of [...columns, ...parameters, ...madeBy(node)]) types.set(id, type);
  if (node.rows.overflow) types.set(node.rows.overflow.id, 'map');
  for (const input of inputsOf(node)) learnTypes(input, types);
}

const counter = (id: ColumnId | undefined): Pick<Column, 'id' | 'type'>[] =>
  id === undefined ? [] : [{ id, type: 'long' }];

/** Columns that a node makes and that need not be among its known ones. */
function madeBy(node: PlanNode): readonly Pick<Column, 'id' | 'type'>[] {
  switch (node.kind) {
    case 'json':
      return counter(node.sequence);
    case 'evalc':
    case 'window':
      return counter(node.sequence);
    case 'repeat':
      return counter(node.copy);
    case 'explode':
      return [...counter(node.position), ...counter(node.exploded)];
    case 'pivot':
      return [...counter(node.single), ...node.rowFields.map(({ column }) => column)];
    case 'project':
      return node.assigned.map(({ column }) => column);
    case 'sort':
      return [...node.by, ...node.keys].map(({ column }) => column);
    case 'stats':
    case 'eventstats':
      return [...node.by, ...node.aggregates].map(({ column }) => column);
    case 'streamstats':
      return [...counter(node.sequence), ...[...node.by, ...node.aggregates].map(({ column }) => column)];
    case 'prev':
      return [...counter(node.sequence), ...node.fields.map(({ column }) => column)];
    case 'lookuptable':
      return [node.key.column];
    case 'rollup':
      return [
        ...node.by.flatMap(({ column, shown, leftOut }) => [column, shown, ...counter(leftOut)]),
        ...node.aggregates.map(({ column }) => column),
      ];
    case 'top':
      return [...node.by, ...node.names].map(({ column }) => column);
    default:
      return [];
  }
}

/** The aggregates that a node computes over the rows of its input. */
export function aggregatesOf(node: PlanNode): readonly AggregateCall[] {
  return 'aggregates' in node ? node.aggregates.map(({ call }) => call) : [];
}

export const readsSequence = ({ args }: AggregateCall): boolean =>
  args.some((arg) => someWithin(arg, (inner) => inner.kind === 'call' && inner.called.name === 'seq'));
