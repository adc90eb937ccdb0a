// Rows of stored lookups: each version is a file of its own, which never changes. The metadata name the file that is in force.

import type { ColumnType, MapValue } from '#query/model/values.ts';
import type { RowText } from './run.ts';

/** A column of a file; null where the lookup has dropped it since. */
export interface FileColumn {
  readonly name: string | null;
  readonly type: ColumnType;
}

export interface LookupFile {
  readonly file: string;
  readonly columns: readonly FileColumn[];
}

export interface LookupVersion extends LookupFile {
  readonly rows: number;
  /** Characters of all values. */
  readonly size: number;
}

export interface LookupFiles {
  /** Rows of these columns on their way into a new version. `zone` writes the dates inside of keys that are maps. */
  write(layout: LookupLayout): Promise<LookupWriter>;
  /** Keeps a file from being removed; undefined where it has been removed already. */
  hold(file: string): Disposable | undefined;
  /** Removes a file as soon as no holder is left. */
  retire(file: string): Promise<void>;
  /** Removes files that no metadata name: a crash left them. */
  sweep(named: ReadonlySet<string>): Promise<void>;
  has(file: string): Promise<boolean>;
  /** The bytes of a file that is held, in pieces of at most `most` bytes. */
  pieces(file: string, most: number): AsyncIterable<Uint8Array>;
  /** Makes a file of pieces that came from another node. */
  adopt(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** Rows in the order of the key. The file must be held. */
  page(rows: LookupFile, wanted: LookupPage): Promise<{ readonly total: number; readonly texts: readonly RowText[] }>;
}

export interface LookupLayout {
  readonly columns: readonly string[];
  readonly key: string;
  readonly zone: string;
}

export interface LookupWriter extends AsyncDisposable {
  /** Counts of the rows so far. */
  readonly rows: number;
  readonly size: number;
  /** Each row has a key. */
  add(rows: readonly MapValue[]): Promise<void>;
  /** The place, from 1, of the first row whose key another row before it has. */
  findRepeatedKey(): Promise<number | undefined>;
  /** The version is durable when this resolves. Rows of `before` whose key did not come are in it too. */
  finish(before?: LookupFile): Promise<LookupVersion>;
}

export interface LookupPage {
  /** Columns of the answer; a name that the file does not have is null. */
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly offset: number;
  readonly limit: number;
  /** In lower case; only rows of which some value contains it. */
  readonly keyword: string;
}
