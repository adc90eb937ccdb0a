// Records as they arrive: a query over a window of some minutes, read with `wait`, followed by the next one before it ends.

import { ask, type CallOptions, call, callWith } from '#console/client/call.ts';
import { ServiceError } from '#console/client/service-error.ts';
import { createState } from '#console/client/state.ts';
import { pause } from '#console/time/pause.ts';
import { type NewestRows, NO_ROWS, withArrived } from './newest-rows.ts';
import { readRows } from './row-stream.ts';

export interface LiveState extends NewestRows {
  /** Records that came faster than they can be shown. */
  readonly dropped: number;
  readonly error?: unknown;
}

export const WINDOW_SECONDS = 600;
/** The next window begins so long before the end of the one that is read; records in both are shown once. */
const OVERLAP_MS = 5000;
const WAIT_SECONDS = 20;
const PAGE_ROWS = 500;
const MAX_PAGE_BYTES = 8_000_000;
/** A reader cannot follow faster. */
const PAUSE_MS = 250;
const RETRY_MS = 2000;

export class LiveTail {
  readonly state = createState<LiveState>({ ...NO_ROWS, dropped: 0 });
  readonly #text: string;
  readonly #ending = new AbortController();

  /** `text` reads a window of WINDOW_SECONDS. */
  constructor(text: string) {
    this.#text = text;
    void this.#follow();
  }

  close(): void {
    this.#ending.abort();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    let next = this.#begin();
    while (!signal.aborted) {
      // Without it the window that should follow a lost one would begin beside the retry.
      const lost = new AbortController();
      try {
        const id = await next;
        next = this.#beginAfter(WINDOW_SECONDS * 1000 - OVERLAP_MS, AbortSignal.any([signal, lost.signal]));
        // Awaited by the next round; a failure is that round's.
        next.catch(() => undefined);
        await this.#read(id);
      } catch (error) {
        lost.abort();
        if (signal.aborted) return;
        if (error instanceof ServiceError) return this.#change({ error });
        // The connection is lost: the rows so far stay, and the next window goes on.
        next = this.#beginAfter(RETRY_MS, signal);
      }
    }
  }

  /** Rejects where the signal ends first. */
  async #beginAfter(milliseconds: number, signal: AbortSignal): Promise<number> {
    await pause(milliseconds, signal);
    signal.throwIfAborted();
    return await this.#begin({ isRefresh: true });
  }

  /** A window that the console begins by itself keeps no session alive. */
  async #begin(options: CallOptions = {}): Promise<number> {
    const request = { q: this.#text, background: false, read_only: true };
    const { id } = await callWith(options, 'POST /api/core/cursors', request);
    const remove = () => void call('DELETE /api/core/cursors/:id', { id }).catch(() => undefined);
    if (this.#ending.signal.aborted) remove();
    else this.#ending.signal.addEventListener('abort', remove, { once: true });
    return id;
  }

  async #read(id: number): Promise<void> {
    const { signal } = this.#ending;
    let offset = 0;
    let isFinished = false;
    while (!isFinished) {
      const request = {
        id,
        offset,
        limit: PAGE_ROWS,
        format: 'json' as const,
        times: 'millis' as const,
        wait: WAIT_SECONDS,
      };
      const answer = await ask('GET /api/core/cursors/:id', request, { signal, isRefresh: true });
      const { rows } = await readRows(answer, MAX_PAGE_BYTES);
      offset += rows.length;
      this.#change(withArrived(this.state.get(), rows));
      if (rows.length === PAGE_ROWS) offset = await this.#skip(id, offset);
      // Rows may have come after a page that is not full was read.
      isFinished = answer.headers.get('x-query-finished') === 'true' && rows.length === 0;
      if (rows.length > 0) await pause(PAUSE_MS, signal);
    }
  }

  /** Leaves out what lies too far behind. */
  async #skip(id: number, offset: number): Promise<number> {
    const { signal } = this.#ending;
    const request = { id, limit: 0, format: 'json-single' as const };
    const answer = await ask('GET /api/core/cursors/:id', request, { signal, isRefresh: true });
    const { total } = (await answer.json()) as { readonly total: number }; // The format `json-single`.
    const next = Math.max(offset, total - PAGE_ROWS);
    if (next > offset) this.#change({ dropped: this.state.get().dropped + next - offset });
    return next;
  }

  #change(change: Partial<LiveState>): void {
    if (!this.#ending.signal.aborted) this.state.set({ ...this.state.get(), ...change });
  }
}
