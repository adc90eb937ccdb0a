// The default metadata database: one SQLite file under the data folder, through node:sqlite. Acknowledged writes
// survive power loss: SQLite appends a commit to its write-ahead log, and the log is flushed in a thread, because a flush
// takes milliseconds in which the main thread has other work. Its processes hold the lock of the folder
// (#files/folder-lock.ts).

import { mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { fsync } from '#files/durable.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';
import { SliceTimer } from '#runtime/event-loop.ts';
import { WorkerPool, WorkerThread } from '#runtime/threads.ts';
import { workerFile } from '#runtime/worker-file.ts';
import { type Connection, type Driver, guarded, type Row, TransactionOver } from '#store/connection.ts';
import { CommitUnanswered } from '#store/unreachable.ts';
import type { ScanRequest } from './sqlite-scanner.ts';

const STATEMENTS_KEPT = 500;
/** No other process of ours writes to the file, but an external tool may lock it for a moment. */
const LOCK_TIMEOUT_MS = 2000;

/** Path of the database file. */
export const metadataFile = (folder: string): string => join(folder, 'metadata.db');

/** Derived search data, which can be rebuilt at any time, with the metadata attached to it. */
export function openSearchFile(folder: string): DatabaseSync {
  const database = new DatabaseSync(join(folder, 'search.db'), { timeout: LOCK_TIMEOUT_MS });
  database.exec('pragma journal_mode = wal; pragma synchronous = normal');
  database.prepare('attach ? as metadata').run(metadataFile(folder));
  return database;
}

export function openSqlite(folder: string): Driver {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = metadataFile(folder);
  const writing = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS });
  // With `normal` SQLite flushes around checkpoints alone, and every commit is flushed here.
  writing.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on');
  const reading = new DatabaseSync(file);
  reading.exec('pragma query_only = on');
  const scanner = lazyScanner(folder);
  const log = new WriteAheadLog(`${file}-wal`, writing);
  const timer = new SliceTimer();
  const writer = sqliteConnection(writing, () => timer.yieldIfDue());
  return {
    dialect: 'sqlite',
    sendsAhead: false,
    reader: sqliteConnection(reading),
    scanner,
    async begin() {
      timer.restart();
      endTransaction(writing);
      writing.exec('begin immediate');
      let isOver = false;
      return {
        connection: guarded(writer, () => (isOver ? new TransactionOver() : undefined)),
        async commit() {
          isOver = true;
          writing.exec('commit');
          await log.flush();
        },
        async rollback() {
          isOver = true;
          try {
            endTransaction(writing);
          } catch {
            // A rollback that failed is repeated before the next transaction begins.
          }
        },
      };
    },
    async close() {
      await scanner.close();
      await log.close();
      for (const database of [reading, writing]) database.close();
    },
  };
}

class WriteAheadLog {
  readonly #path: string;
  readonly #database: DatabaseSync;
  #file: Promise<FileHandle> | undefined;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
  }

  /** Resolves when all commits so far survive a power loss. SQLite keeps the file as long as a connection is open. */
  async flush(): Promise<void> {
    try {
      this.#file ??= this.#open();
      await (await this.#file).datasync();
    } catch (cause) {
      await this.close();
      throw new CommitUnanswered(cause, async () => this.#checkpoint());
    }
  }

  /** The next flush opens the file again. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.then((handle) => handle.close()).catch(() => undefined);
  }

  /** SQLite flushes the folder of a new log only with its own first flush. */
  async #open(): Promise<FileHandle> {
    const file = await open(this.#path);
    await fsync(dirname(this.#path));
    return file;
  }

  /** A second flush would succeed without having written what the first one could not: the rows go to the database itself. */
  #checkpoint(): true {
    const { busy } = this.#database.prepare('pragma wal_checkpoint(full)').get() ?? {};
    if (busy !== 0) throw new Error('the write-ahead log is in use');
    return true;
  }
}

/** A failed commit may have ended the transaction already. */
function endTransaction(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('rollback');
}

/** `yieldIfDue` is awaited before every statement, so that other work can run. */
export function sqliteConnection(database: DatabaseSync, yieldIfDue?: () => Promise<void> | undefined): Connection {
  const statements = new BoundedMap<string, StatementSync>({ max: STATEMENTS_KEPT, evicts: 'all' });

  const prepared = (sql: string): StatementSync => statements.getOrSet(sql, () => database.prepare(sql));

  return {
    async all(sql, values = []) {
      await yieldIfDue?.();
      return prepared(sql).all(...values);
    },
    async exec(sql) {
      await yieldIfDue?.();
      database.exec(sql);
    },
    async insertMany(table, columns, rows) {
      await yieldIfDue?.();
      const holes = columns.map(() => '?').join(', ');
      const statement = prepared(`insert into ${table} (${columns.join(', ')}) values (${holes})`);
      for (const row of rows) statement.run(...row);
    },
    async updateMany(table, columns, rows) {
      await yieldIfDue?.();
      const [key = '', ...others] = columns;
      const sets = others.map((column) => `${column} = ?`).join(', ');
      const statement = prepared(`update ${table} set ${sets} where ${key} = ?`);
      for (const [id = null, ...values] of rows) statement.run(...values, id);
    },
  };
}

/** The scanner thread starts with its first use: most processes need it only after they are ready. */
function lazyScanner(folder: string): Connection & { close(): Promise<void> } {
  const file = workerFile('./sqlite-scanner.ts', import.meta.url);
  const pool = new WorkerPool({ start: () => new WorkerThread<ScanRequest, Row[]>({ file, data: { folder } }) });
  return {
    all: (sql, values = []) => pool.next().ask({ sql, values }),
    exec: async (sql) => void (await pool.next().ask({ sql, values: undefined })),
    insertMany: () => Promise.reject(new Error('the scanner does not write rows')),
    updateMany: () => Promise.reject(new Error('the scanner does not write rows')),
    close: () => pool.close(),
  };
}
