// Rows that ClickHouse condenses, table by table; whoever asks gets a SELECT of DuckDB over them. Where there are too many, or
// where it cannot be exact, the records themselves are fetched instead.

import type { NamelessFile } from '#files/nameless.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import { GroupFinder } from '#logs/runs/statements/counts/catalog-counts.ts';
import type { Condensing as Asked, Counting, PlannedCondensing } from '#logs/runs/tables/condensing.ts';
import { millisecondsOf } from '#logs/runs/tables/timed-rows.ts';
import { StatementFailed } from '#logs/stores/clickhouse/server/failures.ts';
import { paramText } from '#logs/stores/clickhouse/server/params.ts';
import { tableName } from '#logs/stores/clickhouse/storage/layout.ts';
import type { Condition } from '#logs/stores/clickhouse/storage/visibility.ts';
import type { CondensedRows, SelectedRows } from '#query/analysis/condensed-rows.ts';
import { planNodesBelow } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { TimeGroups } from '#query/plan-nodes/plan-node.ts';
import type { TableSource } from '#query/plan-nodes/shared/scans.ts';
import { SliceTimer } from '#runtime/event-loop.ts';
import { selectedCondition } from './chosen-select.ts';
import {
  condensedSelect,
  condensingStatement,
  FIRST_TIME,
  LAST_TIME,
  readFiles,
  type StoredTable,
  type TimeSteps,
} from './condensed-select.ts';
import type { FilesAsked } from './shard-statements.ts';
import { boundsOf, rangeParams } from './stored-rows.ts';
import type { TableStatement } from './table-statements.ts';

/** More are not worth it: then as many rows travel as without. */
const MAX_GROUPS = 1_000_000;

/** Steps of time that are tested on the main thread. */
const MAX_STEPS = 20_000;

/** Of the server: more groups than `max_rows_to_group_by`, more memory than `max_memory_usage`. */
const TOO_MANY = [158, 241];

const SETTINGS = { max_rows_to_group_by: MAX_GROUPS, group_by_overflow_mode: 'throw' } as const;

interface CondensingDeps {
  /** Whether one server has all records. */
  isOneServer(): boolean;
  /** A table of the run, with the condition of what it sees. */
  table(name: string): { readonly stored: Omit<StoredTable, 'source' | 'node'>; readonly where: Condition };
  fetch(name: string, statement: TableStatement, asked: FilesAsked): Promise<readonly NamelessFile[]>;
  rows(name: string, statement: TableStatement, nodes: readonly PlanNode[]): Promise<readonly (readonly unknown[])[]>;
}

export class Condensing implements AsyncDisposable {
  readonly #deps: CondensingDeps;
  /** What was fetched, by statement and parameters. */
  readonly #fetched = new Map<string, Promise<readonly NamelessFile[]>>();

