// Rows on their way into a table of a database (dboutput). Each batch is one transaction; what is stored stays, whatever
// becomes of the query.

import type { MapValue, Value } from '#query/model/values.ts';
import type { DatabaseOutput } from '#query/plan-nodes/dboutput.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import { StatementRefused } from './database-failure.ts';
import { type DatabaseSession, MAX_ROW_BYTES } from './database-session.ts';
import { insertSql } from './insert-sql.ts';

export interface StoredRows {
  readonly stored: number;
  /** Rows that the database has refused and that were left out. */
  readonly refused: number;
}

/** What a sink needs of the use of its profile. */
interface SinkContext {
  writing(
    work: (
      session: DatabaseSession,
      context: { readonly zone: string; readonly time: { wait<W>(work: Promise<W>): Promise<W> } },
    ) => Promise<void>,
  ): Promise<void>;
  queryError(error: unknown): unknown;
}

/** Of one statement; PostgreSQL takes 65,535 values. */
const MAX_VALUES = 5000;
const MAX_ROWS = 500;

type Values = readonly Value[];

export class DatabaseSink {
  readonly #node: DatabaseOutput;
  readonly #context: SinkContext;
  readonly #ended: (rows: StoredRows) => Promise<void>;
  #waiting: Values[] = [];
  #stored = 0;
  #refused = 0;
  #isEnded = false;

  constructor(node: DatabaseOutput, context: SinkContext, ended: (rows: StoredRows) => Promise<void>) {
    this.#node = node;
    this.#context = context;
    this.#ended = ended;
  }

  async add(rows: readonly MapValue[]): Promise<void> {
    const { columns, batchSize } = this.#node;
    for (const row of rows) {
      this.#waiting.push(columns.map(({ field }) => row.get(field) ?? null));
      if (this.#waiting.length >= batchSize) await this.#flush();
    }
  }

  async prepare(): Promise<void> {
    if (this.#waiting.length > 0) await this.#flush();
  }

  async commit(): Promise<void> {
    await this.#end();
  }

  /** Stored batches stay, so that they are told of. */
  async discard(): Promise<void> {
    await this.#end();
  }

  async #end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    await this.#ended({ stored: this.#stored, refused: this.#refused });
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      await this.#store(batch);
    } catch (error) {
      if (!(error instanceof StatementRefused)) throw this.#context.queryError(error);
      if (this.#node.isRetried) await this.#storeEach(batch);
      else this.#leaveOut(batch.length, error);
    }
  }

  async #storeEach(batch: readonly Values[]): Promise<void> {
    for (const row of batch) {
      try {
        await this.#store([row]);
      } catch (error) {
        if (!(error instanceof StatementRefused)) throw this.#context.queryError(error);
        this.#leaveOut(1, error);
      }
    }
  }

  #leaveOut(count: number, error: StatementRefused): void {
    if (this.#node.stopsOnFailure) throw this.#context.queryError(error);
    this.#refused += count;
  }

  async #store(batch: readonly Values[]): Promise<void> {
    const node = this.#node;
    await this.#context.writing(async (session, { zone, time }) => {
      for (const rows of statementsOf(batch, node)) {
        const text = insertSql(node, rows.length);
        await time.wait(session.run({ text, values: rows.flat(), zone, maxBytes: MAX_ROW_BYTES }));
      }
    });
    this.#stored += batch.length;
  }
}

/** Rows of one statement each. No key comes twice in one: PostgreSQL refuses to update a row it has just made. */
function* statementsOf(batch: readonly Values[], { columns, key }: DatabaseOutput): Generator<readonly Values[]> {
  const keyIndexes = columns.flatMap(({ column }, index) => (key.includes(column) ? [index] : []));
  const most = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_VALUES / columns.length)));
  let rows: Values[] = [];
  let keys = new Set<string>();
  for (const row of batch) {
    const own = key.length === 0 ? undefined : taggedJson(keyIndexes.map((index) => row[index] ?? null));
    if (rows.length === most || (own !== undefined && keys.has(own))) {
      yield rows;
      [rows, keys] = [[], new Set()];
    }
    rows.push(row);
    if (own !== undefined) keys.add(own);
  }
  if (rows.length > 0) yield rows;
}
