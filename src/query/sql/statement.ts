// Turns compiled text into a statement with typed parameters. Until then tokens stand in the text for parameters, for
// names that are data and for sources; all are replaced in one pass, so that inserted text is never scanned.

import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { typeOf, type Value } from '#query/model/values.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import type { Bindings, BoundValue, Sql, SqlType } from './scope.ts';

export const COLUMN_TYPES: Readonly<Record<SqlType, string>> = {
  null: 'json',
  bool: 'boolean',
  long: 'bigint',
  double: 'double',
  number: 'double',
  date: 'timestamptz',
  string: 'varchar',
  list: 'json',
  map: 'json',
  any: 'json',
  binary: 'blob',
};

export const NULL_SQL: Sql = { text: 'null', type: 'null', isPlain: true };

export function bound(bindings: Bindings, value: Value): Sql {
  if (value === null) return NULL_SQL;
  const type = typeOf(value);
  const json = taggedJson(value);
  const index = bindings.add({ value, type, json }, `${type} ${json}`);
  return { text: `vigil_value_${index}::${COLUMN_TYPES[type]}`, type, isPlain: true };
}

/** A statement to run: its text, and the values with their types in the order of the parameters. */
export interface Statement {
  readonly text: string;
  readonly values: DuckDBValue[];
  readonly types: DuckDBType[];
  /** Whether all that it reads stays as it is: files and values, no table in memory. */
  readonly isLasting?: boolean;
  /** Whether its rows are few. */
  readonly isShort?: boolean;
  /** Whether its rows may be so long that few of them are held at once. */
  readonly isLong?: boolean;
}

type DuckdbModule = typeof import('@duckdb/node-api');

const TOKEN = /\bvigil_(?:value_(\d+)|name_\d+|source_\d+)\b/g;

/**
 * Omits values that the final text does not use, because DuckDB rejects unused parameters. `sources` are texts by their
 * tokens. The DuckDB package is an argument, because it is loaded with the first use of a table and not with this file.
 */
export function statementOf(
  duckdb: DuckdbModule,
  text: string,
  bindings: Bindings,
  sources: ReadonlyMap<string, string> = new Map(),
): Statement {
  const numbers = new Map<number, number>();
  const numberOf = (value: number): number => {
    const number = numbers.get(value) ?? numbers.size + 1;
    numbers.set(value, number);
    return number;
  };
  const whole = text.replace(TOKEN, (token, value: string | undefined) => {
    if (value !== undefined) return `$${numberOf(Number(value))}`;
    const put = bindings.names.get(token) ?? sources.get(token);
    if (put === undefined) throw new Error(`the token ${token} is unknown`);
    return put;
  });
  const given = [...numbers.keys()].flatMap((value) =>
    bindings.values.slice(value - 1, value).map((one) => duckdbValue(duckdb, one)),
  );
  return { text: whole, values: given.map(({ value }) => value), types: given.map(({ type }) => type) };
}

function duckdbValue(
  duckdb: DuckdbModule,
  { value, type, json }: BoundValue,
): { value: DuckDBValue; type: DuckDBType } {
  if (typeof value === 'boolean') return { value, type: duckdb.BOOLEAN };
  if (typeof value === 'bigint') return { value, type: duckdb.BIGINT };
  if (typeof value === 'number') return { value, type: duckdb.DOUBLE };
  if (typeof value === 'string') return { value, type: duckdb.VARCHAR };
  if (value instanceof Temporal.Instant) {
    return {
      value: new duckdb.DuckDBTimestampTZValue(BigInt(value.epochMilliseconds) * 1000n),
      type: duckdb.TIMESTAMPTZ,
    };
  }
  if (value instanceof Uint8Array) return { value: new duckdb.DuckDBBlobValue(value), type: duckdb.BLOB };
  if (value === null) throw new Error(`null of type ${type} must be written, not bound`);
  return { value: json, type: duckdb.VARCHAR };
}
