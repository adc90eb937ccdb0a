// The rows of a lookup in a file, as the service would read them (RFC 4180): columns, key, and the first row that is wrong.

import { CsvSplitter } from '#ingest/decode/csv.ts';
import { runToEnd } from '#kernel/sliced-work.ts';

interface WrongRow {
  readonly reason: 'column-count' | 'no-key' | 'duplicate-key' | 'parse-failed';
  readonly line: number;
}

interface RowsOfLookup {
  readonly key: string;
  readonly columns: readonly string[];
}

const MAX_ROW_BYTES = 1024 * 1024;

/** `key` is the first column where it is absent. */
export function readLookupRows(bytes: Buffer, key: string | undefined): RowsOfLookup | WrongRow {
  const rows = new RowCheck(key);
  const splitter = new CsvSplitter(MAX_ROW_BYTES);
  const take = (row: Row) => rows.take(row);
  runToEnd(splitter.push(bytes, take));
  runToEnd(splitter.end(take));
  return rows.result;
}

interface Row {
  readonly line: number;
  readonly values: readonly (string | undefined)[] | string;
}

class RowCheck {
  readonly #wanted: string | undefined;
  readonly #keys = new Set<string>();
  #head: RowsOfLookup | undefined;
  #keyIndex = 0;
  #wrong: WrongRow | undefined;

  constructor(key: string | undefined) {
    this.#wanted = key;
  }

  get result(): RowsOfLookup | WrongRow {
    return this.#wrong ?? this.#head ?? { reason: 'column-count', line: 1 };
  }

  take({ line, values }: Row): undefined {
    if (this.#wrong) return undefined;
    const reason = typeof values === 'string' ? 'parse-failed' : this.#head ? this.#row(values) : this.#names(values);
    if (reason) this.#wrong = { reason, line };
    return undefined;
  }

  #names(values: readonly (string | undefined)[]): WrongRow['reason'] | undefined {
    const columns = values.map((name = '') => name.trim().normalize());
    const [first = ''] = columns;
    const key = this.#wanted ?? first;
    if (columns.includes('') || new Set(columns).size < columns.length) return 'column-count';
    this.#keyIndex = columns.indexOf(key);
    if (this.#keyIndex === -1) return 'no-key';
    this.#head = { key, columns };
    return undefined;
  }

  #row(values: readonly (string | undefined)[]): WrongRow['reason'] | undefined {
    if (values.length !== this.#head?.columns.length) return 'column-count';
    const key = values[this.#keyIndex];
    if (key === undefined) return 'no-key';
    if (this.#keys.has(key)) return 'duplicate-key';
    this.#keys.add(key);
    return undefined;
  }
}
