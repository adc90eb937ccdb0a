// A Parquet file without a row. DuckDB reads a file whose schema is spelled out with one thread, because it has not looked into
// it when it plans; two files it reads with all of them. A source of one large file therefore names this one as well.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { footer, INT64, MARK } from '#logs/parquet/plain-file.ts';

/** The number of `_id`, which every table has. */
const NUMBER = 1;

export function emptyFile(): Buffer {
  const column = { number: NUMBER, type: INT64, isRequired: false, pageBegin: MARK.length, pageEnd: MARK.length };
  return Buffer.concat([MARK, footer(0, [column])]);
}

/** Gives its path. */
export async function writeEmptyFile(folder: string): Promise<string> {
  const path = join(folder, 'empty.parquet');
  await writeFile(path, emptyFile(), { mode: 0o600 });
  return path;
}
