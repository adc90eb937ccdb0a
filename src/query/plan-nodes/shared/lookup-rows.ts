// The rows of a lookup inside a statement.

import type { MemoryBuild } from '#query/plan-nodes/memlookup.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import type { Sql } from '#query/sql/scope.ts';

/** Names a lookup: those in memory belong to accounts. */
export interface LookupName {
  readonly lookup: string;
  /** GUID of a stored lookup; absent: a lookup in memory. */
  readonly stored?: string;
  /** The account it belongs to; absent: the account that runs the query. */
  readonly account?: string;
}

/** A lookup that the same pipeline may have built before. */
export interface LookupRead extends LookupName {
  readonly built?: MemoryBuild;
}

interface LookupRecords {
  readonly select: string;
  /** A column of the lookup by its name. */
  readonly stored: (name: string) => Sql;
}

export function lookupRecords(
  { lookup, account, stored: guid, built }: LookupRead,
  compiler: PlanCompiler,
): LookupRecords {
  if (built) {
    const { columns } = built.records.rows;
    const stored = (name: string): Sql => {
      const column = columns.find((one) => one.name === name);
      if (!column) throw new Error(`the lookup ${lookup} is built without ${name}`);
      return compiler.column(column.id);
    };
    return { select: `(${compiler.planNode(built.records)})`, stored };
  }
  const named: LookupName = {
    lookup,
    ...(account === undefined ? {} : { account }),
    ...(guid === undefined ? {} : { stored: guid }),
  };
  const types = [...compiler.context.lookupColumns(named)];
  const stored = (name: string): Sql => {
    const index = types.findIndex(([column]) => column === name);
    return { text: lookupColumn(index), type: types[index]?.[1] ?? 'any', isPlain: true };
  };
  return { select: compiler.lookup(named), stored };
}

/** The name of a column in the SELECT of a lookup, by its index: names that differ in case alone are one to DuckDB. */
export const lookupColumn = (index: number): string => `l${index}`;