  constructor(deps: CondensingDeps) {
    this.#deps = deps;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const outcome of await Promise.allSettled(this.#fetched.values())) {
      if (outcome.status === 'fulfilled') for (const file of outcome.value) await file[Symbol.asyncDispose]();
    }
  }

  async select(rows: CondensedRows, asked: Asked): Promise<string | undefined> {
    const { scan } = rows;
    if (scan.tables.length === 0) return undefined;
    for (const steps of stepsOf(rows.times, asked.facts)) {
      const found = await this.#inSteps(rows, steps, asked);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** How many rows these are; undefined where ClickHouse might count others. */
  async count(rows: SelectedRows, { planNode: node, ...asked }: Counting): Promise<bigint | undefined> {
    const parts = rows.scan.tables.map((source) => this.#selected(rows, source, asked));
    if (parts.includes(undefined)) return undefined;
    let total = 0n;
    for (const part of parts) {
      if (!part) continue;
      const { table, range, where } = part;
      const write = (visible: Condition) => {
        const { text, params } = where(visible);
        return { text: `select count() from ${tableName(table.id)} where ${text}`, params };
      };
      const nodes = planNodesBelow(node, () => false);
      const found = await this.#deps.rows(table.source.name, { range, write }, nodes);
      for (const [count] of found) total += BigInt(Number(count));
    }
    return total;
  }

  /** The statements that would be tried first; undefined where there are none. */
  planned(rows: CondensedRows, asked: PlannedCondensing): readonly string[] | undefined {
    const [steps] = stepsOf(rows.times, asked.facts);
    const parts = steps && rows.scan.tables.map((source) => this.#statement(rows, { source, steps }, asked)?.seen.text);
    return parts?.every((part) => part !== undefined) && parts.length > 0 ? parts : undefined;
  }

  async #inSteps(rows: CondensedRows, steps: TimeSteps, asked: Asked): Promise<string | undefined> {
    const parts = rows.scan.tables.map((source) => this.#statement(rows, { source, steps }, asked));
    if (parts.includes(undefined)) return undefined;
    const selects: string[] = [];
    for (const part of parts) {
      const files = part && (await this.#files(part, asked));
      if (!files || (rows.times && !(await areOfOneGroup(files, { ...rows.times, ...steps }, asked)))) return undefined;
      selects.push(condensedSelect(rows, part.table, files));
    }
    return selects.join(' union all ');
  }

  #statement(rows: CondensedRows, { source, steps }: Statement, asked: PlannedCondensing): Part | undefined {
    const isDivided = rows.scan.tables.length > 1 || !this.#deps.isOneServer();
    const selected = rows.isOne && isDivided ? undefined : this.#selected(rows, source, asked);
    if (!selected) return undefined;
    const { table, range, where, visible } = selected;
    const write = condensingStatement(rows, { table, steps });
    return write && { table, seen: write(where(visible)), statement: { range, write: (some) => write(where(some)) } };
  }

  /** A table of a scan with the condition of the rows; undefined where ClickHouse might take others. */
  #selected(rows: SelectedRows, source: TableSource, { range, facts }: PlannedCondensing) {
    const { stored, where: visible } = this.#deps.table(source.name);
    const table: StoredTable = { ...stored, source };
    const condition = selectedCondition(rows, table, facts);
    if (!condition) return undefined;
    const bounds = millisecondsOf(range);
    const where = (some: Condition): Condition => ({
      text: [some.text, ...boundsOf(bounds), condition.text].join(' and '),
      params: { ...some.params, ...rangeParams(bounds), ...condition.params },
    });
    return { table, range: bounds, where, visible };
  }

  /** Undefined where there are too many rows. */
  async #files(
    { table, statement, seen: { text, params } }: Part,
    { planNode: node, session }: Asked,
  ): Promise<readonly NamelessFile[] | undefined> {
    const key = JSON.stringify([text, Object.entries(params).map(([name, value]) => [name, paramText(value)])]);
    const nodes = planNodesBelow(node, () => false);
    const options = { settings: SETTINGS, planNodes: nodes, session, share: 'stages' } as const;
    const fetching = this.#fetched.get(key) ?? this.#deps.fetch(table.source.name, statement, options);
    this.#fetched.set(key, fetching);
    try {
      return await fetching;
    } catch (error) {
      if (isTooMany(error)) return undefined;
      throw error;
    }
  }
}

interface Statement {
  readonly source: StoredTable['source'];
  readonly steps: TimeSteps;
}

/** By local time first, of which there are fewer. */
function stepsOf(times: TimeGroups | undefined, { now, zone }: Asked['facts']): readonly TimeSteps[] {
  const usual = { step: times?.step ?? 1, shift: 0 };
  if (times?.localStep === undefined) return [usual];
  const shift = now.toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000;
  return [{ step: times.localStep, shift }, usual];
}

interface Part {
  readonly table: StoredTable;
  readonly statement: TableStatement;
  /** The same with the test of what the run may see. */
  readonly seen: Condition;
}

/** Whether ClickHouse has no room for what it was asked to make. */
export const isTooMany = (error: unknown): boolean =>
  [error, error instanceof Error ? error.cause : undefined].some(
    (one) => one instanceof StatementFailed && TOO_MANY.includes(one.code),
  );

/** Whether the times that each row stands for are in one group: not so in a zone that is no multiple of a step from UTC. */
async function areOfOneGroup(
  files: readonly NamelessFile[],
  times: TimeGroups & TimeSteps,
  { session, facts }: { readonly session: RunSession; readonly facts: Asked['facts'] },
): Promise<boolean> {
  const step = `(${FIRST_TIME} + ${times.shift}) // ${times.step}`;
  const found = await session.rows({
    text: `select min(${FIRST_TIME})::double, max(${LAST_TIME})::double from ${readFiles(files)}
      group by ${step} order by 1 limit ${MAX_STEPS + 1}`,
    values: [],
    types: [],
  });
  if (found.length > MAX_STEPS) return false;
  const finder = new GroupFinder(times, facts.zone);
  const timer = new SliceTimer();
  for (const [minTime, maxTime] of found) {
    const group = finder.groupOf({ minTime: Number(minTime), maxTime: Number(maxTime), rows: 1 });
    if (group === null || group === 'several') return false;
    await timer.yieldIfDue();
  }
  return true;
}
