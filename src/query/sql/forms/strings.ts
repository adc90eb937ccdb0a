// SQL of string functions (9.3). DuckDB's own functions count code points too.

import { type Call, childrenOf, type Expression } from '#query/model/expression.ts';
import { asType, toAny, toText, toWhole } from '#query/sql/conversion.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import { isForLocal, namedGroupsRewritten, replacementRewritten } from '#query/sql/patterns.ts';
import type { Sql } from '#query/sql/scope.ts';
import { sql } from '#query/sql/writer.ts';
import { MAX_TEXT_BYTES, TEXT_TOO_LONG } from '#query/values/failures.ts';
import { regexOf } from '#query/values/regexes/regexes.ts';
import { argumentAt, charsetAt, compiled, constantAt, wordAt } from './arguments.ts';
import { limitedBy } from './element-limits.ts';
import type { Forms } from './form.ts';

const textAt = (call: Call, index: number, compiler: ExpressionCompiler) =>
  toText(argumentAt(call, index, compiler), compiler);
const wholeAt = (call: Call, index: number, compiler: ExpressionCompiler) =>
  toWhole(argumentAt(call, index, compiler), compiler);

/** A position after the end of every text. */
const END = 9_223_372_036_854_775_807n;

export const strings: Forms = {
  concat(call, compiler) {
    const texts = compiled(call, compiler).map((value) => toText(value, compiler).text);
    return sql(notTooLong(`concat(${texts.join(', ')})`, call, compiler), 'string');
  },

  replace(call, compiler) {
    if (call.args.length > 3) return replacedByRegex(call, compiler);
    const from = textAt(call, 1, compiler);
    const to = textAt(call, 2, compiler);
    const written = compiler.once([textAt(call, 0, compiler), from, to], (s = '', f = '', t = '') => {
      const replaced = growing(`replace(${s}, ${f}, ${t})`, s, { from: f, to: t });
      return `case when ${f} = '' and ${t} is not null then ${s} else ${replaced} end`;
    });
    return sql(written, 'string');
  },

  split(call, compiler) {
    const delimiter = constantAt(call, 1, compiler);
    if (delimiter === null) return asType(compiler.bind(null), 'list', compiler);
    const values = [textAt(call, 0, compiler), textAt(call, 1, compiler)];
    const most = call.args.length > 2 ? [wholeAt(call, 2, compiler)] : [];
    const isForDuckdb = most.length === 0 && delimiter !== undefined && delimiter !== '';
    const written = compiler.once([...values, ...most], (s = '', d = '', i) => {
      const locally = () => {
        const texts = [s, d].map((text): Sql => ({ text, type: 'string', isPlain: true }));
        const count: Sql[] = i === undefined ? [] : [{ text: i, type: 'long', isPlain: true }];
        return compiler.local('split', [...texts, ...count], 'list').text;
      };
      const made = isForDuckdb ? `to_json(str_split(${s}, ${d}))` : locally();
      // Without a delimiter there is one piece.
      const delimiters = `(strlen(${s}) - strlen(replace(${s}, ${d}, ''))) // greatest(strlen(${d}), 1)`;
      // DuckDB's least() ignores null, so a null text would count as its maximum of pieces.
      const pieces =
        i === undefined ? `(${delimiters} + 1)` : `least(coalesce(${delimiters}, 0) + 1, greatest(${i}, 1))`;
      return limitedBy(`(strlen(${s}) + 1)`, made, pieces, compiler);
    });
    return sql(written, 'list');
  },

  substr(call, compiler) {
    const end = call.args.length > 2 ? wholeAt(call, 2, compiler) : compiler.bind(END);
    return sql(compiler.macro('substr', [textAt(call, 0, compiler), wholeAt(call, 1, compiler), end]), 'string');
  },

  left: (call, compiler) => sql(`left(${textAt(call, 0, compiler).text}, ${atLeastZero(call, compiler)})`, 'string'),
  right: (call, compiler) => sql(`right(${textAt(call, 0, compiler).text}, ${atLeastZero(call, compiler)})`, 'string'),

  len(call, compiler) {
    const value = argumentAt(call, 0, compiler);
    if (value.type === 'binary') return sql(`coalesce(octet_length(${value.text}), 0)`, 'long');
    if (value.type === 'list') return sql(`coalesce(json_array_length(${value.text})::bigint, 0)`, 'long');
    if (value.type !== 'any' && value.type !== 'map')
      return sql(`coalesce(length(${toText(value, compiler).text}), 0)`, 'long');
    const text = compiler.once(
      [toAny(value, compiler)],
      (j) => `coalesce(case when vigil_is_list(${j}) then json_array_length(${j})::bigint
      when vigil_is_map(${j}) then len(json_keys(${j})) when vigil_is_binary(${j}) then octet_length(from_base64(${j}->>'$.$binary'))
      else length(vigil_any_text(${j}, ${compiler.zone})) end, 0)`,
    );
    return sql(text, 'long');
  },

  lower: (call, compiler) => sql(`lower(${textAt(call, 0, compiler).text})`, 'string'),
  upper: (call, compiler) => sql(compiler.macro('upper', [textAt(call, 0, compiler)]), 'string'),
  trim: (call, compiler) =>
    sql(`trim(${textAt(call, 0, compiler).text}, ' ' || chr(9) || chr(10) || chr(13))`, 'string'),

  lpad: (call, compiler) => padded(call, compiler, (s, pad) => `${pad} || ${s}`),
  rpad: (call, compiler) => padded(call, compiler, (s, pad) => `${s} || ${pad}`),

  indexof(call, compiler) {
    const from = call.args.length > 2 ? wholeAt(call, 2, compiler) : compiler.bind(0n);
    return sql(compiler.macro('indexof', [textAt(call, 0, compiler), textAt(call, 1, compiler), from]), 'long');
  },

  lastindexof(call, compiler) {
    const sub = constantAt(call, 1, compiler);
    // Pieces between occurrences that overlap would hide the last one.
    if (typeof sub !== 'string' || sub === '' || overlapsItself(sub)) return undefined;
    const text = textAt(call, 0, compiler);
    const bound = compiler.bind(sub);
    if (call.args.length < 3) return sql(compiler.macro('lastindexof', [text, bound]), 'long');
    const written = compiler.once([text, wholeAt(call, 2, compiler)], (s = '', i = '') => {
      const before = sql(`left(${s}, least(${i}, length(${s})) + length(${bound.text}))`, 'string');
      return `case when ${i} < 0 and ${s} is not null then -1 when ${i} is not null then ${compiler.macro('lastindexof', [before, bound])} end`;
    });
    return sql(written, 'long');
  },

  urlencode(call, compiler) {
    if (charsetAt(call, 1, compiler) !== 'utf-8') return undefined;
    return sql(`url_encode(${textAt(call, 0, compiler).text})`, 'string');
  },

  urldecode(call, compiler) {
    const charset = charsetAt(call, 1, compiler);
    if (charset === null) return asType(compiler.bind(null), 'string', compiler);
    const value = textAt(call, 0, compiler);
    const text = compiler.once([value], (s) => {
      const args = [{ ...value, text: s, isPlain: true as const }, compiler.bind(charset)];
      return `case when contains(${s}, '%') then ${compiler.local('urldecode', args, 'string').text} else ${s} end`;
    });
    return sql(text, 'string');
  },

  guid: () => sql('uuid()::varchar', 'string'),
};

