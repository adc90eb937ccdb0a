// The seam between plans and the SQL of one engine. A plan compiler sees only this: it asks a dialect for the SQL of
// expressions, conditions, aggregates and sort keys, and puts statements together from them.
//
// No value and no name of a query ever becomes SQL text: values go into the statement's `Bindings`, columns are named by
// the plan compiler, names of fields in an overflow column are values.

import type { RunFacts } from '#query/functions/function.ts';
import type { Duration } from '#query/model/durations.ts';
import type { AggregateCall, ColumnId, Expression } from '#query/model/expression.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import type { AddressGroup } from '#query/values/address-group.ts';

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

export interface Dialect {
  readonly name: string;
  quoted(name: string): string;
  /** Of type `as` where given: the type of the plan's column that the value goes into. */
  expression(expression: Expression, scope: SqlScope, as?: ColumnType): Sql;
  /** For WHERE and FILTER: true exactly where the expression is true (4.1); elsewhere false or null. */
  condition(expression: Expression, scope: SqlScope): string;
  aggregate(call: AggregateCall, scope: SqlScope, as?: ColumnType): Sql;
  /** Expressions that sort and group like the value by 3.4 when taken one after the other, nulls first. */
  sortKeys(value: Sql, scope: SqlScope): readonly string[];
  /** Equal exactly for values that are one group (3.4); null for null. */
  groupKey(value: Sql, scope: SqlScope): string;
  /** Alike for values that may be equal (4.2): what differs need not be compared. Null for null. */
  equalityKey(value: Sql, scope: SqlScope): string;
  /** `==` of two values (4.2), for the keys of joins and lookups; never null. */
  equality(left: Sql, right: Sql, scope: SqlScope): string;
  /**
   * Start of the bucket in which a date lies (4.6), for bin and timechart: steps from the date, each of which takes the
   * value of the one before it and may repeat its text.
   */
  bucketSteps(span: Duration, offset: Duration | undefined, scope: SqlScope): readonly ((value: string) => string)[];
  /** Whether a value is an address of a group, for matchnet; never null. */
  groupMembership(value: Sql, group: AddressGroup, scope: SqlScope): Sql;
  /** A value as another type, where it already is of that type or the target is `any`. */
  converted(value: Sql, as: ColumnType, scope: SqlScope): Sql;
  /** A declared column some of whose values may be of another type and then are in the overflow (15.4): of type any. */
  storedField(column: Sql, overflow: Sql, name: string, scope: SqlScope): Sql;
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
