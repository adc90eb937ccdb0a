// What a stopped or killed service has left in its data folder.

import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Files of segments that no catalog lists, and folders of tables that do not exist. */
export function strayFiles(folder: string): string[] {
  const database = new DatabaseSync(join(folder, 'data/metadata.db'), { readOnly: true });
  const paths = (sql: string) =>
    new Set(
      database
        .prepare(sql)
        .all()
        .map(({ path }) => String(path)),
    );
  const tables = paths("select name || '.' || id as path from log_tables");
  const segments = paths(
    "select t.name || '.' || t.id || '/' || s.file as path from log_segments s join log_tables t on t.id = s.table_id",
  );
  database.close();
  const root = join(folder, 'data/tables');
  const files = globSync('**/*.parquet*', { cwd: root });
  // A filter of words may stand beside the file of a segment.
  const isStray = (file: string) => !segments.has(file.replace(/\.words$/, ''));
  return [...files.filter(isStray), ...readdirSync(root).filter((name) => !tables.has(name))];
}
