// The conditions of stream rules (13), evaluated locally, against the same commands of a query on DuckDB: which records come out,
// and as what.

import fc from 'fast-check';
import { runToEnd } from '#kernel/sliced-work.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { compileRule } from '#query/rules/condition.ts';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { GROUP, GROUP_ENTRIES } from '#test/support/expressions.ts';
import { recordStep } from '#test/support/pipeline-texts.ts';
import { EXAMPLE_NOW, EXAMPLE_USER, EXAMPLE_ZONE } from '#test/support/query-examples.ts';
import { QueryRunner } from '#test/support/query-runner.ts';
import { smallWorld } from '#test/support/random-tables.ts';
import { areSameRows, type Row, rowsShown } from '#verification/same-rows.ts';
import { checkOf } from './check.ts';
import { worldText } from './pipelines.ts';

interface Case {
  readonly steps: readonly string[];
  readonly tables: Readonly<Record<'t' | 'r', readonly MapValue[]>>;
}

const groups = new Map([[GROUP, new AddressGroup(GROUP_ENTRIES)]]);

export const RULE_CONTEXT = {
  zone: EXAMPLE_ZONE,
  user: EXAMPLE_USER,
  constants: new Map<string, Value>(),
  groups: () => groups,
  now: () => EXAMPLE_NOW,
};

/** What comes with stored rows, and what no record has. */
const OWN = ['_table', '_id'];

const shown = (row: Row): Row => new Map([...row].filter(([name, value]) => value !== null && !OWN.includes(name)));

export const records = checkOf<Case>({
  name: 'records',
  given: fc.record({
    steps: fc.array(recordStep, { minLength: 1, maxLength: 5 }),
    tables: smallWorld.map(({ tables }) => tables),
  }),
  judge: async ({ steps, tables }) => {
    const text = steps.join(' | ');
    const { judge } = runToEnd(compileRule(text, RULE_CONTEXT));
    // Every field is in the overflow, as nothing is known of a record.
    const undeclared = [...new Set(tables.t.flatMap((row) => [...row.keys()]))];
    await using runner = await QueryRunner.open({ tables, groups: { [GROUP]: GROUP_ENTRIES } }, undeclared);
    const query = `table order=asc t | ${text}`;
    const found = (await runner.run(query)).rows.map(shown);
    const wanted = tables.t.flatMap((record) => judge(record) ?? []).map(shown);
    if (areSameRows(found, wanted, false)) return undefined;
    return `${query}\n${worldText(tables)}\n  DuckDB\n${rowsShown(found)}\n  rule\n${rowsShown(wanted)}`;
  },
});
