// The scanner thread of the SQLite driver: long reads of the metadata database run here, off the main thread. Its own
// file, search.db, holds derived search data and can be rebuilt at any time.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Value } from './connection.ts';
import { metadataFile, sqliteConnection } from './sqlite.ts';

const { folder } = workerData as { folder: string };
const database = new DatabaseSync(join(folder, 'search.db'));
database.exec('pragma journal_mode = wal; pragma synchronous = normal');
database.prepare('attach ? as metadata').run(metadataFile(folder));
const connection = sqliteConnection(database);

interface ScanRequest {
  readonly id: number;
  readonly sql: string;
  /** Undefined for a script of several statements, which runs without interruption. */
  readonly values: Value[] | undefined;
}

parentPort?.on('message', async ({ id, sql, values }: ScanRequest) => {
  try {
    const rows = values ? await connection.all(sql, values) : await connection.exec(sql);
    parentPort?.postMessage({ id, rows });
  } catch (error) {
    parentPort?.postMessage({ id, error });
  }
});
