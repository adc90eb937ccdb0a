// Aggregates (10) in SQL. Null values of the argument are ignored by DuckDB's own, as the language wants it.

import type { AggregateCall, Expression } from '#query/model/expression.ts';
import { MAX_LIST, MAX_SQUARED } from '#query/values/aggregates.ts';
import { failureText } from '#query/values/failures.ts';
import { Compiler } from './compiler.ts';
import { nullIfHuge, toAny, toDouble, toNumber } from './conversion.ts';
import type { Sql, SqlScope } from './scope.ts';
import { sql } from './writer.ts';

/** What an aggregate is written from. */
interface RawValue {
  readonly call: AggregateCall;
  readonly compiler: Compiler;
  /** The first argument, unconverted. */
  readonly value: Sql;
  /** What stands behind every call. */
  readonly over: string;
}

export function aggregateSql(call: AggregateCall, scope: SqlScope): Sql {
  const compiler = new Compiler(scope);
  const [first] = call.args;
  const value = first ? known(validArgument(call, first, compiler)) : sql('*', 'any');
  const write = AGGREGATES[call.called.name];
  if (!write) throw new Error(`${call.called.name} has no SQL`);
  return write({ call, compiler, value, over: scope.window === undefined ? '' : ` over ${scope.window}` });
}

/** Those that make numbers of their values pass over what is none. */
function validArgument({ called }: AggregateCall, argument: Expression, compiler: Compiler): Sql {
  const value = compiler.whole(argument);
  if (called.args[0]?.type === 'number') return value;
  // Groups read what is written twice once, and a list for each value would cost them more.
  return nullIfHuge(argument.kind === 'field' ? { ...value, isPlain: true } : value, compiler);
}

/** Also of what is always null: without an aggregate of SQL the statement would be none of groups. */
const known = (value: Sql): Sql => (value.type === 'null' ? { text: 'null::json', type: 'any', isPlain: true } : value);

const double = ({ value, compiler }: RawValue): string => toDouble(value, compiler).text;

const spread = (name: 'var_pop' | 'stddev_pop', given: RawValue): Sql => {
  const x = double(given);
  const within = `${name}(${x}) filter (where abs(${x}) < ${MAX_SQUARED})${given.over}`;
  return sql(`case when max(abs(${x}))${given.over} < ${MAX_SQUARED} then ${within} end`, 'double');
};

