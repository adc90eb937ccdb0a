// The scanner thread of the SQLite driver: long reads of the metadata database run here, off the main thread.

import { workerData } from 'node:worker_threads';
import { answerOrders } from '#runtime/answer-orders.ts';
import type { Row, Value } from '#store/connection.ts';
import { openSearchFile, sqliteConnection } from './sqlite.ts';

export interface ScanRequest {
  readonly sql: string;
  /** Undefined for a script of several statements, which runs without interruption. */
  readonly values: readonly Value[] | undefined;
}

const { folder } = workerData as { folder: string };
const connection = sqliteConnection(openSearchFile(folder));

answerOrders<ScanRequest, Row[]>({
  async answer({ sql, values }) {
    if (values) return await connection.all(sql, values);
    await connection.exec(sql);
    return [];
  },
});
