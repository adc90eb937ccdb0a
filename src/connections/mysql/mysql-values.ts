// Values of MySQL and MariaDB as the driver gives them, by the numbers of their types, and back.

import { UnboundValue } from '#connections/databases/database-failure.ts';
import { dateOf, decimalOf, jsonOf, wholeOf } from '#connections/databases/database-values.ts';
import { typeOf, type Value } from '#query/model/values.ts';
import { compactJson, finite } from '#query/values/conversions.ts';
import { wallText } from '#query/values/dates/dates.ts';

export interface MysqlField {
  readonly name: string;
  readonly columnType?: number;
  readonly columnLength?: number;
  readonly extendedFormat?: string | null;
}

const TIMESTAMP = 7;
const WHOLE = new Set([1, 2, 3, 8, 9, 13]);
const FLOATING = new Set([4, 5]);
const DECIMALS = new Set([0, 246]);
const DATES = new Set([10, 12, 14]);
const BIT = 16;
const JSON_TYPE = 245;

export interface MysqlZones {
  /** Of values without a zone. */
  readonly zone: string;
  /** Of the session: the database writes values of the type TIMESTAMP with this offset. */
  readonly offset: string;
}

/** The driver gives dates and large numbers as texts, and bytes as buffers. */
export function languageValue(
  given: unknown,
  { columnType = -1, columnLength, extendedFormat }: MysqlField,
  zones: MysqlZones,
) {
  if (given === null || given === undefined) return null;
  const text = typeof given === 'string' ? given : String(given);
  if (WHOLE.has(columnType)) return wholeOf(text);
  if (FLOATING.has(columnType)) return finite(Number(given));
  if (DECIMALS.has(columnType)) return decimalOf(text);
  if (columnType === TIMESTAMP) return dateOf(`${text}${zones.offset}`, zones.zone);
  if (DATES.has(columnType)) return dateOf(text, zones.zone);
  if (columnType === JSON_TYPE || extendedFormat === 'json') return jsonOf(text);
  if (!Buffer.isBuffer(given)) return text;
  return columnType === BIT && columnLength === 1 ? given.at(-1) === 1 : new Uint8Array(given);
}

/** What the driver sends: a long as such, all else in the types that it knows. */
export type SentValue = string | number | boolean | null | Buffer | { readonly long: bigint };

export function sentValue(value: Value, index: number, zone: string): SentValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') {
    return value;
  }
  if (typeof value === 'bigint') return { long: value };
  if (value instanceof Temporal.Instant) return wallText(value, zone);
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (Array.isArray(value)) throw new UnboundValue(index, typeOf(value));
  return compactJson(value, zone);
}
