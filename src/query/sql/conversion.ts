// Conversions (3.2) in SQL, chosen by the static type of the value.

import type { ArgumentType } from '#query/model/function.ts';
import { type MixedParts, PART_NAMES, type Sql, type SqlType } from './scope.ts';
import { NULL_SQL } from './statement.ts';
import { sql, typed, type Writer } from './writer.ts';

/** JSON of a value of any type. */
export function toAny(value: Sql, writer: Writer): Sql {
  switch (value.type) {
    case 'any':
    case 'list':
    case 'map':
      return { ...value, type: 'any' };
    case 'null':
      return { text: 'null::json', type: 'any', isPlain: true };
    case 'date':
      return sql(writer.macro('of_date', [value]), 'any');
    case 'binary':
      return sql(writer.macro('of_binary', [value]), 'any');
    case 'number':
      return { ...sql(writer.macro('of_number', [value]), 'any'), double: value.text };
    default:
      return sql(`to_json(${value.text})`, 'any');
  }
}

/** A value of this type from JSON that holds such a value or null. */
export function fromAny(value: Sql, type: SqlType, writer: Writer): Sql {
  switch (type) {
    case 'any':
    case 'list':
    case 'map':
    case 'null':
      return { ...value, type };
    case 'string':
      return sql(`(${value.text}->>'$')`, type);
    case 'date':
      return sql(writer.macro('tagged_date', [value]), type);
    case 'binary':
      return sql(`from_base64(${value.text}->>'$.$binary')`, type);
    default:
      return sql(`(${value.text})::varchar::${typed(type)}`, type);
  }
}

export function asType(value: Sql, type: SqlType, writer: Writer): Sql {
  if (value.type === type) return value;
  if (value.type === 'null') return { text: `null::${typed(type)}`, type, isPlain: true };
  if (type === 'any' || type === 'null') return toAny(value, writer);
  if (value.type === 'long' && type === 'double') return sql(`(${value.text})::double`, 'double');
  return fromAny(toAny(value, writer), type, writer);
}

/** The first of the values that is not null; of values of parts no more than one is. */
export const firstOf = (texts: readonly string[]): string =>
  texts.length === 1 ? (texts[0] ?? 'null') : `coalesce(${texts.join(', ')})`;

const converted = (parts: MixedParts, convert: (part: Sql) => Sql): string =>
  firstOf(PART_NAMES.flatMap((name) => parts[name] ?? []).map((part) => convert(part).text));

/** SQL of `string()`. */
export function toText(value: Sql, writer: Writer): Sql {
  if (value.parts)
    return sql(
      converted(value.parts, (part) => toText(part, writer)),
      'string',
    );
  switch (value.type) {
    case 'string':
      return value;
    case 'null':
      return asType(value, 'string', writer);
    case 'bool':
    case 'long':
      return sql(`(${value.text})::varchar`, 'string');
    case 'double':
    case 'number':
      return sql(writer.macro('double_text', [value]), 'string');
    case 'date':
      return sql(dateText(value, writer), 'string');
    case 'binary':
      return sql(`to_base64(${value.text})`, 'string');
    default:
      return sql(writer.macro('any_text', [value], writer.zone), 'string');
  }
}

/** In the form `yyyy-MM-dd HH:mm:ssZ`. */
function dateText(date: Sql, writer: Writer): string {
  return writer.once([sql(`epoch_us(${date.text})`, 'long')], (us = '') =>
    writer.once([sql(writer.zoneTable.offset(us), 'long')], (offset = '') => {
      const wall = `strftime(make_timestamp(${us} + ${offset}), '%Y-%m-%d %H:%M:%S')`;
      return `(${wall} || ${writer.macro('offset_text', [sql(`${offset} // 60000000`, 'long')], "''")})`;
    }),
  );
}

/** A long or double if the type is known, else JSON of a number. */
export function toNumber(value: Sql, writer: Writer): Sql {
  if (value.type === 'long' || value.type === 'double' || value.double !== undefined) return value;
  if (value.type === 'string') return sql(writer.macro('text_number', [value]), 'any');
  if (value.type === 'number') return toAny(value, writer);
  const { parts } = value;
  if (parts && (parts.number || parts.string || parts.other)) {
    const { bool: _, ...others } = parts;
    const texts = converted(others, (part) => toAny(toNumber(part, writer), writer));
    return { ...sql(texts, 'any'), ...(parts.string || parts.other ? {} : { double: toDouble(value, writer).text }) };
  }
  return value.type === 'any' ? sql(writer.macro('any_number', [value]), 'any') : NULL_SQL;
}

