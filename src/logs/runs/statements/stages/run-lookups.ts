// Lookups of a run: their rows become tables of it with their first use; lookups that it builds are handed over when it succeeds.

import { listOf } from '#logs/lookups/lookup-sql.ts';
import type { RunLookups } from '#logs/run.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import { chainOf } from '#query/analysis/sub-plans.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { BuildEffect } from '#query/plan-nodes/effect.ts';
import { bodyOf, subqueriesOf } from '#query/plan-nodes/facts.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import type { Source } from '#query/plan-nodes/shared/compile-context.ts';
import { isTableSelect } from '#query/plan-nodes/shared/compile-context.ts';
import type { LookupName } from '#query/plan-nodes/shared/lookup-rows.ts';
import { RowTexts } from '#query/rows/row-texts.ts';
import { lookupStatement } from '#query/statements/lookup-tables.ts';

type DuckdbModule = typeof import('@duckdb/node-api');

interface Parts {
  readonly duckdb: DuckdbModule;
  readonly session: RunSession;
  readonly facts: RunFacts;
  readonly lookups?: RunLookups;
  lookupPath(file: string): string;
}

export class LookupsOfRun {
  readonly #deps: Parts;
  /** Tables by the key of their lookup. */
  readonly #tables = new Map<string, string>();
  readonly #changes: (() => Promise<void> | undefined)[] = [];

  constructor(deps: Parts) {
    this.#deps = deps;
  }

  columns(name: LookupName): ReadonlyMap<string, ColumnType> {
    return new Map(this.#rowsOf(name).columns.map((column) => [column.name, column.type]));
  }

  /** Makes tables of those that a statement reads. */
  async prepare(sources: readonly Source[]): Promise<void> {
    const { duckdb, session, facts } = this.#deps;
    for (const source of sources) {
      if (isTableSelect(source) || this.#tables.has(keyOf(source))) continue;
      const { columns, rows } = this.#rowsOf(source);
      if ('file' in rows) continue;
      const table = `lookup_${this.#tables.size + 1}`;
      await session.rows(lookupStatement(duckdb, { columns, rows }, { table, run: facts }));
      this.#tables.set(keyOf(source), table);
    }
  }

  select(lookup: LookupName): string {
    const { columns, rows } = this.#rowsOf(lookup);
    if (!('file' in rows)) return `select * from ${this.#tables.get(keyOf(lookup))}`;
    const path = quotedText(this.#deps.lookupPath(rows.file));
    return `select ${listOf(rows.columns, columns).join(', ')} from read_parquet(${path})`;
  }

  /** `texts` are the rows of its records. */
  async build(built: BuildEffect, texts: AsyncIterable<readonly string[]>, isSecret: boolean): Promise<void> {
    const { lookups } = this.#deps;
    if (!lookups) throw new Error('the run has no place for a lookup');
    const { lookup, key, records } = built;
    const { lookup: name, account } = lookup;
    const owner = account === undefined ? {} : { account };
    const building = lookups.build({ name, ...owner, key, columns: records.rows.columns, isSecret });
    const reader = new RowTexts(records);
    for await (const block of texts) {
      building.add(
        block.map((text) => reader.fields(text)),
        block.reduce((size, text) => size + text.length, 0),
      );
    }
    this.#changes.push(() => building.commit());
  }

  drop({ lookup, account }: LookupName): void {
    const name: LookupName = { lookup, ...(account === undefined ? {} : { account }) };
    this.#changes.push(() => this.#deps.lookups?.drop(name));
  }

  /** Makes the built lookups visible, and removes the dropped ones. */
  async commit(): Promise<void> {
    for (const change of this.#changes) await change();
  }

  #rowsOf(name: LookupName) {
    const found = this.#deps.lookups?.of(name);
    if (!found) throw new Error(`there is no lookup ${name.lookup}`);
    return found;
  }
}

/** No GUID has a blank in it, so no two lookups have one key. */
const keyOf = ({ lookup, stored = '', account = '' }: LookupName): string => `${account} ${stored} ${lookup}`;

/** Nodes in the order in which they must have done their work, those of subqueries before the ones that take their rows. */
export function workOf(plan: Plan): readonly PlanNode[] {
  return chainOf(plan).flatMap((node) => {
    const body = bodyOf(node);
    return [...(body ? workOf(body) : []), ...subqueriesOf(node).flatMap(workOf), node];
  });
}
