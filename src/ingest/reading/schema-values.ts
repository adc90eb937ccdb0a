// The values of a log as its schema has them: fields that it declares are converted to their types by the rule of the query
// language (3.2). What cannot be converted stays as it came, and so does what is not declared.

import type { SchemaType } from '#contract/values.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { addressOf, addressText } from '#query/values/addresses/addresses.ts';
import { converterTo } from '#query/values/conversions.ts';

/** A field of a log schema, as far as it counts here. */
export interface SchemaField {
  readonly name: string;
  readonly type: SchemaType;
}

/** Null where the value is none of the type. */
type Convert = (value: Value, zone: string) => Value;

const text = converterTo('string');
const number = converterTo('number');

const whole =
  (least: bigint, most: bigint): Convert =>
  (value, zone) => {
    const found = converterTo('whole')(value, zone);
    return typeof found === 'bigint' && found >= least && found <= most ? found : null;
  };

const signed = (bits: bigint): Convert => whole(-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n);

const double: Convert = (value, zone) => {
  const found = number(value, zone);
  return found === null ? null : Number(found);
};

const ip: Convert = (value) => {
  const address = typeof value === 'string' ? addressOf(value) : null;
  return address && addressText(address);
};

const CONVERTERS: Readonly<Record<SchemaType, Convert>> = {
  DATE: converterTo('date'),
  STRING: text,
  IP: ip,
  PORT: whole(0n, 65_535n),
  SHORT: signed(16n),
  INT: signed(32n),
  LONG: signed(64n),
  COUNTRY: text,
  FLOAT: double,
  DOUBLE: double,
  BOOL: converterTo('bool'),
  MD5: text,
  SHA1: text,
  URL: text,
  SHA256: text,
  DOMAIN: text,
};

export function inSchema(fields: readonly SchemaField[], zone: string): (values: MapValue) => Map<string, Value> {
  const converters = fields.map(({ name, type }) => ({ name, convert: CONVERTERS[type] }));
  return (values) => {
    const made = new Map(values);
    for (const { name, convert } of converters) {
      const value = made.get(name) ?? null;
      const converted = value === null ? null : convert(value, zone);
      if (converted !== null) made.set(name, converted);
    }
    return made;
  };
}
