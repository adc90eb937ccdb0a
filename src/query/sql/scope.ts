// What SQL of an expression is, and what it is compiled against.

import type { ColumnId } from '#query/model/expression.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { ColumnType, Value } from '#query/model/values.ts';

/** SQL of one expression. `type` says how its value is represented (15.5): what is of one type is no `any`. */
export interface Sql {
  readonly text: string;
  readonly type: ColumnType;
  /** A column or a bound value: may be repeated in a text without being computed twice. */
  readonly isPlain?: true;
  /** Of a boolean that is never null: a shorter text that may be null where it is false, which WHERE takes as well. */
  readonly bare?: string;
}

export interface SqlScope {
  /** Must be held until the statement has ended: it holds what the engine calls back for. */
  readonly run: RunFacts;
  readonly constants: ReadonlyMap<string, Value>;
  /** Of the whole statement: one scope per nested SELECT, one Bindings for all of them. */
  readonly bindings: Bindings;
  /** How a column is read here: its name, quoted, and the type that the plan gives it. */
  readonly column: (id: ColumnId) => Sql;
  /** What seq() reads: a column that counts the rows in their order from 1. Asked only where seq() occurs. */
  readonly sequence?: () => Sql;
  /** The order of rows as the list of an ORDER BY, for the aggregates that go by it. Absent: it is not defined. */
  readonly order?: string;
  /** The name of the window that aggregates are taken over, whose order is that of the rows. Absent: over groups. */
  readonly window?: string;
}

export interface BoundValue {
  readonly type: ColumnType;
  readonly value: Value;
  /** The same as JSON. */
  readonly json: string;
}

/**
 * What is put into a statement when its text is whole: values in the order of their places, equal ones sharing one, and
 * names that are data. In the text tokens stand for them, so that nothing in a name is ever taken for a place.
 */
export class Bindings {
  readonly #places = new Map<string, number>();
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

  /** Its place, from 1. `key` tells equal values. */
  add(bound: BoundValue, key: string): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#values.push(bound);
    this.#places.set(key, this.#values.length);
    return this.#values.length;
  }
}
