// One run of a query by a cursor: begun, followed with its counts, cancelled, and removed when the page no longer shows it.

import type { AnswerFor } from '#client/call.ts';
import { call, callWith } from '#console/client/call.ts';
import { ServiceError } from '#console/client/service-error.ts';
import { createState } from '#console/client/state.ts';
import { toStamp } from '#console/time/moments.ts';
import { pause } from '#console/time/pause.ts';
import type { Interval } from '#console/time/ranges.ts';
import { RowStore } from './row-store.ts';

export type Status = AnswerFor<'GET /api/core/queries/:id'>;

export interface RunRequest {
  readonly text: string;
  readonly interval: Interval;
  /** True after a click on Run alone: otherwise a text that changes something is refused. */
  readonly mayChange?: boolean;
}

export type RunState =
  | { readonly phase: 'starting' }
  /** The service has not begun it: the text has a mistake, or a limit is reached. */
  | { readonly phase: 'refused'; readonly error: unknown }
  | { readonly phase: 'running' | 'finished' | 'cancelled'; readonly id: number; readonly status: Status | undefined }
  | { readonly phase: 'failed'; readonly id: number; readonly status: Status | undefined; readonly error?: unknown };

const STATUS_WAIT_SECONDS = 1;
const RETRY_MS = 1000;

export class QueryRun {
  readonly request: RunRequest;
  readonly state = createState<RunState>({ phase: 'starting' });
  /** There once the query has an id. */
  rows: RowStore | undefined;
  readonly #ending = new AbortController();

  constructor(request: RunRequest) {
    this.request = request;
    void this.#run();
  }

  /** The rows so far stay. */
  async cancel(): Promise<void> {
    const state = this.state.get();
    if (state.phase === 'running') await call('POST /api/core/queries/:id/cancel', { id: state.id });
  }

  /** Ends the query where it runs, and removes its rows. */
  close(): void {
    this.#ending.abort();
    this.rows?.close();
    const state = this.state.get();
    // It may have been removed with its session.
    if ('id' in state) call('DELETE /api/core/cursors/:id', { id: state.id }).catch(() => undefined);
  }

  async #run(): Promise<void> {
    try {
      const id = await this.#begin();
      if (id !== undefined) await this.#follow(id);
    } catch (error) {
      this.state.set({ phase: 'refused', error });
    }
  }

  async #begin(): Promise<number | undefined> {
    const { id } = await call('POST /api/core/cursors', cursorRequest(this.request));
    if (this.#ending.signal.aborted) {
      await call('DELETE /api/core/cursors/:id', { id });
      return undefined;
    }
    this.rows = new RowStore(id);
    this.rows.want(0, 1);
    this.state.set({ phase: 'running', id, status: undefined });
    return id;
  }

  async #follow(id: number): Promise<void> {
    const { signal } = this.#ending;
    let isRefresh = false;
    while (!signal.aborted) {
      try {
        const status = await callWith({ isRefresh, signal }, 'GET /api/core/queries/:id', {
          id,
          wait: STATUS_WAIT_SECONDS,
        });
        this.rows?.grow(status.rows);
        this.state.set(stateOf(id, status));
        if (status.is_finished) return;
        isRefresh = true;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ServiceError) return this.state.set({ phase: 'failed', id, status: undefined, error });
        // The connection is lost: the query may still run.
        await pause(RETRY_MS);
      }
    }
  }
}

export const cursorRequest = ({ text, interval, mayChange = false }: RunRequest) => ({
  q: text,
  from: toStamp(interval.from),
  to: toStamp(interval.to),
  background: false,
  read_only: !mayChange,
});

function stateOf(id: number, status: Status): RunState {
  if (!status.is_finished) return { phase: 'running', id, status };
  if (!status.is_cancelled) return { phase: 'finished', id, status };
  // A query that fails is cancelled by its failure.
  return { phase: status.cancel_reason === 'UserRequest' ? 'cancelled' : 'failed', id, status };
}
