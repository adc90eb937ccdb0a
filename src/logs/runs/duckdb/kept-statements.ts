// Prepared statements of a connection, for the next run that has the same one: preparing takes longer than a small statement
// itself. Only statements over files that never change may be kept. DuckDB plans by the statistics of a table in memory, and a
// plan of yesterday gives wrong answers once the table has grown.

import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import { BoundedMap } from '#runtime/bounded-map.ts';

/** Characters of all kept texts of a connection; a plan takes some times as many bytes. */
const MAX_CHARACTERS = 65_536;

export class KeptStatements {
  /** A statement that is used is taken out, so the first one was not used for longest. */
  readonly #statements = new BoundedMap<string, DuckDBPreparedStatement>({
    max: MAX_CHARACTERS,
    evicts: 'oldest',
    weigh: (_, text) => text.length,
    evicted: (statement) => statement.destroySync(),
  });

  /** The caller has it for itself, until it is kept again. */
  take(text: string): DuckDBPreparedStatement | undefined {
    const statement = this.#statements.get(text);
    this.#statements.delete(text);
    return statement;
  }

  /** Destroys it where it is too long; otherwise those that were not used for longest. */
  keep(text: string, statement: DuckDBPreparedStatement): void {
    // Values of a query are not held longer than its run.
    statement.clearBindings();
    this.take(text)?.destroySync();
    this.#statements.set(text, statement);
    if (!this.#statements.has(text)) statement.destroySync();
  }

  destroy(): void {
    for (const text of [...this.#statements.keys()]) this.take(text)?.destroySync();
  }
}
