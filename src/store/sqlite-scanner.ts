// The scanner thread of the SQLite driver: long reads of the metadata database run here, so the main thread keeps
// answering. Its own file, search.db, holds what is derived for searching and can be rebuilt at any time.

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

parentPort?.on('message', async ({ id, sql, values }: { id: number; sql: string; values: Value[] }) => {
  try {
    parentPort?.postMessage({ id, rows: await connection.all(sql, values) });
  } catch (error) {
    parentPort?.postMessage({ id, error });
  }
});
