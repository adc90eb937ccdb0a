// Examples of the language: each is documentation and a test at once. What needs no running is held against the parser
// and the planner, the rest against every engine that exists.

import type { QueryErrorCode } from './messages.ts';
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
  readonly procedures?: Named<{ readonly parameters: Named<ProcedureType>; readonly query: string }>;
  readonly constants?: Named<ExampleValue>;
  readonly query: string;
  /** Left out where the query is written normalized. */
  readonly normalized?: string;
  /** All result rows, in order where the order is defined; a field that is not written is null. */
  readonly gives?: readonly ExampleRow[];
  /** Result columns in order, without `_table`, `_time` and `_id` unless written. */
  readonly columns?: readonly string[];
  /** Rows that each command has handed on once the query has ended. */
  readonly pushes?: readonly number[];
  /** Rows of a table afterwards. */
  readonly stores?: Named<readonly ExampleRow[]>;
  /** Texts of files afterwards. */
  readonly writes?: Named<string>;
  readonly refused?: Refused;
}

interface Refused {
  readonly code: QueryErrorCode;
  readonly begin: number;
  readonly end: number;
}
