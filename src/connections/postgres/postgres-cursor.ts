// One statement of PostgreSQL by the extended protocol, read some rows at a time: the server makes no more of them than are
// asked for, and refuses a second statement itself.

import type { Connection, FieldDef, Submittable } from 'pg';
import { StatementRefused } from '#connections/databases/database-failure.ts';
import type { BoundValue } from './postgres-values.ts';

export interface CursorPage {
  readonly fields: readonly FieldDef[];
  /** Values in text format. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Whether there may be more. */
  readonly hasMore: boolean;
}

interface DataRow {
  readonly fields: readonly (string | null)[];
}

/** The protocol of the driver, as far as the types of its package leave it out. */
interface ProtocolConnection {
  parse(statement: { name: string; text: string; types: readonly number[] }): void;
  bind(portal: { portal: string; statement: string; values: readonly (string | null)[] }): void;
  describe(what: { type: 'P'; name: string }): void;
  execute(portal: { portal: string; rows: number }): void;
  close(what: { type: 'P'; name: string }): void;
  flush(): void;
  sync(): void;
  sendCopyFail(message: string): void;
}

export class PostgresCursor implements Submittable {
  readonly #text: string;
  readonly #values: readonly BoundValue[];
  readonly #onRow: () => void;
  readonly #ended = Promise.withResolvers<void>();
  #connection: ProtocolConnection | undefined;
  #fields: readonly FieldDef[] = [];
  #rows: (readonly (string | null)[])[] = [];
  #pending: PromiseWithResolvers<CursorPage> | undefined;
  #firstRows: number;
  #failure: Error | undefined;
  #isDone = false;

  /** `onRow` is called for each row that has arrived; the first `rows` are asked for at once. */
  constructor(text: string, values: readonly BoundValue[], { rows, onRow }: { rows: number; onRow: () => void }) {
    this.#text = text;
    this.#values = values;
    this.#firstRows = rows;
    this.#onRow = onRow;
    // The next page rejects with it.
    this.#ended.promise.catch(() => undefined);
  }

  submit(connection: Connection): void {
    // Its methods are those of the driver's own queries.
    const own = connection as unknown as ProtocolConnection;
    this.#connection = own;
    own.parse({ name: '', text: this.#text, types: this.#values.map(({ type }) => type) });
    own.bind({ portal: '', statement: '', values: this.#values.map(({ text }) => text) });
    own.describe({ type: 'P', name: '' });
    own.execute({ portal: '', rows: this.#firstRows });
    own.flush();
  }

  /** The rows that were asked for first. */
  first(): Promise<CursorPage> {
    return this.#page();
  }

  next(rows: number): Promise<CursorPage> {
    if (!this.#isDone && !this.#failure) {
      this.#connection?.execute({ portal: '', rows });
      this.#connection?.flush();
    }
    return this.#page();
  }

  /** Ends the statement where it stands, and waits until the session takes the next one. */
  async end(): Promise<void> {
    if (!this.#isDone && !this.#failure) {
      this.#isDone = true;
      this.#connection?.close({ type: 'P', name: '' });
      this.#connection?.sync();
    }
    await this.#ended.promise;
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#fields = fields;
  }

  handleDataRow({ fields }: DataRow): void {
    this.#onRow();
    this.#rows.push(fields);
  }

  handlePortalSuspended(): void {
    this.#answer(true);
  }

  handleCommandComplete(): void {
    this.#isDone = true;
    this.#connection?.sync();
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  /** No statement that is sent here reads or writes copies. */
  handleCopyInResponse(): void {
    this.#connection?.sendCopyFail('no copy');
  }

  handleCopyData(): void {}

  handleError(error: Error & { readonly severity?: string; readonly code?: string }): void {
    // Only a message of the server has a severity; the driver's own are about the connection.
    this.#failure = error.severity === undefined ? error : new StatementRefused(error.message);
    this.#pending?.reject(this.#failure);
    this.#pending = undefined;
    if (error.severity === undefined) {
      this.#ended.reject(error);
      return;
    }
    // The driver tells no more of a statement that has failed; it holds the next one back until the server is ready.
    this.#connection?.sync();
    this.#ended.resolve();
  }

  handleReadyForQuery(): void {
    this.#ended.resolve();
    this.#isDone = true;
    this.#answer(false);
  }

  #page(): Promise<CursorPage> {
    if (this.#failure) return Promise.reject(this.#failure);
    this.#pending = Promise.withResolvers();
    if (this.#isDone) void this.#ended.promise.then(() => this.#answer(false));
    return this.#pending.promise;
  }

  #answer(hasMore: boolean): void {
    const rows = this.#rows;
    this.#rows = [];
    this.#pending?.resolve({ fields: this.#fields, rows, hasMore });
    this.#pending = undefined;
  }
}
