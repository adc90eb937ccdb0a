// The seam between us and a database: a few verbs over SQL text with `?` for every value. Both drivers speak it, and
// Kysely is laid over it, so nothing above this room knows which database it talks to.

export type Value = string | number | bigint | null | Uint8Array;
export type Key = string | number | null;
export type Row = Record<string, unknown>;

export interface Connection {
  all(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** Runs statements that take no values and give no rows. */
  exec(sql: string): Promise<void>;
  insertMany(table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void>;
  /** Changes many rows, each to numbers of its own; the first column, a number or a text, says which row is meant. */
  updateMany(table: string, columns: readonly string[], rows: readonly (readonly Key[])[]): Promise<void>;
}

export type DialectName = 'sqlite' | 'postgres';

/** Migrations may take long, and are made before there is anything that a commit could leave for looking it up. */
export type TransactionKind = 'changes' | 'migration';

/** Owns its connection from its beginning to its end: whatever is asked of that afterwards is refused. */
export interface Transaction {
  readonly connection: Connection;
  /** Resolves when it is durable. Throws CommitUnanswered where nobody can say yet; after anything else it is undone. */
  commit(): Promise<void>;
  /** Never throws: a transaction that cannot be told to end is undone by its database. */
  rollback(): Promise<void>;
}

export interface Driver {
  readonly dialect: DialectName;
  /** True when other processes may write to the same database, so that nothing read may be kept. */
  readonly isShared: boolean;
  /** Short reads of committed rows. */
  readonly reader: Connection;
  /** Long reads, off the main thread. */
  readonly scanner: Connection;
  /** The only way to change anything. One at a time: all others that write, here and elsewhere, wait for its end. */
  begin(kind?: TransactionKind): Promise<Transaction>;
  /** Ends within seconds, whatever state the database is in. */
  close(): Promise<void>;
}

/** A connection that `refusal` can end: it gives the reason once nothing more may be asked. */
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
