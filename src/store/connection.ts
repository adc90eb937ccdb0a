// The interface between the store and a database: a few verbs over SQL text with `?` for every value. Both drivers
// implement it, and Kysely is laid over it, so no code above this room knows which database it talks to.

export type Value = string | number | bigint | null | Uint8Array;
export type Key = string | number | null;
export type Row = Record<string, unknown>;

/** How a statement is run. */
export interface StatementOptions {
  /** One of a few texts that requests run all the time: a server parses and plans it once for each of its connections. */
  readonly isPrepared?: boolean;
}

export interface Connection {
  all(sql: string, values?: readonly Value[], options?: StatementOptions): Promise<Row[]>;
  /** Runs statements that take no values and give no rows. */
  exec(sql: string): Promise<void>;
  insertMany(table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void>;
  /** Sets numbers in many rows, different ones in each; the first column, a number or a text, is the key of the row. */
  updateMany(table: string, columns: readonly string[], rows: readonly (readonly Key[])[]): Promise<void>;
  /**
   * Of a unit on a shared database: it has called for all its statements and waits for their answers alone, so the next unit may
   * begin. Statements that it calls for later are refused.
   */
  sendsNoMore?(): void;
}

export type DialectName = 'sqlite' | 'postgres';

/** A migration may take long, and runs before the table in which lost commits are looked up exists. */
export type TransactionKind = 'changes' | 'migration';

/** Owns its connection until it ends; later statements are rejected. */
export interface Transaction {
  readonly connection: Connection;
  /**
   * Resolves when it is durable. Throws CommitUnanswered while the outcome is unknown; after any other error it is
   * rolled back.
   */
  commit(): Promise<void>;
  /** Never throws: the database rolls back a transaction that cannot be ended from here. */
  rollback(): Promise<void>;
}

export interface Driver {
  readonly dialect: DialectName;
  /** True when statements can be sent before the one ahead of them is answered. */
  readonly sendsAhead: boolean;
  /** Short reads of committed rows. */
  readonly reader: Connection;
  /** Long reads, off the main thread. */
  readonly scanner: Connection;
  /**
   * The only way to change anything. One transaction at a time: all other writers, in this process and in others, wait
   * for its end.
   */
  begin(kind?: TransactionKind): Promise<Transaction>;
  /** Ends within seconds, whatever state the database is in. */
  close(): Promise<void>;
}

/** Statements are rejected as soon as `refusal` returns a reason. */
export function guarded(connection: Connection, refusal: () => Error | undefined): Connection {
  const allow = () => {
    const reason = refusal();
    if (reason) throw reason;
  };
  return {
    async all(sql, values) {
      allow();
      return await connection.all(sql, values);
    },
    async exec(sql) {
      allow();
      await connection.exec(sql);
    },
    async insertMany(table, columns, rows) {
      allow();
      await connection.insertMany(table, columns, rows);
    },
    async updateMany(table, columns, rows) {
      allow();
      await connection.updateMany(table, columns, rows);
    },
  };
}

export class TransactionOver extends Error {
  constructor() {
    super('the transaction of this unit is over');
  }
}
