// The scanner thread of the SQLite driver: long reads of the metadata database run here, off the main thread.

import { parentPort, workerData } from 'node:worker_threads';
import type { Value } from '#store/connection.ts';
import { openSearchFile, sqliteConnection } from './sqlite.ts';

const { folder } = workerData as { folder: string };
const connection = sqliteConnection(openSearchFile(folder));

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
