// The clock of the database as an SQL expression: the only clock that all processes on it share.

import type { DialectName } from './connection.ts';

/** Milliseconds of the database's clock. */
export const DATABASE_NOW: Readonly<Record<DialectName, string>> = {
  sqlite: "cast(unixepoch('subsec') * 1000 as integer)",
  postgres: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
};
