// The SQL of an expression, and the scope that it is compiled in. Apart from the compiler, so that all its parts can
// share the types.

import type { ColumnId, LeafRead } from '#query/model/expression.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { ColumnType, Value } from '#query/model/values.ts';

/**
 * How a value is represented (15.5): a value of one type by that type, others as JSON. A column of type `number` holds longs
 * and doubles as doubles: a whole one is a long, as it is in stored records, and each of them is exact.
 */
export type SqlType = ColumnType | 'number';

export const isNumberType = (type: SqlType): boolean => type === 'long' || type === 'double' || type === 'number';

/**
 * SQL of one expression. `type` says how its value is represented: a value of one type is never stored as `any`.
 */
export interface Sql {
  readonly text: string;
  readonly type: SqlType;
  /** For JSON that is a number or null: the same as a double, which is exact and needs no JSON. */
  readonly double?: string;
  /** For JSON: the same by type, of which one at most is not null. */
  readonly parts?: MixedParts;
  /** A column or a bound value: it may be repeated in SQL without being computed twice. */
  readonly isPlain?: true;
  /** For a boolean that is never null: a shorter SQL that may be null instead of false, which WHERE accepts too. */
  readonly bare?: string;
}

/** A value of several types as a value of each type; types that it never has are absent. */
export interface MixedParts {
  /** A long or a `number`. */
  readonly number?: Sql;
  readonly string?: Sql;
  readonly bool?: Sql;
  /** JSON of a value that is in no other part, of any type: numbers, texts and booleans may be among them. */
  readonly other?: Sql;
}

export type PartName = keyof MixedParts;

export const PART_NAMES = ['number', 'string', 'bool', 'other'] as const satisfies readonly PartName[];

export interface SqlScope {
  /**
   * Must be referenced until the statement has ended, because it keeps alive the objects that the engine calls back.
   */
  readonly run: RunFacts;
  readonly constants: ReadonlyMap<string, Value>;
  /** Shared by the whole statement: each nested SELECT has its own scope, but the same Bindings. */
  readonly bindings: Bindings;
  /** The quoted name of a column in this scope, and its type by the plan. */
  readonly column: (id: ColumnId) => Sql;
  /** A value inside of an overflow, where it has a column of its own in this scope. */
  readonly leaf?: (leaf: LeafRead) => Sql | undefined;
  /** The value of seq(): a column that numbers the rows in their order from 1. Called only if seq() occurs. */
  readonly sequence?: () => Sql;
  /** The order of rows as an ORDER BY list, for aggregates that depend on it. Absent if it is not defined. */
  readonly order?: string;
  /** The name of the window of the aggregates, ordered like the rows. Absent for groups. */
  readonly window?: string;
}

export interface BoundValue {
  readonly type: ColumnType;
  readonly value: Value;
  /** The value as JSON. */
  readonly json: string;
}

/**
 * The parts that are inserted when the text of a statement is complete: parameters, shared by equal values, and names
 * that are data. Until then tokens stand for names in the text, so that no part of a name is mistaken for a parameter.
 */
export class Bindings {
  readonly #indexes = new Map<string, number>();
  readonly #values: BoundValue[] = [];
  readonly #names = new Map<string, string>();

  get values(): readonly BoundValue[] {
    return this.#values;
  }

  /** Quoted names by their tokens. */
  get names(): ReadonlyMap<string, string> {
    return this.#names;
  }

  /** The token of a name that is already quoted. */
  name(quoted: string): string {
    const token = `vigil_name_${this.#names.size + 1}`;
    this.#names.set(token, quoted);
    return token;
  }

  /** The number of the parameter, from 1. Equal values have equal keys. */
  add(bound: BoundValue, key: string): number {
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#values.push(bound);
    this.#indexes.set(key, this.#values.length);
    return this.#values.length;
  }
}