/** True if a proper beginning of the text is also its end. */
function overlapsItself(text: string): boolean {
  for (let length = 1; length < text.length; length += 1) {
    if (text.endsWith(text.slice(0, length))) return true;
  }
  return false;
}

/**
 * A text that is doubled twenty times has a megabyte, and DuckDB makes two thousand of them before it checks memory, so
 * the lengths of the source columns are checked first.
 */
function notTooLong(text: string, call: Call, compiler: ExpressionCompiler): string {
  const lengths = textColumns(call).map((field) => `coalesce(strlen(${compiler.compile(field).text}::varchar), 0)`);
  if (lengths.length < 2) return text;
  return `case when ${lengths.join(' + ')} > ${MAX_TEXT_BYTES} then error('${TEXT_TOO_LONG}') else ${text} end`;
}

/**
 * DuckDB cannot be interrupted while it makes a text, so the result of a replacement that could exceed the limit is
 * measured first. A text that is already longer may keep its length.
 */
function growing(replaced: string, text: string, { from, to }: { from: string; to: string }): string {
  const most = `greatest(${MAX_TEXT_BYTES}, strlen(${text}))`;
  const count = `(strlen(${text}) - strlen(replace(${text}, ${from}, ''))) // strlen(${from})`;
  const grown = (times: string) => `strlen(${text}) + (${times}) * (strlen(${to}) - strlen(${from})) > ${most}`;
  return `case when ${grown(`strlen(${text}) // strlen(${from})`)}
    then case when ${grown(count)} then error('${TEXT_TOO_LONG}') else ${replaced} end else ${replaced} end`;
}

/** A column that is read repeatedly occurs repeatedly. */
function textColumns(expression: Expression): Expression[] {
  const isText = expression.kind === 'field' && ['string', 'any'].includes(expression.type);
  if (isText && expression.source?.kind === 'column') return [expression];
  return childrenOf(expression).flatMap(textColumns);
}

const atLeastZero = (call: Call, compiler: ExpressionCompiler): string => {
  const count = wholeAt(call, 1, compiler);
  return compiler.once([count], (n) => `case when ${n} is not null then greatest(0, least(${n}, 2147483647)) end`);
};

function padded(call: Call, compiler: ExpressionCompiler, join: (s: string, pad: string) => string) {
  const pad = call.args.length > 2 ? textAt(call, 2, compiler) : compiler.bind(' ');
  const values = [textAt(call, 0, compiler), wholeAt(call, 1, compiler), pad];
  return sql(
    compiler.once(values, (s, n, p) => `(${join(s ?? '', `vigil_pad(${s}, ${n}, ${p})`)})`),
    'string',
  );
}

/** Only for a constant replacement, whose captures are rewritten in the syntax of DuckDB. */
function replacedByRegex(call: Call, compiler: ExpressionCompiler) {
  const pattern = wordAt(call, 1, compiler);
  const replacement = constantAt(call, 2, compiler);
  if (pattern === null || replacement === null || wordAt(call, 3, compiler) === null) {
    return asType(compiler.bind(null), 'string', compiler);
  }
  if (replacement === undefined || isForLocal(pattern)) return undefined;
  const groups = regexOf(pattern).groupCount();
  const to = compiler.bind(replacementRewritten(wordAt(call, 2, compiler) ?? '', groups));
  const from = compiler.bind(namedGroupsRewritten(pattern));
  // A text that could grow beyond the limit goes to the local evaluator, which measures while it replaces.
  const most = Math.floor(MAX_TEXT_BYTES / (2 * Math.max(1, `${replacement}`.length)));
  const value = textAt(call, 0, compiler);
  const written = compiler.once([value], (s = '') => {
    const locally = compiler.local(
      call.called.name,
      [{ ...value, text: s, isPlain: true }, ...compiled(call, compiler).slice(1)],
      'string',
    );
    return `case when strlen(${s}) > ${most} then ${locally.text} else regexp_replace(${s}, ${from.text}, ${to.text}, 'g') end`;
  });
  return sql(written, 'string');
}
