// The rows of a scan that alone matter to a plan, where these are the first ones in its order, of all or of each combination of
// keys: a store may choose them in place of handing all rows over. The plan chooses again, so a store may give more.

import type { Column } from '#query/model/columns.ts';
import { columnRead, type Expression } from '#query/model/expression.ts';
import { cutOf, declarationOf, inputsOf, scanOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { lowestToCut } from '#query/plan-nodes/row-walks.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import { KEY_TYPES, type SelectedRows, selectedRows } from './condensed-rows.ts';

export interface ChosenRows extends SelectedRows {
  /** So many first ones of those that fulfil the conditions. */
  readonly first: bigint;
  /** So many of each combination of their values, where there are some. */
  readonly keys: readonly Column[];
}

export function chosenRows(result: PlanNode): Map<Scan, ChosenRows> {
  const found = new Map<Scan, ChosenRows | undefined>();
  const descend = (node: PlanNode): void => {
    const chosen = chosenBy(node);
    const scan = chosen?.scan ?? scanOf(node);
    // Rows that are read in two places are chosen by neither.
    if (scan) found.set(scan, found.has(scan) ? undefined : chosen);
    if (!chosen) for (const input of inputsOf(node)) descend(input);
  };
  descend(result);
  return new Map([...found].flatMap(([scan, chosen]) => (chosen ? [[scan, chosen] as const] : [])));
}

function chosenBy(node: PlanNode): ChosenRows | undefined {
  const { input } = node;
  if (!input) return undefined;
  const ofEach = declarationOf(node).firstOfEach?.(node);
  if (ofEach) {
    const selected = ordered(input);
    const keys = selected && keysOf(ofEach.keys, selected);
    return keys && { ...selected, first: ofEach.count, keys };
  }
  const { offset = 0n, limit, firstRows } = cutOf(node) ?? {};
  const selected = firstRows && limit !== undefined ? ordered(lowestToCut(input, () => false)) : undefined;
  return selected && limit !== undefined ? { ...selected, first: offset + limit, keys: [] } : undefined;
}

/** Some rows of a scan that are still in its order. */
function ordered(node: PlanNode): SelectedRows | undefined {
  const selected = selectedRows(node);
  const { order } = node.rows;
  return order && order === selected?.scan.rows.order ? selected : undefined;
}

/** Undefined where the keys are more than columns whose equal values are the same in every store. */
function keysOf(keys: readonly Expression[], { scan: { rows } }: SelectedRows): readonly Column[] | undefined {
  const columns = keys.map((key) => {
    const id = columnRead(key);
    const column = [...rows.columns, ...(rows.unlisted ?? [])].find((one) => one.id === id);
    return column && KEY_TYPES.includes(column.type) ? column : undefined;
  });
  return columns.every((column) => column !== undefined) ? columns : undefined;
}
