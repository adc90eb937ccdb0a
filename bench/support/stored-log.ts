// The generated log in a service of its own, sealed, and the very same files as plain SQL names them.

import type { BareDuckdb } from './bare-duckdb.ts';
import type { Effort } from './bench.ts';
import { USUAL } from './shared-logs.ts';

export interface StoredLog {
  /** Of the installation. */
  readonly folder: string;
  readonly records: number;
  readonly duckdb: BareDuckdb;
  /** The table's files, for a FROM. */
  readonly files: string;
}

export async function storedLog({ logs }: Pick<Effort, 'logs'>, share = 1): Promise<StoredLog> {
  const { folder, records, tableFolder } = await logs.filled({ ...USUAL, share });
  return { folder, records, duckdb: await logs.duckdb(), files: filesOf(tableFolder) };
}

/** A segment has the columns of its own records. */
export const filesOf = (tableFolder: string): string =>
  `read_parquet('${tableFolder}/*/*.parquet', union_by_name = true)`;

/** What queries of these benches ask for is in the generated log alone. */
export const NEEDS_GENERATED =
  'The queries name fields of the generated log, so with another log there is nothing to ask.';
