// SQL of conversion functions (9.2).

import type { Call } from '#query/model/expression.ts';
import { asType, toAny, toDate, toDouble, toText } from '#query/sql/conversion.ts';
import { type FormatPiece, type ReadFormat, readFormat, strftimePieces } from '#query/sql/date-format.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import { isForLocal, namedGroupsRewritten, searchedPattern } from '#query/sql/patterns.ts';
import type { Sql } from '#query/sql/scope.ts';
import { sql } from '#query/sql/writer.ts';
import { type DateContext, dateContext } from '#query/values/dates/date-format.ts';
import { BASE64 } from '#query/values/formats/tags.ts';
import { regexOf } from '#query/values/regexes/regexes.ts';
import { argumentAt, charsetAt, compiled, wordAt } from './arguments.ts';
import type { Forms } from './form.ts';
import { instantOf } from './moved-dates.ts';

export const conversion: Forms = {
  int: (call, compiler) => {
    const value = whole(argumentAt(call, 0, compiler), compiler);
    const text = compiler.once([value], (one) => `case when ${one} between -2147483648 and 2147483647 then ${one} end`);
    return sql(text, 'long');
  },
  long: (call, compiler) => whole(argumentAt(call, 0, compiler), compiler),

  double(call, compiler) {
    const value = argumentAt(call, 0, compiler);
    if (value.type === 'bool') return sql(`(${value.text})::int::double`, 'double');
    if (value.type !== 'any') return toDouble(value, compiler);
    return sql(
      compiler.once(
        [value],
        (j) => `case when vigil_is_bool(${j}) then (${j} = 'true')::int::double else vigil_any_double(${j}) end`,
      ),
      'double',
    );
  },

  string(call, compiler) {
    if (call.args.length === 1) return toText(argumentAt(call, 0, compiler), compiler);
    const format = wordAt(call, 1, compiler);
    const context = contextOf(call, compiler);
    if (format === null || !context) return asType(compiler.bind(null), 'string', compiler);
    const date = toDate(argumentAt(call, 0, compiler), compiler);
    const pieces = strftimePieces(format, context.locale);
    if (!pieces) return undefined;
    if (pieces.length === 0) return sql(`case when ${date.text} is not null then '' end`, 'string');
    return sql(writtenDate(date, pieces, context.zone, compiler), 'string');
  },

  date(call, compiler) {
    if (call.args.length === 1) return toDate(argumentAt(call, 0, compiler), compiler);
    const context = contextOf(call, compiler);
    const pattern = wordAt(call, 1, compiler);
    const format = context && pattern !== null ? readFormat(pattern, context.locale) : undefined;
    if (!format || !context) return undefined;
    const text = toText(argumentAt(call, 0, compiler), compiler);
    const wall = compiler.once([text], (s = '') => readWall(s, format, compiler));
    return sql(instantOf(wall, context.zone, compiler), 'date');
  },

  epoch(call, compiler) {
    const number = toDouble(argumentAt(call, 0, compiler), compiler);
    return sql(compiler.macro('epoch', [number]), 'date');
  },

  array(call, compiler) {
    const values = compiled(call, compiler).map((value) => toAny(value, compiler).text);
    return sql(`json_array(${values.join(', ')})`, 'list');
  },

  dict(call, compiler) {
    const keys = call.args.filter((_, index) => index % 2 === 0);
    const words = keys.map((_, index) => wordAt(call, index * 2, compiler));
    if (words.includes(null) || new Set(words).size < words.length) return undefined;
    const members = words.map((word, index) => {
      const value = toAny(argumentAt(call, index * 2 + 1, compiler), compiler);
      return `${compiler.bind(word).text}, ${value.text}`;
    });
    return sql(`json_object(${members.join(', ')})`, 'map');
  },

  binary(call, compiler) {
    if (charsetAt(call, 1, compiler) !== 'utf-8') return undefined;
    return sql(`encode(${toText(argumentAt(call, 0, compiler), compiler).text})`, 'binary');
  },

  decode(call, compiler) {
    const value = argumentAt(call, 0, compiler);
    return value.type === 'binary' && charsetAt(call, 1, compiler) === 'utf-8'
      ? sql(
          compiler.tried([value], (x) => `decode(${x})`),
          'string',
        )
      : undefined;
  },

  tohex(call, compiler) {
    const value = argumentAt(call, 0, compiler);
    return hasBytes(value) ? sql(`lower(hex(${value.text}))`, 'string') : undefined;
  },

  fromhex(call, compiler) {
    const value = toText(argumentAt(call, 0, compiler), compiler);
    const text = compiler.once(
      [value],
      (s) => `case when regexp_full_match(${s}, '([0-9a-fA-F]{2})*') then unhex(${s}) end`,
    );
    return sql(text, 'binary');
  },

  tobase64(call, compiler) {
    const value = argumentAt(call, 0, compiler);
    if (!hasBytes(value)) return undefined;
    return sql(value.type === 'binary' ? `to_base64(${value.text})` : `to_base64(encode(${value.text}))`, 'string');
  },

  frombase64(call, compiler) {
    const value = toText(argumentAt(call, 0, compiler), compiler);
    return sql(
      compiler.once([value], (s) => `case when regexp_full_match(${s}, '${BASE64}') then from_base64(${s}) end`),
      'binary',
    );
  },

  hash(call, compiler) {
    const algorithm = HASHES.find((name) => name === wordAt(call, 0, compiler));
    const value = argumentAt(call, 1, compiler);
    return algorithm && hasBytes(value) ? sql(`unhex(${algorithm}(${value.text}))`, 'binary') : undefined;
  },

  md5: (call, compiler) => hexHash('md5', call, compiler),
  sha1: (call, compiler) => hexHash('sha1', call, compiler),
  sha256: (call, compiler) => hexHash('sha256', call, compiler),

  groups(call, compiler) {
    const pattern = wordAt(call, 1, compiler);
    if (pattern === null) return asType(compiler.bind(null), 'list', compiler);
    const count = regexOf(pattern).groupCount();
    if (count > MAX_EXTRACTED || isForLocal(pattern)) return undefined;
    const value = toText(argumentAt(call, 0, compiler), compiler);
    const bound = compiler.bind(namedGroupsRewritten(pattern)).text;
    const searched = compiler.bind(searchedPattern(pattern)).text;
    const text = compiler.once(
      [value],
      (s) => `case when regexp_matches(${s}, ${searched}) then ${captureList(s, bound, count)} end`,
    );
    return sql(text, 'list');
  },
};