const AGGREGATES: Readonly<Record<string, (given: RawValue) => Sql>> = {
  count: ({ value, over }) => sql(`count(${value.text})${over}`, 'long'),
  sum,
  avg: (given) => sql(`vigil_finite(avg(${double(given)})${given.over})`, 'double'),
  min: (given) => extreme(given, 'min'),
  max: (given) => extreme(given, 'max'),
  first: (given) => atEnd(given, 'first'),
  last: (given) => atEnd(given, 'last'),
  dc: (given) => distinctCount(given),
  // DuckDB's own estimate may be off by more than the 5 % that are allowed.
  estdc: (given) => distinctCount(given),
  values: valueList,
  array: (given) => {
    const { value, compiler, over } = given;
    return listed(given, `list(${toAny(value, compiler).text}${orderOf(given)})${where(value)}${over}`);
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

const distinctCount = ({ value, compiler, over }: RawValue): Sql =>
  sql(`count(distinct ${groupKey(value, compiler)})${where(value)}${over}`, 'long');

/** A window is in order by itself. */
const orderOf = ({ compiler: { scope }, over }: RawValue): string =>
  scope.order === undefined || over !== '' ? '' : ` order by ${scope.order}`;

const where = ({ text }: Sql): string => ` filter (where ${text} is not null)`;

/** Of longs a long, null beyond 64 bits; where only the rows tell, one double makes it a double. */
function sum(given: RawValue): Sql {
  const { compiler, over } = given;
  const value = known(toNumber(given.value, compiler));
  if (value.type === 'long') return sql(`try_cast(coalesce(sum(${value.text})${over}, 0) as bigint)`, 'long');
  if (value.type === 'double') return sql(`vigil_finite(coalesce(sum(${value.text})${over}, 0))`, 'double');
  const doubles = `to_json(vigil_finite(sum(vigil_finite(try_cast(${value.text}::varchar as double)))${over}))`;
  const long = compiler.macro('any_long', [value]);
  const longs = `to_json(try_cast(coalesce(sum(${long})${over}, 0) as bigint))`;
  const areLong = `count(${value.text})${over} = count(${long})${over}`;
  return sql(`case when ${areLong} then ${longs} else ${doubles} end`, 'any');
}

const hasOwnOrder = ({ type }: Sql): boolean => !['any', 'list', 'map', 'null'].includes(type);

/** By 3.4: of one simple type by DuckDB's own order, else by a key. */
function extreme({ value, compiler, over }: RawValue, name: 'min' | 'max'): Sql {
  if (hasOwnOrder(value)) return sql(`${name}(${value.text})${over}`, value.type);
  const key = compiler.macro('key', [value], compiler.zone);
  return sql(`arg_${name}(${value.text}, ${key})${where(value)}${over}`, value.type);
}

function atEnd(given: RawValue, name: 'first' | 'last'): Sql {
  const { value, over } = given;
  if (over !== '') return sql(`${name}_value(${value.text} ignore nulls)${over}`, value.type);
  return sql(`${name}(${value.text}${orderOf(given)})${where(value)}`, value.type);
}

const groupKey = (value: Sql, compiler: Compiler): string =>
  hasOwnOrder(value) ? value.text : compiler.macro('key', [toAny(value, compiler)], compiler.zone);

/** At most as many as written; without a number the ceiling ends the run. */
function listed({ call, compiler }: RawValue, list: string): Sql {
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
      `case when len(${l}) > ${MAX_LIST} then error('${failureText(93011, MAX_LIST)}') else coalesce(to_json(${l}), '[]') end`,
  );
  return sql(text, 'list');
}

/** The host sorts values of several types; it gets each text once. */
function valueList(given: RawValue): Sql {
  const { value, compiler } = given;
  if (hasOwnOrder(value)) {
    const sorted = `list_sort(${distinctList(given)})`;
    const item = compiler.variable();
    const json = toAny({ text: item, type: value.type, isPlain: true }, compiler).text;
    return listed(given, `list_transform(${sorted}, lambda ${item}: ${json})`);
  }
  const all = sql(`coalesce(to_json(${distinctList(given)}), '[]')`, 'list');
  return listed(given, `${compiler.host('values', [all], 'list').text}::json[]`);
}

/** DuckDB makes distinct values of windows in memory for all of them at once, so there they are told apart afterwards. */
function distinctList({ value, over }: RawValue): string {
  if (over === '') return `list(distinct ${value.text})${where(value)}`;
  return `list_distinct(list(${value.text})${where(value)}${over})`;
}

/** The number at position (k - 1) * p / 100 among k sorted ones. */
function percentile(given: RawValue, percent: number, how: string): Sql {
  const x = double(given);
  const { compiler, over } = given;
  if (how === 'linear') {
    return sql(`vigil_finite(quantile_cont(${x}, ${compiler.bind(percent / 100).text})${over})`, 'double');
  }
  const position = (l: string) => `((len(${l}) - 1) * ${compiler.bind(percent).text} / 100)`;
  const text = compiler.once(
    [sql(`list_sort(list(${x}) filter (where ${x} is not null)${over})`, 'list')],
    (l = '') => {
      const low = `${l}[floor(${position(l)})::bigint + 1]`;
      const high = `${l}[ceil(${position(l)})::bigint + 1]`;
      if (how === 'lower') return low;
      if (how === 'higher') return high;
      if (how === 'midpoint') return `(${low} + (${high} - ${low}) / 2)`;
      return `if(${position(l)} - floor(${position(l)}) <= 0.5, ${low}, ${high})`;
    },
  );
  return sql(text, 'double');
}

function paired({ call, compiler, value, over }: RawValue, write: (x: string, y: string) => string): Sql {
  const [, second] = call.args;
  const x = toDouble(value, compiler).text;
  const y = second ? toDouble(compiler.whole(second), compiler).text : 'null::double';
  const isWithin = `abs(${x}) < ${MAX_SQUARED} and abs(${y}) < ${MAX_SQUARED}`;
  return sql(`vigil_finite(${write(x, y)} filter (where ${isWithin})${over})`, 'double');
}
