// Lines of all tables that are in a journal and wait for their insertion into a hot table.

/** Of one table: a query over it waits until they are inserted. */
const MAX_TABLE_BYTES = 2 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

export class InsertBacklog {
  #bytes = 0;

  /** Negative for lines that are inserted. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Whether an append waits for the insertion of its lines, when its table has so many bytes in the backlog. */
  isFull(tableBytes: number): boolean {
    return tableBytes > MAX_TABLE_BYTES || this.#bytes > MAX_BYTES;
  }
}
