// Records of all tables that are in a journal and wait for their insertion into a hot table.

/** Of one table: a query over it waits until they are inserted. Lines take ten times as long as files. */
const MAX_LINE_BYTES = 2 * 1024 * 1024;
const MAX_FILE_BYTES = 48 * 1024 * 1024;
const MAX_FILES = 128;
/** Of all tables. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What waits of one table. */
export interface Waiting {
  readonly lineBytes: number;
  readonly fileBytes: number;
  readonly files: number;
}

export class InsertBacklog {
  #bytes = 0;

  /** Negative for records that are inserted. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Whether an append waits for the insertion of its records, when so much of its table is in the backlog. */
  isFull(waiting: Waiting): boolean {
    return isLong(waiting) || this.#bytes > MAX_BYTES;
  }
}

/** Whether so much of one table is in the backlog that a query over it would wait noticeably. */
const isLong = ({ lineBytes, fileBytes, files }: Waiting): boolean =>
  lineBytes > MAX_LINE_BYTES || fileBytes > MAX_FILE_BYTES || files > MAX_FILES;
