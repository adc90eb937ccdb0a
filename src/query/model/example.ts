// Examples of the language: each is documentation and a test at once. Examples without results are checked by the
// parser and the planner, the others are run on every engine.

import type { HintCode, QueryErrorCode } from './messages.ts';
import type { ProcedureType } from './values.ts';

/** The text `@2026-11-15 09:00:00+0900` stands for that date; whole numbers are longs, others doubles. */
export type ExampleValue =
  | null
  | boolean
  | number
  | string
  | readonly ExampleValue[]
  | { readonly [key: string]: ExampleValue };

export interface ExampleRow {
  readonly [field: string]: ExampleValue;
}

type Named<T> = Readonly<Record<string, T>>;

export interface QueryExample {
  /** Rows in the order of their arrival. All fields of a table are declared columns. */
  readonly tables?: Named<readonly ExampleRow[]>;
  readonly lookups?: Named<{ readonly key: string; readonly rows: readonly ExampleRow[] }>;
  /** Entries of address and port groups, by GUID. */
  readonly groups?: Named<readonly string[]>;
  readonly procedures?: Named<ExampleProcedure>;
  /** Stored parsers by code. */
  readonly parsers?: Named<ExampleParser>;
  /** Texts of files below the folder `/import`, by path. */
  readonly files?: Named<string>;
  /** Rows of the tables of a database, by the name of its connection profile. */
  readonly databases?: Named<Named<readonly ExampleRow[]>>;
  /** Answers of hosts, by URL. */
  readonly answers?: Named<{ readonly status: number; readonly text: string }>;
  readonly constants?: Named<ExampleValue>;
  readonly query: string;
  /** Absent if the query is written in normalized form. */
  readonly normalized?: string;
  /** All result rows, ordered if the order is defined; a field that is not written is null. */
  readonly gives?: readonly ExampleRow[];
  /** Result columns in order, without `_table`, `_time` and `_id` unless written. */
  readonly columns?: readonly string[];
  /** The count of output rows of each command when the query has ended. */
  readonly pushes?: readonly number[];
  /** Rows of tables after the query. */
  readonly stores?: Named<readonly ExampleRow[]>;
  /** Contents of files after the query. */
  readonly writes?: Named<string>;
  /** Rows of the tables of databases after the query. */
  readonly holds?: Named<Named<readonly ExampleRow[]>>;
  readonly refused?: Finding;
  /** All warnings of the query in the order of the text; absent where they are not of interest. */
  readonly warns?: readonly Finding[];
}

export interface ExampleProcedure {
  readonly parameters: Named<ProcedureType>;
  readonly query: string;
  readonly isCommand?: true;
}

interface ExampleParser {
  readonly kind: string;
  /** For the kind `query` its commands in `query`. */
  readonly configs: Named<ExampleValue>;
}

interface Finding {
  readonly code: QueryErrorCode;
  readonly begin: number;
  readonly end: number;
  /** All hints that it has; absent where they are not of interest. */
  readonly hints?: readonly HintCode[];
}
