// The statements of a run: each with the segments it reads in their places, and told in our words when it fails.

import type { DuckDBValue } from '@duckdb/node-api';
import type { PlanStatement, Source } from '#query/dialects/duckdb.ts';
import { failureIn } from '#query/evaluate/failures.ts';
import type { RunFacts } from '#query/functions/function.ts';
import type { Scan } from '#query/needs.ts';
import type { PlanNode, TimeRange } from '#query/plan.ts';
import { timeBounds } from '#query/time-bounds.ts';
import { discreet } from './discreet-duck.ts';
import { exhausted, isExhausted } from './exhausted.ts';
import type { LookupsOfRun } from './run-lookups.ts';
import type { RunTables, Sources } from './run-tables.ts';
import type { DuckSession, Others } from './session.ts';
import { overlap } from './slices.ts';

type DuckModule = typeof import('@duckdb/node-api');

/** A scan, and the times it is read of. */
export type Covered = readonly [Scan, TimeRange];

export interface StatementParts {
  readonly duck: DuckModule;
  readonly session: DuckSession;
  readonly tablesOfRun: RunTables;
  readonly lookupsOfRun: LookupsOfRun;
  readonly facts: RunFacts;
  readonly signal: AbortSignal;
  readonly isApart: boolean;
}

export class RunStatements {
  /** What was read of a scan, where a limit had its rows before all of it was. */
  covered: Covered | undefined;
  readonly #parts: StatementParts;

  constructor(parts: StatementParts) {
    this.#parts = parts;
  }

  async read(statement: PlanStatement, root: PlanNode): Promise<DuckDBValue[][]> {
    using sources = await this.#borrow(statement, root);
    try {
      return await this.#parts.session.rows(
        statement.filled(this.#parts.duck, (source) => this.#selectOf(source, sources)),
      );
    } catch (error) {
      throw await this.#told(error, sources);
    }
  }

  async *texts(
    statement: PlanStatement,
    root: PlanNode,
    { span, others }: { span?: Covered; others?: Others } = {},
  ): AsyncGenerator<readonly string[]> {
    using sources = await this.#borrow(statement, root, span);
    try {
      const filled = statement.filled(this.#parts.duck, (source) => this.#selectOf(source, sources));
      yield* this.#parts.session.texts(filled, others);
    } catch (error) {
      throw await this.#told(error, sources);
    }
  }

  /** `span` narrows what is read of one scan. */
  async #borrow(statement: PlanStatement, root: PlanNode, span = this.covered): Promise<Sources> {
    const tables = statement.sources.flatMap((source) => (source.kind === 'table' ? [source] : []));
    const { tablesOfRun, lookupsOfRun, facts, session } = this.#parts;
    await lookupsOfRun.prepare(statement.sources);
    const bounds = timeBounds(root, facts.zone);
    if (span) bounds.set(span[0], overlap(bounds.get(span[0]) ?? {}, span[1]));
    return await tablesOfRun.borrow(tables, bounds, session);
  }

  #selectOf(source: Source, sources: Sources): string {
    return source.kind === 'lookup' ? this.#parts.lookupsOfRun.select(source.lookup) : sources.selectOf(source);
  }

  /** What a failed statement is answered with. */
  async #told(error: unknown, sources: Sources): Promise<unknown> {
    const { signal, tablesOfRun, isApart } = this.#parts;
    if (signal.aborted) return error;
    const failure = failureIn(error instanceof Error ? error.message : '');
    if (failure) return failure;
    const cause = await sources.blamed(error);
    if (tablesOfRun.secret.length > 0) return discreet(cause, tablesOfRun.secret.join(', '));
    return isExhausted(cause) ? exhausted(cause, { isApart }) : cause;
  }
}