/** Null also for a number that no double can represent. */
export function nullIfHuge(value: Sql, writer: Writer): Sql {
  if (value.type !== 'any' || value.double !== undefined) return value;
  const { parts } = value;
  if (parts && !parts.other) return value;
  const valid = sql(writer.macro('sound', [value]), 'any');
  return parts?.other ? { ...valid, parts: { ...parts, other: nullIfHuge(parts.other, writer) } } : valid;
}

export function toDouble(value: Sql, writer: Writer): Sql {
  if (value.type === 'double') return value;
  if (value.type === 'number') return { ...value, type: 'double' };
  if (value.double !== undefined) return { text: value.double, type: 'double', isPlain: true };
  if (value.type === 'long') return { ...value, text: `(${value.text})::double`, type: 'double' };
  if (value.type === 'string') return sql(writer.macro('text_double', [value]), 'double');
  const { bool: _, ...numbers } = value.parts ?? {};
  if (value.parts && Object.keys(numbers).length > 0) {
    return sql(
      converted(numbers, (part) => toDouble(part, writer)),
      'double',
    );
  }
  return value.type === 'any' ? sql(writer.macro('any_double', [value]), 'double') : asType(NULL_SQL, 'double', writer);
}

export function toWhole(value: Sql, writer: Writer): Sql {
  if (value.type === 'long') return value;
  if (value.type === 'double') return sql(`vigil_trunc_long(${value.text})`, 'long');
  if (value.type === 'string' || value.type === 'any') {
    return sql(writer.macro('any_whole', [toAny(value, writer)]), 'long');
  }
  return asType(NULL_SQL, 'long', writer);
}

export function toDate(value: Sql, writer: Writer): Sql {
  if (value.type === 'date') return value;
  const { string, other } = value.parts ?? {};
  if (value.parts && (string || other)) {
    return sql(
      converted({ ...(string ? { string } : {}), ...(other ? { other } : {}) }, (part) => toDate(part, writer)),
      'date',
    );
  }
  if (value.type === 'string') return sql(writer.macro('text_date', [value], writer.zone), 'date');
  return value.type === 'any'
    ? sql(writer.macro('any_date', [value], writer.zone), 'date')
    : asType(NULL_SQL, 'date', writer);
}

function onlyOf(type: 'list' | 'map' | 'binary', value: Sql, writer: Writer): Sql {
  if (value.type === type) return value;
  if (value.type !== 'any') return asType(NULL_SQL, type, writer);
  const kept = writer.once([value], (text) => `case when vigil_is_${type}(${text}) then ${text} end`);
  return fromAny(sql(kept, 'any'), type, writer);
}

function toBool(value: Sql, writer: Writer): Sql {
  if (value.type === 'bool') return value;
  if (value.type === 'string') {
    return sql(
      writer.once([value], (text) => `case ${text} when 'true' then true when 'false' then false end`),
      'bool',
    );
  }
  if (value.type !== 'any') return asType(NULL_SQL, 'bool', writer);
  const text = sql(
    writer.once([value], (one) => `case when vigil_is_bool(${one}) then ${one} else ${one}->>'$' end`),
    'string',
  );
  return toBool(text, writer);
}

type Conversion = (value: Sql, writer: Writer) => Sql;

const CONVERSIONS: Readonly<Record<ArgumentType, Conversion>> = {
  any: (value) => value,
  string: toText,
  number: toNumber,
  whole: toWhole,
  date: toDate,
  bool: toBool,
  list: (value, writer) => onlyOf('list', value, writer),
  map: (value, writer) => onlyOf('map', value, writer),
  binary: (value, writer) => onlyOf('binary', value, writer),
};

export const convertTo = (type: ArgumentType): Conversion => CONVERSIONS[type];

/** Truth (4.1) as a boolean that is never null. */
export function truth(value: Sql): string {
  if (value.type === 'bool') return `coalesce(${value.text}, false)`;
  if (value.type === 'null') return 'false';
  if (value.parts) {
    const { parts } = value;
    return `(${PART_NAMES.flatMap((name) => parts[name] ?? [])
      .map(truth)
      .join(' or ')})`;
  }
  return value.type === 'any' ? `coalesce(${value.text} <> 'false', false)` : `(${value.text} is not null)`;
}

/** The path is a JSON pointer and a bound value: no name of a field is ever read as a path of its own. */
export function overflowKey(overflow: Sql, name: string, writer: Writer): Sql {
  const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return sql(`nullif(${overflow.text}->${writer.bind(pointer).text}, 'null')`, 'any');
}
