// Nodes that look at one row at a time.

import type { Duration } from '#query/model/durations.ts';
import type { ColumnId, Expression } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import type { MemoryBuild, PlanNode } from './plan.ts';
import type { Assigned, Column, Node, Step } from './plan-rows.ts';
import type { LookupName } from './plan-sources.ts';

export interface Filter extends Step {
  readonly kind: 'filter';
  readonly condition: Expression;
  readonly limit?: bigint;
}

/** eval, fields, rename, order, fillnull: new columns, then the list of those that go on. Later ones see earlier ones. */
export interface Project extends Step {
  readonly kind: 'project';
  readonly assigned: readonly Assigned[];
}

/** On a match every group is assigned, null where it matched nothing; else `before` stays. */
export interface Rex extends Step {
  readonly kind: 'rex';
  readonly source: Expression;
  readonly pattern: string;
  readonly groups: readonly { readonly group: string; readonly column: Column; readonly before: Expression }[];
}

/** `parse "START*STOP" as F`; a pair that does not fit leaves `before`. */
export interface ParseBetween extends Step {
  readonly kind: 'parse';
  readonly source: Expression;
  readonly pairs: readonly {
    readonly start: string;
    readonly stop: string;
    readonly column: Column;
    readonly before: Expression;
  }[];
}

export type ParseMethod =
  /** Of a value, not of a text. */
  | { readonly format: 'map' }
  | { readonly format: 'json'; readonly flatten: boolean }
  | { readonly format: 'kv'; readonly pairDelimiter: string; readonly keyDelimiter: string; readonly quote: boolean }
  | { readonly format: 'csv'; readonly tab: boolean; readonly strict: boolean; readonly names: readonly string[] }
  | { readonly format: 'xml' };

/**
 * The parse family. Parsed fields that are known columns go into `fields`, all others into the new overflow (that of
 * `rows`). Where nothing was parsed, the row passes as it came; else with `overlay` what was parsed lies over the row,
 * and without it every field in `fields` that was not parsed is null and the old overflow is gone.
 */
export interface ParseFields extends Step {
  readonly kind: 'parse-fields';
  readonly method: ParseMethod;
  readonly source: Expression;
  readonly overlay: boolean;
  /** `_table`, `_time`, `_id` and `_node` keep their value without `overlay` too, unless they are parsed. */
  readonly fields: readonly { readonly column: Column; readonly before: Expression; readonly isKept: boolean }[];
  readonly overflow: ColumnId;
}

/**
 * A named parser: `body` runs over rows of one field, `line`, that holds `source`; what comes out is laid over the row
 * or takes its place by the rules of ParseFields. A row that the body drops passes unchanged.
 */
export interface ParserRun extends Step {
  readonly kind: 'parser';
  readonly parser: string;
  readonly source: Expression;
  readonly overlay: boolean;
  readonly body: PlanNode;
  readonly fields: ParseFields['fields'];
  readonly overflow: ColumnId;
}

/** At the bottom of a pipeline without a driver: records that come from outside. */
export interface GivenRows extends Node {
  readonly kind: 'given';
}

export interface Explode extends Step {
  readonly kind: 'explode';
  readonly source: Expression;
  readonly column: Column;
  readonly position: ColumnId;
  /** Hidden: how many rows were made of one, with those that `before` counts. */
  readonly exploded: ColumnId;
  readonly before?: ColumnId;
}

export interface Lookup extends Step, LookupName {
  readonly kind: 'lookup';
  readonly keyColumn: string;
  readonly key: Expression;
  readonly outputs: readonly LookupOutput[];
  /** Of a lookup that the same pipeline builds before. */
  readonly built?: MemoryBuild;
}

interface LookupOutput {
  readonly from: string;
  readonly column: Column;
}

/** What is known of the place of an address. */
export interface PlaceLookup extends Step {
  readonly kind: 'geoip';
  readonly key: Expression;
  readonly outputs: readonly LookupOutput[];
}

export interface MatchNet extends Step {
  readonly kind: 'matchnet';
  readonly source: Expression;
  readonly guid: string;
  readonly invert: boolean;
  /** Present with `tag=t`: no row is dropped. */
  readonly tag?: Column;
}

/** A number cuts numbers, a duration cuts dates; other values become null. */
export interface Bin extends Step {
  readonly kind: 'bin';
  readonly source: Expression;
  readonly column: Column;
  readonly span: Duration | bigint | number;
  readonly offset?: Duration;
}

export interface Repeat extends Step {
  readonly kind: 'repeat';
  readonly count: bigint;
  readonly copy: ColumnId;
}

/** Without `fields` the whole row: known columns of the input in order, then its overflow. */
export interface ToJson extends Step {
  readonly kind: 'tojson';
  readonly column: Column;
  readonly fields?: readonly { readonly name: string; readonly value: Expression }[];
}

/**
 * Sets parameters for each row, in order: `before` is what they held when the row came, `initial` what they hold before the
 * first one. Later assignments see earlier ones. Runs in the host.
 */
export interface Evalc extends Step {
  readonly kind: 'evalc';
  readonly before: readonly { readonly column: Column; readonly initial: Value }[];
  /** Columns are named by their parameters. */
  readonly assigned: readonly Assigned[];
  readonly sequence: ColumnId;
}

/** serial, parallel: `input` is the last node of the bracket, and what stands before the command that of the first. */
export interface Block extends Step {
  readonly kind: 'block';
  readonly bracket: readonly PlanNode[];
}

/** bypass, and set or setq between other commands. */
export interface Pass extends Step {
  readonly kind: 'pass';
}

export interface Drop extends Step {
  readonly kind: 'drop';
}
