// What the nodes share that use the database of a connection profile. Its SQL goes to its own driver alone, with values
// bound: no part of it enters a statement of the engine.

import type { SqlDialect } from '#query/language/sql-text.ts';

export interface DatabaseUse {
  /** The name of the connection profile. */
  readonly profile: string;
  /** Of the profile, in the text. */
  readonly profileAt: { readonly begin: number; readonly end: number };
  /** The account whose rights it has; absent: the account that runs the query. */
  readonly account?: string;
}

export interface BoundSql {
  readonly dialect: SqlDialect;
  /** With marks for its values. */
  readonly text: string;
  /** Names of the values, in the order of the marks. */
  readonly names: readonly string[];
}
