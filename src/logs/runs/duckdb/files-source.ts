// Parquet files as DuckDB reads them: their columns have numbers, and a read gives each the name and the type that it wants.

import { quotedText } from './quote.ts';

export interface FileColumn {
  readonly number: number;
  readonly name: string;
  readonly type: string;
}

/** A source over the columns of these numbers, under these names. */
export function filesSource(paths: readonly string[], columns: readonly FileColumn[]): string {
  const schema = columns.map(
    ({ number, name, type }) =>
      `${number}: {name: ${quotedText(name)}, type: ${quotedText(type)}, default_value: null}`,
  );
  return `read_parquet([${paths.map(quotedText).join(', ')}], schema = map {${schema.join(', ')}})`;
}
