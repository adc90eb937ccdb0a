// What an example's world becomes for those who run it.

import type { RunFacts } from '#query/model/run-facts.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { EXAMPLE_NOW, type World } from '#test/support/query-examples.ts';
import type { Row } from '#test/support/query-result.ts';

/** Without the columns of these names, which stay in the overflow of their rows. */
export const openTables = (
  tables: ReadonlyMap<string, KnownTable>,
  undeclared: ReadonlySet<string>,
): Map<string, KnownTable> =>
  new Map(
    [...tables.values()].map((table) => {
      const columns = table.columns.filter(({ name }) => !undeclared.has(name));
      return [table.name, { ...table, columns, isOpen: columns.length < table.columns.length }];
    }),
  );

export const groupsOf = ({ groups = {} }: World): RunFacts['groups'] =>
  new Map(Object.entries(groups).map(([guid, entries]) => [guid, new AddressGroup(entries)]));

/** A row as it is stored. */
export function withTime(row: Row): Row {
  const time = row.get('_time');
  return new Map([...row]).set('_time', time instanceof Temporal.Instant ? time : EXAMPLE_NOW);
}

export const uncounted = (): bigint => {
  throw new Error('rows are counted by the statement');
};
