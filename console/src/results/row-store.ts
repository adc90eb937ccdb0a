// The rows of a cursor by their number. Rows are fetched when they come into view, and the farthest are forgotten: a result of
// any size takes bounded memory.

import { ask } from '#console/client/call.ts';
import { onReconnected } from '#console/client/connection.ts';
import { createState } from '#console/client/state.ts';
import type { ColumnType } from './columns.ts';
import type { Row } from './row.ts';
import { readRows } from './row-stream.ts';

/** Rows in the order of a result. */
export interface RowSource {
  rowAt(index: number): Row | undefined;
  /** Asks for rows that are in view. */
  want(begin: number, end: number): void;
}

export interface RowsState {
  /** Grows with every change. */
  readonly version: number;
  /** Known columns; rows may have others besides. */
  readonly columns: readonly ColumnType[];
  /** One behind the highest row that has been read. */
  readonly seen: number;
  readonly error?: unknown;
}

const CHUNK_ROWS = 200;
const MAX_CHUNK_BYTES = 8_000_000;
const MAX_BYTES = 64_000_000;
const FIRST_WAIT_SECONDS = 30;

/** The format `json-single`. */
interface Described {
  readonly field_order: readonly string[];
  readonly field_types: Readonly<Record<string, string>>;
}

interface KeptRow {
  readonly row: Row;
  readonly bytes: number;
}

export class RowStore implements RowSource {
  readonly state = createState<RowsState>({ version: 0, columns: [], seen: 0 });
  readonly id: number;
  readonly #rows = new Map<number, KeptRow>();
  readonly #ending = new AbortController();
  #bytes = 0;
  #wanted = { begin: 0, end: CHUNK_ROWS };
  #isLoading = false;
  #total = Number.POSITIVE_INFINITY;

  constructor(id: number) {
    this.id = id;
    void this.#readColumns();
    // Rows that could not be fetched while the connection was lost.
    this.#ending.signal.addEventListener(
      'abort',
      onReconnected(() => void this.#load()),
    );
  }

  rowAt(index: number): Row | undefined {
    return this.#rows.get(index)?.row;
  }

  want(begin: number, end: number): void {
    this.#wanted = { begin, end };
    void this.#load();
  }

  /** The number of rows so far: further ones are not asked for. */
  grow(total: number): void {
    this.#total = total;
    void this.#load();
  }

  close(): void {
    this.#ending.abort();
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      for (let next = this.#missing(); next !== undefined; next = this.#missing()) {
        if (!(await this.#fetch(next))) break;
      }
    } catch (error) {
      this.#change({ error });
    } finally {
      this.#isLoading = false;
    }
  }

  async #readColumns(): Promise<void> {
    const request = { id: this.id, limit: 0, format: 'json-single' as const };
    try {
      const answer = await ask('GET /api/core/cursors/:id', request, { signal: this.#ending.signal });
      const { field_order, field_types } = (await answer.json()) as Described;
      this.#change({ columns: field_order.map((name) => ({ name, type: field_types[name] ?? 'any' })) });
    } catch (error) {
      this.#change({ error });
    }
  }

  #change(change: Partial<RowsState>): void {
    if (this.#ending.signal.aborted) return;
    const before = this.state.get();
    this.state.set({ ...before, ...change, version: before.version + 1 });
  }

  #missing(): number | undefined {
    const { begin, end } = this.#wanted;
    const bound = Math.min(end, this.#total);
    for (let index = begin; index < bound; index += 1) if (!this.#rows.has(index)) return index;
    return undefined;
  }

  /** Resolves to false where there was no row. */
  async #fetch(offset: number): Promise<boolean> {
    const isFirst = !Number.isFinite(this.#total);
    const request = { id: this.id, offset, limit: CHUNK_ROWS, format: 'json' as const, times: 'millis' as const };
    const waiting = isFirst ? { wait: FIRST_WAIT_SECONDS, wait_rows: CHUNK_ROWS / 4 } : {};
    const answer = await ask('GET /api/core/cursors/:id', { ...request, ...waiting }, { signal: this.#ending.signal });
    const { rows, bytes } = await readRows(answer, MAX_CHUNK_BYTES);
    const each = bytes / Math.max(1, rows.length);
    for (const [index, row] of rows.entries()) this.#keep(offset + index, { row, bytes: each });
    this.#forget();
    this.#change({ seen: Math.max(this.state.get().seen, offset + rows.length) });
    return rows.length > 0 && !isFirst;
  }

  #keep(index: number, kept: KeptRow): void {
    this.#bytes += kept.bytes - (this.#rows.get(index)?.bytes ?? 0);
    this.#rows.set(index, kept);
  }

  #forget(): void {
    const { begin, end } = this.#wanted;
    for (const [index, { bytes }] of this.#rows) {
      if (this.#bytes <= MAX_BYTES) return;
      if (index >= begin && index < end) continue;
      this.#rows.delete(index);
      this.#bytes -= bytes;
    }
  }
}
