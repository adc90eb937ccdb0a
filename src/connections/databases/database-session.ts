// A session with a database, whatever its kind. A statement runs at a time; a session that has failed is closed.

import type { ProfileKind, TlsMode } from '#connections/profile-kinds.ts';
import type { MapValue, Value } from '#query/model/values.ts';

/** All that a connection needs. The address was checked; the host is the name that its certificate must have. */
export interface DatabaseTarget {
  readonly kind: Exclude<ProfileKind, 'http'>;
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly tls: TlsMode;
  readonly ca: string | undefined;
}

export interface SessionStatement {
  readonly text: string;
  /** In the order of its marks. */
  readonly values: readonly Value[];
  /** Zone of times that the database has without one. */
  readonly zone: string;
  readonly maxBytes: number;
  /** Rows that are read, and no more. */
  readonly limit?: number;
}

/** Rows of a statement; `names` of its columns are known also where there is no row. */
export interface StatementRows {
  readonly names: readonly string[];
  readonly rows: readonly MapValue[];
}

export interface DatabaseSession {
  readonly version: string;
  /** False once the connection has failed: it is not used again. */
  readonly isOpen: boolean;
  /** Times without a zone are meant in this one from now on, until the session is reset. */
  setZone(zone: string, now: Temporal.Instant): Promise<void>;
  /** The database makes no more rows of a statement than these, where it can be told so. */
  limitRows(count: number): Promise<void>;
  begin(access: 'read only' | 'read write'): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** At least once, in the order of the database. A reader that stops early ends the statement. */
  rows(statement: SessionStatement): AsyncGenerator<StatementRows>;
  /** A statement without rows. */
  run(statement: SessionStatement): Promise<void>;
  /** As it was when it began: no lock, temporary table or setting of a statement is left. */
  reset(): Promise<void>;
  /** Ends the running statement in the database, by another connection, then closes this one. */
  cancel(): Promise<void>;
  close(): void;
}

/** Bytes of one row, and of all that a server sends without giving a row: as many as one value of the language may have. */
export const MAX_ROW_BYTES = 16 * 1024 * 1024;

/** Of one batch of rows: some milliseconds of work. */
export const BATCH_ROWS = 256;
export const BATCH_BYTES = 256 * 1024;

/** Until a server has greeted, authenticated and answered. */
export const CONNECT_MS = 10_000;
