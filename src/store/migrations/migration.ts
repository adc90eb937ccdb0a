// The form of a migration.

import type { Connection, DialectName } from '#store/connection.ts';

export interface Migration {
  readonly name: string;
  statements(types: Types): readonly string[];
  /** Writes rows that SQL alone cannot make, after the statements and in the same transaction. */
  fill?(connection: Connection): Promise<void>;
  /**
   * For one that takes something away: the first version of the product that does not use it any more. Nodes of that version run
   * beside this one, so it is an older version than this one.
   */
  readonly contracts?: string;
}

/** Types that the two databases spell differently. */
export interface Types {
  readonly dialect: DialectName;
  /** Text compared and sorted byte by byte, the same way on both. */
  readonly text: string;
  /** An automatic primary key. Numbers are never reused: files and hot tables are named by them. */
  readonly serial: string;
}
