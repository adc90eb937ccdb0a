// Checks the text of a query for a caller: what it may refer to is what the caller may see. Loaded with the first query,
// because it brings the whole language along.

import type { Caller } from '#access/caller.ts';
import { isAtLeast, NODE_NAME } from '#contract/values.ts';
import type { LogEngine } from '#engines/engine.ts';
import { evaluateConstant } from '#query/evaluate/index.ts';
import type { ExportPlaces } from '#query/export-paths.ts';
import type { RunFacts } from '#query/functions/function.ts';
import { type CheckedQuery, checkQuery } from '#query/query.ts';
import type { Surroundings } from '#query/surroundings.ts';
import type { Value } from '#query/values.ts';
import type { Store } from '#store/store.ts';
import { constantsOf, type GivenParams } from './constants.ts';
import { ReadableTables } from './readable-tables.ts';

export interface CheckingParts {
  readonly store: Store;
  readonly engine: LogEngine;
  readonly zone: string;
  readonly systemObjects: ReadonlySet<string>;
  readonly exports: ExportPlaces;
}

export interface CheckedText {
  readonly caller: Caller;
  readonly text: string;
  readonly params: GivenParams;
  readonly now: Temporal.Instant;
}

/** What has been worked out of a query that must run in parts. */
export type Worked = Required<Pick<Surroundings, 'setqResults' | 'chartColumns'>>;

export class Checking {
  readonly tables: ReadableTables;
  readonly constants: ReadonlyMap<string, Value>;
  readonly #parts: CheckingParts;
  readonly #of: CheckedText;

  /** Throws a QueryMistake for parameters that cannot be. */
  constructor(parts: CheckingParts, of: CheckedText) {
    this.#parts = parts;
    this.#of = of;
    this.tables = new ReadableTables(parts, of.caller);
    this.constants = constantsOf(of.params, parts.zone);
  }

  /** Throws the first QueryMistake in the text. */
  async check(worked: Worked = { setqResults: [], chartColumns: [] }): Promise<CheckedQuery> {
    return await this.tables.told((tables, writableTables) =>
      checkQuery(this.#of.text, {
        now: this.#of.now,
        zone: this.#parts.zone,
        node: NODE_NAME,
        tables,
        writableTables,
        lookups: new Map(),
        parsers: new Map(),
        procedures: new Map(),
        groups: new Set(),
        systemObjects: this.#parts.systemObjects,
        constants: this.constants,
        ...worked,
        ...(isAtLeast(this.#of.caller.role, 'ADMIN') ? { exports: this.#parts.exports } : {}),
        evaluate: (expression, constants) => {
          const zone = constants.get('_timezone');
          return evaluateConstant(
            expression,
            this.facts(typeof zone === 'string' ? zone : this.#parts.zone),
            constants,
          );
        },
      }),
    );
  }

  /** What functions can see of the run; `zone` is the query's. */
  facts(zone: string): RunFacts {
    let row = 0n;
    const nextRow = () => {
      row += 1n;
      return row;
    };
    return { now: this.#of.now, zone, user: this.#of.caller.login, groups: new Map(), nextRow };
  }
}
