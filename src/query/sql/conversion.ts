// Conversions (3.2) in SQL, chosen by the static type of the value.

import type { ArgumentType } from '#query/model/function.ts';
import type { Sql, SqlType } from './scope.ts';
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

/** SQL of `string()`. */
export function toText(value: Sql, writer: Writer): Sql {
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
  return value.type === 'any' ? sql(writer.macro('any_number', [value]), 'any') : NULL_SQL;
}

/** Null also for a number that no double can represent. */
export const nullIfHuge = (value: Sql, writer: Writer): Sql =>
  value.type === 'any' && value.double === undefined ? sql(writer.macro('sound', [value]), 'any') : value;

export function toDouble(value: Sql, writer: Writer): Sql {
  if (value.type === 'double') return value;
  if (value.type === 'number') return { ...value, type: 'double' };
  if (value.double !== undefined) return { text: value.double, type: 'double', isPlain: true };
  if (value.type === 'long') return { ...value, text: `(${value.text})::double`, type: 'double' };
  if (value.type === 'string') return sql(writer.macro('text_double', [value]), 'double');
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
  return value.type === 'any' ? `coalesce(${value.text} <> 'false', false)` : `(${value.text} is not null)`;
}

/** The path is a JSON pointer and a bound value: no name of a field is ever read as a path of its own. */
export function overflowKey(overflow: Sql, name: string, writer: Writer): Sql {
  const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return sql(`nullif(${overflow.text}->${writer.bind(pointer).text}, 'null')`, 'any');
}
