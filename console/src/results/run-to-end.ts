// A query that the page needs beside that of the reader: run to its end, its rows read, its cursor removed.

import { ask, callWith } from '#console/client/call.ts';
import { cursorRequest, type RunRequest } from './query-run.ts';
import type { Row } from './row.ts';
import { readRows } from './row-stream.ts';

const WAIT_SECONDS = 50;
const MAX_ROWS = 5000;
const MAX_BYTES = 8_000_000;

/** Rejects where the query fails; ends it where `signal` does. `isRefresh`: the reader did not cause the run. */
export async function runToEnd(request: RunRequest, signal: AbortSignal, isRefresh = false): Promise<readonly Row[]> {
  const { id } = await callWith({ isRefresh }, 'POST /api/core/cursors', cursorRequest(request));
  try {
    let status = await callWith({ signal, isRefresh }, 'GET /api/core/queries/:id', { id, wait: WAIT_SECONDS });
    while (!status.is_finished) {
      status = await callWith({ signal, isRefresh: true }, 'GET /api/core/queries/:id', { id, wait: WAIT_SECONDS });
    }
    // Its rows so far are not its result.
    if (status.is_cancelled) throw new Error(status.error_detail ?? status.cancel_reason);
    const rows = { id, limit: MAX_ROWS, format: 'json' as const, times: 'millis' as const };
    return (await readRows(await ask('GET /api/core/cursors/:id', rows, { signal, isRefresh }), MAX_BYTES)).rows;
  } finally {
    // It may have been removed with its session.
    callWith({ isRefresh }, 'DELETE /api/core/cursors/:id', { id }).catch(() => undefined);
  }
}
