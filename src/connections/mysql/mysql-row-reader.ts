// Rows of a statement of MariaDB or MySQL as they come: the connection pauses while enough of them wait.

import type { ByteMeter } from '#connections/byte-meter.ts';
import { DatabaseUnreachable, StatementRefused } from '#connections/databases/database-failure.ts';
import { BATCH_BYTES, BATCH_ROWS, type StatementRows } from '#connections/databases/database-session.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { languageValue, type MysqlField, type MysqlZones } from './mysql-values.ts';

interface PausingConnection {
  pause(): void;
  resume(): void;
}

/** A statement of the driver while it runs. */
interface RunningStatement {
  on(event: 'fields', heard: (fields: readonly MysqlField[] | undefined) => void): void;
  on(event: 'result', heard: (row: unknown) => void): void;
  on(event: 'error', heard: (error: Error) => void): void;
  on(event: 'end', heard: () => void): void;
}

interface RowPage extends StatementRows {
  readonly isLast: boolean;
}

/** Rows as they come; the connection pauses while enough of them wait. */
export class RowReader {
  readonly #connection: PausingConnection;
  readonly #zones: MysqlZones;
  #fields: readonly MysqlField[] = [];
  #rows: MapValue[] = [];
  #bytes = 0;
  #isPaused = false;
  #isDone = false;
  #failure: Error | undefined;
  #waiting: PromiseWithResolvers<void> | undefined;

  constructor(connection: PausingConnection, zones: MysqlZones) {
    this.#connection = connection;
    this.#zones = zones;
  }

  follow(statement: RunningStatement, meter: ByteMeter): void {
    statement.on('fields', (fields) => {
      this.#fields = fields ?? [];
    });
    statement.on('result', (row) => {
      meter.arrived();
      // The result of a statement without rows is an object.
      if (Array.isArray(row)) this.#take(row);
    });
    statement.on('error', (error) => this.fail(refusalOf(error)));
    statement.on('end', () => {
      this.#isDone = true;
      this.#waiting?.resolve();
    });
  }

  /** Rejects with the failure of the statement. */
  async next(): Promise<RowPage> {
    while (this.#rows.length < BATCH_ROWS && this.#bytes < BATCH_BYTES && !this.#isDone && !this.#failure) {
      this.#waiting = Promise.withResolvers();
      if (this.#isPaused) this.#resume();
      await this.#waiting.promise;
    }
    if (this.#failure) throw this.#failure;
    const rows = this.#rows.splice(0, BATCH_ROWS);
    if (this.#rows.length === 0) this.#bytes = 0;
    const names = [...new Set(this.#fields.map(({ name }) => name))];
    return { names, rows, isLast: this.#isDone && this.#rows.length === 0 };
  }

  #take(row: readonly unknown[]): void {
    const made = new Map<string, Value>();
    for (const [index, field] of this.#fields.entries()) {
      if (made.has(field.name)) continue;
      const given = row[index];
      if (typeof given === 'string' || Buffer.isBuffer(given)) this.#bytes += given.length;
      made.set(field.name, languageValue(given, field, this.#zones));
    }
    this.#rows.push(made);
    if (this.#rows.length < BATCH_ROWS && this.#bytes < BATCH_BYTES) return;
    this.#isPaused = true;
    this.#connection.pause();
    this.#waiting?.resolve();
  }

  #resume(): void {
    this.#isPaused = false;
    this.#connection.resume();
  }

  /** A connection that breaks off tells its statements nothing. */
  fail(failure: Error): void {
    if (this.#isDone) return;
    this.#failure ??= failure;
    this.#waiting?.resolve();
  }
}

/** Only a message of the server has a state; the driver's own are about the connection. */
export function refusalOf(error: Error & { readonly sqlState?: string; readonly sqlMessage?: string }): Error {
  return error.sqlState === undefined ? new DatabaseUnreachable() : new StatementRefused(error.sqlMessage ?? '');
}
