// What a function of the language declares: its signature and checks, which the parser uses, its documentation, and
// how it is computed. One declaration per function, grouped in files as in chapter 9 of the reference.

import type { Rows } from './columns.ts';
import type { Call, Expression, Literal } from './expression.ts';
import type { RunFacts } from './run-facts.ts';
import type { ColumnType, Value } from './values.ts';

/** Where a declaration is documented. */
export type FunctionGroup =
  | 'conditions'
  | 'conversion'
  | 'strings'
  | 'numbers'
  | 'dates'
  | 'addresses'
  | 'lists'
  | 'aggregates';

/**
 * What an argument is converted to by 3.2 before the function sees it; `whole` is a long cut towards zero, `any` is not
 * converted.
 */
export type ArgumentType = 'any' | 'string' | 'number' | 'whole' | 'date' | 'bool' | 'list' | 'map' | 'binary';

export interface Argument {
  readonly type: ArgumentType;
  /** Must be a constant of the run (90302). */
  readonly constant?: true;
  readonly optional?: true;
  /** May repeat; only the last argument. With `pairs` arguments repeat two by two. */
  readonly rest?: true;
  /** A STRING here may hold wildcards (4.4). */
  readonly wild?: true;
  /** The GUID of a group that must exist (21301). */
  readonly isGroup?: true;
  /** Judges a constant written in the text; throws a QueryError. Constants known later are judged when they are. */
  readonly check?: (literal: Literal, context: CheckContext) => void;
}

export interface CheckContext {
  readonly name: string;
  /** From 1. */
  readonly position: number;
}

/** What null arguments do: `null` (the rule): the result is null; `own`: the function sees nulls and decides. */
type NullRule = 'null' | 'own';

export interface FunctionDeclaration {
  readonly name: string;
  /** Other spellings; normalized text has the name. */
  readonly aliases?: readonly string[];
  readonly group: FunctionGroup;
  /** `substr(s, begin[, end])` → s */
  readonly syntax: string;
  readonly summary: string;
  readonly args: readonly Argument[];
  readonly result: ColumnType | ((args: readonly Expression[]) => ColumnType);
  readonly nulls: NullRule;
  /** Depends on the moment, which is the record's where each is looked at by itself (13). */
  readonly momentary?: true;
  /** Gives another value with every call: never folded, never moved. */
  readonly volatile?: true;
  /** Depends on the order of rows (90901). */
  readonly ordered?: true;
  /** Of a function that reads more than its arguments say: the call that the planner puts in its place. */
  readonly expanded?: (call: Call, rows: Rows) => Call;
  /** Checks over all arguments together: counts beyond `args`, and the like. */
  readonly check?: (args: readonly Expression[], span: { begin: number; end: number }) => void;
  readonly examples: readonly FunctionExample[];
  /**
   * The host form. `args` are already converted to their declared types; with `nulls: 'null'` none of them is null.
   * Arguments left out are left out here too.
   */
  readonly host?: (args: readonly Value[], run: RunFacts) => Value;
  /** In place of `host` where arguments must not all be evaluated (if, case, nvl, foreach): each is a thunk. */
  readonly hostLazy?: (args: readonly Lazy[], run: RunFacts) => Value;
  /**
   * Of a test of its first argument that is false for null: made once where all others are constants, and then asked in
   * place of `host`. The first argument is converted, the constants are as they are written.
   */
  readonly testOf?: (
    others: readonly ConstantArgument[],
    run: Pick<RunFacts, 'zone' | 'steps'>,
  ) => (value: Value) => boolean;
  /** Steps of a call that reads next to nothing; 1 by default. */
  readonly baseSteps?: number;
  /** Steps for each 64 characters that a call reads; 1 by default, more where they take longer than a plain pass. */
  readonly weight?: number;
  /** What a call reads of lists and maps among its arguments: by default no more than it is asked for. */
  readonly reads?: 'elements' | 'all';
  /**
   * The SQL form, unless a dialect has its own by this name: text with holes `{0}`, `{1}` … for the arguments,
   * converted like those of `host`, numbers being doubles. `nulls: 'null'` is left to SQL, which gives null for null by
   * itself. A function without any SQL form runs its host form inside the engine.
   */
  readonly sql?: string;
}

/** A constant among the arguments: a value, or the texts between the stars of a string with wildcards. */
export interface ConstantArgument {
  readonly value?: Value;
  readonly parts?: readonly string[];
}

/** An argument's value; elements are those of the innermost foreach, `_1` first, at one of `count` positions. */
export interface Lazy {
  (elements?: readonly Value[], count?: number): Value;
  /** Of a string with wildcards: whether a text fits. */
  readonly fits?: (text: string) => boolean;
}

/** An expression and its result as JSON; dates are `@2026-11-15 09:00:00+0900`. */
export interface FunctionExample {
  readonly text: string;
  readonly gives: unknown;
}

/**
 * An aggregate (chapter 10): null values of its first argument are ignored by all but `count` without argument.
 * `host` folds the values of a group. Every dialect has its own SQL for all of them: engines agree on little here.
 */
export interface AggregateDeclaration {
  readonly name: string;
  readonly group: 'aggregates';
  readonly syntax: string;
  readonly summary: string;
  readonly args: readonly Argument[];
  readonly result: ColumnType | ((args: readonly Expression[]) => ColumnType);
  /** The result over no values, as the documentation writes it. */
  readonly empty: '0' | 'null' | '[]';
  readonly ordered?: true;
  readonly examples: readonly AggregateExample[];
  readonly host: (rows: readonly (readonly Value[])[], run: RunFacts) => Value;
}

/** `text` over rows whose `x` takes these values, written as in a JSON list: 1.0 is a double. */
export interface AggregateExample {
  readonly text: string;
  readonly over: string;
  readonly gives: unknown;
}