/** Undefined if the zone or the locale is null. */
function contextOf(call: Call, compiler: ExpressionCompiler): DateContext | undefined {
  const values = call.args.slice(2).map((_, index) => wordAt(call, index + 2, compiler));
  return values.includes(null) ? undefined : dateContext(values, compiler.scope.run.zone);
}

/** Wall-clock time in microseconds. */
function readWall(s: string, { regex, template, formats, direct }: ReadFormat, compiler: ExpressionCompiler): string {
  const bound = (text: string) => compiler.bind(text).text;
  const fits = bound(regex);
  const rewritten = `regexp_replace(${s}, ${fits}, ${bound(template)})`;
  const read = (text: string, form: string) => `epoch_us(try_strptime(${text}, ${form}))`;
  const first = direct
    ? `when regexp_full_match(${s}, ${bound(direct.regex)}) then ${read(s, bound(direct.format))}`
    : '';
  return `case ${first} when regexp_matches(${s}, ${fits}) then ${read(rewritten, `[${formats.map(bound).join(', ')}]`)} end`;
}

function writtenDate(date: Sql, pieces: readonly FormatPiece[], zone: string, compiler: ExpressionCompiler): string {
  return compiler.once([sql(`epoch_us(${date.text})`, 'long')], (us = '') =>
    compiler.once([sql(compiler.zoneNamed(zone).offset(us), 'long')], (offset = '') => {
      const wall = `make_timestamp(${us} + ${offset})`;
      const written = pieces.map((piece) => {
        if ('format' in piece) return `strftime(${wall}, ${compiler.bind(piece.format).text})`;
        if ('separator' in piece) return `vigil_offset_text(${offset} // 60000000, '${piece.separator}')`;
        const names = piece.names.map((name) => compiler.bind(name).text);
        return `([${names.join(', ')}])[${POSITIONS[piece.part](wall)}]`;
      });
      return `(${written.join(' || ')})`;
    }),
  );
}

/** Of a name among the names, from 1. */
const POSITIONS = {
  weekday: (wall: string) => `isodow(${wall})`,
  half: (wall: string) => `(hour(${wall}) // 12 + 1)`,
} as const;

/** DuckDB extracts groups up to the ninth. */
const MAX_EXTRACTED = 9;
/** The hash functions of DuckDB. */
const HASHES = ['md5', 'sha1', 'sha256'] as const;

function hexHash(name: (typeof HASHES)[number], call: Call, compiler: ExpressionCompiler): Sql | undefined {
  const value = argumentAt(call, 0, compiler);
  return hasBytes(value) ? sql(`${name}(${value.text})`, 'string') : undefined;
}

const hasBytes = ({ type }: Sql): boolean => type === 'string' || type === 'binary';

/** DuckDB needs a constant pattern for a list of group names, so each group is extracted separately. */
function captureList(s: string, pattern: string, count: number): string {
  const groups = Array.from(
    { length: count },
    (_, index) => `nullif(regexp_extract(${s}, ${pattern}, ${index + 1}), '')`,
  );
  return `json_array(${groups.join(', ')})`;
}

/** Strings must be whole numbers; doubles are truncated; booleans are 1 or 0. */
function whole(value: Sql, compiler: ExpressionCompiler): Sql {
  switch (value.type) {
    case 'long':
      return value;
    case 'double':
      return sql(`vigil_trunc_long(${value.text})`, 'long');
    case 'bool':
      return sql(`(${value.text})::bigint`, 'long');
    case 'string':
      return sql(compiler.macro('text_long', [value]), 'long');
    case 'any':
      return sql(
        compiler.once(
          [value],
          (j) => `case when vigil_is_bool(${j}) then (${j} = 'true')::bigint
            when vigil_is_text(${j}) then vigil_text_long(${j}->>'$') else vigil_any_whole(${j}) end`,
        ),
        'long',
      );
    default:
      return asType(compiler.bind(null), 'long', compiler);
  }
}
