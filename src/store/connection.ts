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

export interface Driver {
  readonly dialect: DialectName;
  /** True when other processes may write to the same database, so that nothing read may be kept. */
  readonly isShared: boolean;
  /** The one connection that changes anything. */
  readonly writer: Connection;
  /** Short reads of committed rows. */
  readonly reader: Connection;
  /** Long reads, off the main thread. */
  readonly scanner: Connection;
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  close(): Promise<void>;
}
