// Tables that have records although no logger writes to them: pushes, uploads and queries fill them.

interface Table {
  readonly table_name: string;
  /** Absent where the table is empty. */
  readonly max_day?: string | undefined;
}

interface Logger {
  readonly table_name: string;
}

/** Their names, in the order of the tables. */
export function tablesWithoutLogger(tables: readonly Table[], loggers: readonly Logger[]): readonly string[] {
  const logged = new Set(loggers.map(({ table_name }) => table_name));
  return tables
    .filter(({ table_name, max_day }) => max_day !== undefined && !logged.has(table_name))
    .map(({ table_name }) => table_name);
}
