// The declaration of a function of the language: signature and checks for the parser, documentation, and the local evaluator and
// SQL forms. One declaration per function, grouped in files as in chapter 9 of the reference.

import type { Translated } from '#contract/values.ts';
import type { Clues } from './clue.ts';
import type { Rows } from './columns.ts';
import type { Call, Expression, Literal } from './expression.ts';
import type { QueryWarning } from './query-error.ts';
import type { RunFacts } from './run-facts.ts';
import type { ColumnType, Value } from './values.ts';

/** The section of the reference that documents a declaration. */
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
 * The type to which an argument is converted by 3.2 before the call; `whole` is a long truncated towards zero, `any` is
 * not converted.
 */
export type ArgumentType = 'any' | 'string' | 'number' | 'whole' | 'date' | 'bool' | 'list' | 'map' | 'binary';

export interface Argument {
  readonly type: ArgumentType;
  /** Must be a constant of the run (90302). */
  readonly constant?: true;
  readonly optional?: true;
  /** May be left out before a named argument, which then takes its position (9). */
  readonly mayBeSkipped?: true;
  /** May repeat; only for the last argument. With `pairs` the arguments repeat in pairs. */
  readonly rest?: true;
  /** A STRING here may hold wildcards (4.4). */
  readonly wild?: true;
  /** The GUID of a group that must exist (21301). */
  readonly isGroup?: true;
  /** Must be a parameter without a default (90302 with hint 91048), so that the text of a query holds no secret. */
  readonly secret?: true;
  /** The name of a text of the query in normalized text, where several spellings mean the same. */
  readonly named?: (text: string) => string;
  /** Checks a constant of the query text and throws a QueryError. A constant that is known later is checked later. */
  readonly check?: (literal: Literal, context: CheckContext) => void;
  /** Warnings of checks about a constant. */
  readonly warnings?: (literal: Literal) => readonly QueryWarning[];
}

export interface CheckContext {
  readonly name: string;
  /** From 1. */
  readonly position: number;
}

/** `null` (the rule): a null argument gives null; `own`: the function receives nulls and decides. */
type NullRule = 'null' | 'own';

export interface FunctionDeclaration {
  readonly name: string;
  /** Other spellings; normalized text uses `name`. */
  readonly aliases?: readonly string[];
  readonly group: FunctionGroup;
  /** The names that its arguments may be written with (9), by position; none for most functions. */
  readonly parameters?: readonly string[];
  /** For example `substr(s, begin[, end])`. */
  readonly syntax: string;
  readonly summary: Translated;
  readonly args: readonly Argument[];
  readonly result: ColumnType | ((args: readonly Expression[]) => ColumnType);
  readonly nulls: NullRule;
  /** Depends on the current time, which is the time of the record where records are evaluated one by one (13). */
  readonly momentary?: true;
  /** Gives another value with every call: the planner neither folds nor moves the call. */
  readonly volatile?: true;
  /** Depends on the order of rows (90901). */
  readonly ordered?: true;
  /** Further arguments are left out, with warning 90915. */
  readonly ignoresSurplus?: true;
  /** For a function that reads more than its arguments: the call that replaces it in the plan. */
  readonly expanded?: (call: Call, rows: Rows) => Call;
  /** Checks over all arguments together, such as a count that `args` cannot express. */
  readonly check?: (args: readonly Expression[], span: { begin: number; end: number }) => void;
  /** For a test: what a record must contain for which it is true; at least one of these. Absent: nothing is known. */
  readonly clues?: (call: Call) => Clues | undefined;
  readonly examples: readonly FunctionExample[];
  /**
   * The local form. `args` are already converted to their declared types; with `nulls: 'null'` none of them is null.
   * Optional arguments that are not written are absent.
   */
  readonly local?: (args: readonly Value[], run: RunFacts) => Value;
  /** Replaces `local` where not every argument may be evaluated (if, case, nvl, foreach): each argument is a thunk. */
  readonly localLazy?: (args: readonly Lazy[], run: RunFacts) => Value;
  /**
   * For a test of the first argument that is false for null: built once if all other arguments are constants, and then
   * called instead of `local`. The first argument is converted, the constants are not.
   */
  readonly testOf?: (
    others: readonly ConstantArgument[],
    run: Pick<RunFacts, 'zone' | 'steps'>,
  ) => (value: Value) => boolean;
  /**
   * The local form where all arguments but the first are literals and not null: built once with their converted values,
   * and then called with the converted first argument.
   */
  readonly localOf?: (others: readonly Value[], run: RunFacts) => (value: Value) => Value;
  /** Steps of a call with short arguments; 1 by default. */
  readonly baseSteps?: number;
  /** Steps for each 64 characters that a call reads; 1 by default, more for work slower than one pass over the text. */
  readonly weight?: number;
  /** How much of list and map arguments a call reads; by default only the elements that it accesses. */
  readonly reads?: 'elements' | 'all';
  /**
   * The SQL form, unless `sql/forms` has one of this name: text with holes `{0}`, `{1}` … for the arguments, converted
   * like those of `local`, with numbers as doubles. SQL itself gives null for null, as `nulls: 'null'` asks. A function
   * without any SQL form runs its local form inside the engine.
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
  /** For a string with wildcards: true if a text matches. */
  readonly fits?: (text: string) => boolean;
}

/** An expression and its result as JSON; dates are `@2026-11-15 09:00:00+0900`. */
export interface FunctionExample {
  readonly text: string;
  /** Where the text is printed back otherwise. */
  readonly normalized?: string;
  readonly gives: unknown;
}

/**
 * An aggregate (chapter 10): all but `count` without argument ignore null values of the first argument. `local` folds
 * the values of a group. The SQL of every aggregate stands in `sql/aggregates.ts`, because engines differ too much for
 * a template.
 */
export interface AggregateDeclaration {
  readonly name: string;
  readonly group: 'aggregates';
  /** As those of a function. */
  readonly parameters?: readonly string[];
  readonly syntax: string;
  readonly summary: Translated;
  readonly args: readonly Argument[];
  readonly result: ColumnType | ((args: readonly Expression[]) => ColumnType);
  /** The result over no values, as the documentation writes it. */
  readonly empty: '0' | 'null' | '[]';
  readonly ordered?: true;
  /** How results over parts of the rows become that over all, where a column of one type is its argument. */
  readonly merge?: AggregateMerge;
  /** The result over all rows, where a store that has all of them can give it. */
  readonly whole?: AggregateWhole;
  /** Of rows with equal arguments one is enough. */
  readonly ignoresRepeats?: true;
  readonly examples: readonly AggregateExample[];
  readonly local: (rows: readonly (readonly Value[])[], run: RunFacts) => Value;
}

export type AggregateMerge = 'count' | 'sum' | 'avg' | 'min' | 'max';
export type AggregateWhole = 'distinct';

/** `text` over rows whose `x` takes these values, written as in a JSON list: 1.0 is a double. */
export interface AggregateExample {
  readonly text: string;
  readonly over: string;
  readonly gives: unknown;
}
