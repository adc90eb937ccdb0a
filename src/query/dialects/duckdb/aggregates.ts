// Aggregates (10) in SQL. Null values of the argument are ignored by DuckDB's own, as the language wants it.

import type { Sql, SqlScope } from '#query/dialects/dialect.ts';
import { LIST_MOST, SQUARED_MOST } from '#query/evaluate/aggregates.ts';
import { failureText } from '#query/evaluate/failures.ts';
import type { AggregateCall } from '#query/expression.ts';
import { Compiler } from './compiler.ts';
import { toAny, toDouble, toNumber } from './convert.ts';
import { sql } from './writer.ts';

/** What an aggregate is written from. */
interface Given {
  readonly call: AggregateCall;
  readonly compiler: Compiler;
  /** The first argument, unconverted. */
  readonly value: Sql;
}

export function aggregateSql(call: AggregateCall, scope: SqlScope): Sql {
  const compiler = new Compiler(scope);
  const [first] = call.args;
  const value = first ? known(compiler.whole(first)) : sql('*', 'any');
  const write = AGGREGATES[call.called.name];
  if (!write) throw new Error(`${call.called.name} has no SQL`);
  return write({ call, compiler, value });
}

/** Also of what is always null: without an aggregate of SQL the statement would be none of groups. */
const known = (value: Sql): Sql => (value.type === 'null' ? { text: 'null::json', type: 'any', isPlain: true } : value);

const double = ({ value, compiler }: Given): string => toDouble(value, compiler).text;

const spread = (name: 'var_pop' | 'stddev_pop', given: Given): Sql => {
  const x = double(given);
  const within = `${name}(${x}) filter (where abs(${x}) < ${SQUARED_MOST})`;
  return sql(`case when max(abs(${x})) < ${SQUARED_MOST} then ${within} end`, 'double');
};

const AGGREGATES: Readonly<Record<string, (given: Given) => Sql>> = {
  count: ({ value }) => sql(`count(${value.text})`, 'long'),
  sum,
  avg: (given) => sql(`vigil_finite(avg(${double(given)}))`, 'double'),
  min: (given) => extreme(given, 'min'),
  max: (given) => extreme(given, 'max'),
  first: (given) => atEnd(given, 'first'),
  last: (given) => atEnd(given, 'last'),
  dc: (given) => distinctCount(given),
  // DuckDB's own estimate may be off by more than the 5 % that are allowed.
  estdc: (given) => distinctCount(given),
  values: valueList,
  array: (given) => {
    const { value, compiler } = given;
    const order = compiler.scope.order ? ` order by ${compiler.scope.order}` : '';
    return listed(given, `list(${toAny(value, compiler).text}${order})${where(value)}`);
  },
  stddev: (given) => spread('stddev_pop', given),
  var: (given) => spread('var_pop', given),
  median: (given) => percentile(given, 50, 'linear'),
  percentile(given) {
    const { call, compiler } = given;
    const [, percent, how] = call.args;
    const share = percent ? Number(compiler.constant(percent)) : 50;
    return percentile(given, share, how ? String(compiler.constant(how)) : 'linear');
  },
  corr: (given) => paired(given, (x, y) => `corr(${y}, ${x})`),
  cov: (given) => paired(given, (x, y) => `covar_pop(${y}, ${x})`),
  slope: (given) => paired(given, (x, y) => `regr_slope(${y}, ${x})`),
};

const distinctCount = ({ value, compiler }: Given): Sql =>
  sql(`count(distinct ${groupKey(value, compiler)})${where(value)}`, 'long');

const where = ({ text }: Sql): string => ` filter (where ${text} is not null)`;

/** Of longs a long, null beyond 64 bits; where only the rows tell, one double makes it a double. */
function sum(given: Given): Sql {
  const { compiler } = given;
  const value = known(toNumber(given.value, compiler));
  if (value.type === 'long') return sql(`try_cast(coalesce(sum(${value.text}), 0) as bigint)`, 'long');
  if (value.type === 'double') return sql(`vigil_finite(coalesce(sum(${value.text}), 0))`, 'double');
  const doubles = `to_json(vigil_finite(sum(try_cast(${value.text}::varchar as double))))`;
  const long = compiler.macro('any_long', [value]);
  const longs = `to_json(try_cast(coalesce(sum(${long}), 0) as bigint))`;
  return sql(`case when count(${value.text}) = count(${long}) then ${longs} else ${doubles} end`, 'any');
}

