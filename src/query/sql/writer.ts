// SQL fragments that all parts of the compiler use.

import type { Value } from '#query/model/values.ts';
import { mayFail } from './macros.ts';
import type { Sql, SqlScope, SqlType } from './scope.ts';
import { bound, COLUMN_TYPES } from './statement.ts';
import { Zone } from './zones.ts';

export const sql = (text: string, type: SqlType): Sql => ({ text, type });

/** A test that is false for null. */
export const test = (bare: string): Sql => ({ text: `coalesce(${bare}, false)`, type: 'bool', bare: `(${bare})` });

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Writes the expressions of one compilation; every lambda variable has a unique name. */
export class Writer {
  readonly scope: SqlScope;
  #variables = 0;

  constructor(scope: SqlScope) {
    this.scope = scope;
  }

  bind(value: Value): Sql {
    return bound(this.scope.bindings, value);
  }

  /** The query's zone as a bound text. */
  get zone(): string {
    return this.bind(this.scope.run.zone).text;
  }

  /** Offsets of the query's zone. */
  get zoneTable(): Zone {
    return this.zoneNamed(this.scope.run.zone);
  }

  zoneNamed(zone: string): Zone {
    return new Zone(zone, this.bind(zone).text, this.scope.run.now);
  }

  variable(): string {
    this.#variables += 1;
    return `v${this.#variables}`;
  }

  /**
   * SQL that may contain each value several times: a value that is not plain is computed once, as the only element of a
   * list that a lambda unpacks. Without this, nested calls would grow exponentially with their depth.
   */
  once(values: readonly Sql[], write: (...texts: string[]) => string): string {
    const names = values.map((value) => (value.isPlain ? value.text : this.variable()));
    return values.reduceRight(
      (body, value, index) => {
        if (value.isPlain) return body;
        return `list_transform([${value.text}], lambda ${names[index]}: ${body})[1]`;
      },
      write(...names),
    );
  }

  /**
   * Null where `write` overflows. DuckDB's try() rejects volatile functions, error() among them, and hides every other
   * failure: a value that may fail by itself is computed outside of it, so that its failure ends the statement.
   */
  tried(values: readonly Sql[], write: (...texts: string[]) => string): string {
    const known = values.map(
      ({ text, type, isPlain }): Sql => (isPlain || !mayFail(text) ? { text, type, isPlain: true } : { text, type }),
    );
    return this.once(known, (...texts) => `try(${write(...texts)})`);
  }

  macro(name: string, values: readonly Sql[], ...more: readonly string[]): string {
    return this.once(values, (...texts) => `vigil_${name}(${[...texts, ...more].join(', ')})`);
  }
}

export const typed = (type: SqlType): string => COLUMN_TYPES[type];
