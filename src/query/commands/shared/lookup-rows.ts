// Rows of lookups in plans: those that a driver reads, and those that a command makes of its input.

import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import { functionNamed } from '#query/functions/index.ts';
import type { Name } from '#query/language/words.ts';
import type { KnownColumn } from '#query/model/columns.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';

import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { call } from '#query/values/typing.ts';
import { nameOfLookup } from './lookups.ts';

/** The rows of a lookup in the order of its key. */
export function lookupRows(known: KnownLookup, columns: readonly KnownColumn[], planning: CommandPlanning<unknown>) {
  const fields = columns.map((one) => ({ from: one.name, column: planning.newColumn(one.name, one.type) }));
  const type = known.columns.find((one) => one.name === known.key)?.type ?? 'any';
  const key = { from: known.key, column: planning.newColumn(known.key, type) };
  const rows = {
    columns: fields.map(({ column }) => column),
    order: [{ column: key.column.id, descending: false }],
  };
  return { ...planning.planNode(rows), ...nameOfLookup(known, planning), kind: 'lookuptable', key, fields } as const;
}

/** The first row of each value of the key that is not null, with the key and these fields; quiet names give no warning. */
export function* firstOfEachKey(
  key: string,
  names: readonly Name[],
  planning: CommandPlanning<unknown>,
  how: 'warned' | 'quiet' = 'warned',
): SlicedWork<KnownPlanNode> {
  planning.warnUnordered();
  const isThere = functionNamed('isnotnull');
  if (!isThere) throw new Error('the function isnotnull is missing');
  const sought = planning.quietField(key);
  const kept: KnownPlanNode = {
    ...planning.step(planning.rows),
    kind: 'filter',
    condition: call(isThere, [sought], planning.span),
  };
  const firsts: KnownPlanNode = {
    ...planning.planNode(planning.rows),
    input: kept,
    kind: 'dedup',
    keys: [sought],
    count: 1n,
  };
  const others = yield* mapSliced(
    names.filter(({ text }) => text !== key),
    (name) => (how === 'quiet' ? planning.quietField(name.text) : planning.field(name)),
  );
  const fields = [sought, ...others];
  const assigned = fields.map((value) => ({ column: planning.newColumn(value.name, value.type), value }));
  const rows = { ...planning.rows, columns: assigned.map(({ column }) => column) };
  const { overflow: _, ...closed } = rows;
  return { ...planning.planNode(closed), input: firsts, kind: 'project', assigned };
}