const hasOwnOrder = ({ type }: Sql): boolean => !['any', 'list', 'map', 'null'].includes(type);

/** By 3.4: of one simple type by DuckDB's own order, else by a key. */
function extreme({ value, compiler }: Given, name: 'min' | 'max'): Sql {
  if (hasOwnOrder(value)) return sql(`${name}(${value.text})`, value.type);
  const key = compiler.macro('key', [value], compiler.zone);
  return sql(`arg_${name}(${value.text}, ${key})${where(value)}`, value.type);
}

function atEnd({ value, compiler }: Given, name: 'first' | 'last'): Sql {
  const order = compiler.scope.order ? ` order by ${compiler.scope.order}` : '';
  return sql(`${name}(${value.text}${order})${where(value)}`, value.type);
}

const groupKey = (value: Sql, compiler: Compiler): string =>
  hasOwnOrder(value) ? value.text : compiler.macro('key', [toAny(value, compiler)], compiler.zone);

/** At most as many as written; without a number the ceiling ends the run. */
function listed({ call, compiler }: Given, list: string): Sql {
  const [, most] = call.args;
  if (most) {
    return sql(
      `coalesce(to_json(list_slice(${list}, 1, ${compiler.bind(compiler.constant(most)).text})), '[]')`,
      'list',
    );
  }
  const text = compiler.once(
    [sql(list, 'list')],
    (l) =>
      `case when len(${l}) > ${LIST_MOST} then error('${failureText(93011, LIST_MOST)}') else coalesce(to_json(${l}), '[]') end`,
  );
  return sql(text, 'list');
}

/** The host sorts values of several types; it gets each text once. */
function valueList(given: Given): Sql {
  const { value, compiler } = given;
  if (hasOwnOrder(value)) {
    const sorted = `list_sort(list(distinct ${value.text})${where(value)})`;
    const item = compiler.variable();
    const json = toAny({ text: item, type: value.type, isPlain: true }, compiler).text;
    return listed(given, `list_transform(${sorted}, lambda ${item}: ${json})`);
  }
  const all = sql(`coalesce(to_json(list(distinct ${value.text})${where(value)}), '[]')`, 'list');
  return listed(given, `${compiler.host('values', [all], 'list').text}::json[]`);
}

/** The number at position (k - 1) * p / 100 among k sorted ones. */
function percentile(given: Given, percent: number, how: string): Sql {
  const x = double(given);
  const { compiler } = given;
  if (how === 'linear') return sql(`vigil_finite(quantile_cont(${x}, ${compiler.bind(percent / 100).text}))`, 'double');
  const position = (l: string) => `((len(${l}) - 1) * ${compiler.bind(percent).text} / 100)`;
  const text = compiler.once([sql(`list_sort(list(${x}) filter (where ${x} is not null))`, 'list')], (l = '') => {
    const low = `${l}[floor(${position(l)})::bigint + 1]`;
    const high = `${l}[ceil(${position(l)})::bigint + 1]`;
    if (how === 'lower') return low;
    if (how === 'higher') return high;
    if (how === 'midpoint') return `(${low} + (${high} - ${low}) / 2)`;
    return `if(${position(l)} - floor(${position(l)}) <= 0.5, ${low}, ${high})`;
  });
  return sql(text, 'double');
}

function paired({ call, compiler, value }: Given, write: (x: string, y: string) => string): Sql {
  const [, second] = call.args;
  const x = toDouble(value, compiler).text;
  const y = second ? toDouble(compiler.whole(second), compiler).text : 'null::double';
  const isWithin = `abs(${x}) < ${SQUARED_MOST} and abs(${y}) < ${SQUARED_MOST}`;
  return sql(`vigil_finite(${write(x, y)} filter (where ${isWithin}))`, 'double');
}
