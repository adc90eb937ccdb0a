// SQL of aggregates (10). DuckDB's aggregates ignore null values of the argument, as the language requires.

import type { AggregateCall, Expression } from '#query/model/expression.ts';
import { MAX_LIST, MAX_SQUARED } from '#query/values/aggregates.ts';
import { failureText } from '#query/values/failures.ts';
import { Compiler } from './compiler.ts';
import { firstOf, nullIfHuge, toAny, toDouble, toNumber } from './conversion.ts';
import { isThere, partsIn } from './mixed.ts';
import type { MixedParts, Sql, SqlScope } from './scope.ts';
import { sql } from './writer.ts';

/** The parts of an aggregate call that its SQL is built from. */
interface AggregateInput {
  readonly call: AggregateCall;
  readonly compiler: Compiler;
  /** The first argument, unconverted. */
  readonly value: Sql;
  /** The window clause after every aggregate call; empty for groups. */
  readonly over: string;
}

export function aggregateSql(call: AggregateCall, scope: SqlScope): Sql {
  const write = AGGREGATES[call.called.name];
  if (!write) throw new Error(`${call.called.name} has no SQL`);
  return write(inputOf(call, scope));
}

function inputOf(call: AggregateCall, scope: SqlScope): AggregateInput {
  const compiler = new Compiler(scope);
  const [first] = call.args;
  const value = first ? known(validArgument(call, first, compiler)) : sql('*', 'any');
  return { call, compiler, value, over: scope.window === undefined ? '' : ` over ${scope.window}` };
}

/** What the list of one row holds, of an aggregate that makes a list of all values of its window. */
export interface ListInWindow {
  /** Elements of a list that the row keeps whole. */
  readonly elements: string;
  readonly bytes: string;
}

/** Beside the bytes of a text. */
const ELEMENT_BYTES = 16;

/** Undefined for an aggregate that makes no list. */
export function listInWindow(call: AggregateCall, scope: SqlScope): ListInWindow | undefined {
  const [, second, how] = call.args;
  const isKept = ['array', 'values'].includes(call.called.name);
  const isSorted = call.called.name === 'percentile' && how !== undefined;
  if (!isKept && !isSorted) return undefined;
  const { value, over } = inputOf(call, scope);
  const count = `count(${value.text})${over}`;
  const texts = hasOwnOrder(value) && value.type !== 'string' ? '0' : `sum(strlen(${value.text}::varchar))${over}`;
  return {
    elements: isKept && !second ? count : '0',
    bytes: `${count} * ${ELEMENT_BYTES} + coalesce(${texts}, 0)`,
  };
}

/** Aggregates of numbers convert the argument later, and skip values that are no numbers. */
function validArgument({ called }: AggregateCall, argument: Expression, compiler: Compiler): Sql {
  const value = compiler.whole(argument);
  if (called.args[0]?.type === 'number') return value;
  // In groups DuckDB computes a repeated field once; the list of `once` would cost more per value.
  return nullIfHuge(argument.kind === 'field' ? { ...value, isPlain: true } : value, compiler);
}

/** A null argument stays in the SQL: without an aggregate call the statement would not group. */
const known = (value: Sql): Sql => (value.type === 'null' ? { text: 'null::json', type: 'any', isPlain: true } : value);

const double = ({ value, compiler }: AggregateInput): string => toDouble(value, compiler).text;

const spread = (name: 'var_pop' | 'stddev_pop', input: AggregateInput): Sql => {
  const x = double(input);
  const within = `${name}(${x}) filter (where abs(${x}) < ${MAX_SQUARED})${input.over}`;
  return sql(`case when max(abs(${x}))${input.over} < ${MAX_SQUARED} then ${within} end`, 'double');
};

const AGGREGATES: Readonly<Record<string, (input: AggregateInput) => Sql>> = {
  count({ value, over }) {
    const counted = value.parts ? partsIn(value.parts).map(({ text }) => text) : [value.double ?? value.text];
    return sql(counted.map((text) => `count(${text})${over}`).join(' + '), 'long');
  },
  sum,
  avg: (input) => sql(`vigil_finite(avg(${double(input)})${input.over})`, 'double'),
  min: (input) => extreme(input, 'min'),
  max: (input) => extreme(input, 'max'),
  first: (input) => atEnd(input, 'first'),
  last: (input) => atEnd(input, 'last'),
  dc: (input) => distinctCount(input),
  // DuckDB's estimate may differ by more than the allowed 5 %.
  estdc: (input) => distinctCount(input),
  values: valueList,
  array: (input) => {
    const { value, compiler, over } = input;
    return listed(input, `list(${toAny(value, compiler).text}${orderOf(input)})${where(value)}${over}`);
  },
  stddev: (input) => spread('stddev_pop', input),
  var: (input) => spread('var_pop', input),
  median: (input) => percentile(input, 50, 'linear'),
  percentile(input) {
    const { call, compiler } = input;
    const [, percent, how] = call.args;
    const share = percent ? Number(compiler.constant(percent)) : 50;
    return percentile(input, share, how ? String(compiler.constant(how)) : 'linear');
  },
  corr: (input) => paired(input, (x, y) => `corr(${y}, ${x})`),
  cov: (input) => paired(input, (x, y) => `covar_pop(${y}, ${x})`),
  slope: (input) => paired(input, (x, y) => `regr_slope(${y}, ${x})`),
  'first-quartile': (input) => quartile(input, 1),
  'second-quartile': (input) => quartile(input, 2),
  'third-quartile': (input) => quartile(input, 3),
  'pair-count'({ call, compiler, value, over }) {
    const [, second] = call.args;
    const y = second ? toDouble(compiler.whole(second), compiler).text : 'null::double';
    return sql(`regr_count(${y}, ${toDouble(value, compiler).text})${over}::bigint`, 'long');
  },
  intercept: (input) => paired(input, (x, y) => `regr_intercept(${y}, ${x})`),
  'r-squared': (input) => composed(input, (of) => `pow(${of((x, y) => `corr(${y}, ${x})`)}, 2)`),
  'standard-error': (input) =>
    composed(input, (of) => {
      const sums = ['count', 'sxx', 'syy', 'sxy'].map((sum) =>
        sql(
          of((x, y) => `regr_${sum}(${y}, ${x})`),
          'double',
        ),
      );
      return input.compiler.once(sums, (count, sxx, syy, sxy) => {
        // Of points on a line the difference is rounding alone.
        const squares = `${syy} - ${sxy} / ${sxx} * ${sxy}`;
        const left = `case when ${squares} > ${syy} * ${ROUNDING} then ${squares} when ${sxx} > 0 then 0 end`;
        return `case when ${count} > 2 then sqrt((${left}) / (${count} - 2)) end`;
      });
    }),
};

/** Relative to the squares of all values. */
const ROUNDING = '1e-14';

/** Equal calls are one: DuckDB sorts the values once for all three. */
function quartile(input: AggregateInput, index: 1 | 2 | 3): Sql {
  const all = `quantile_cont(${double(input)}, [0.25, 0.5, 0.75])${input.over}`;
  return sql(`vigil_finite((${all})[${index}])`, 'double');
}

function distinctCount({ value, compiler, over }: AggregateInput): Sql {
  const { parts } = value;
  if (parts && !parts.other) {
    return sql(
      partsIn(parts)
        .map(({ text }) => `count(distinct ${text})${over}`)
        .join(' + '),
      'long',
    );
  }
  return sql(`count(distinct ${groupKey(value, compiler)})${where(value)}${over}`, 'long');
}

/** A window has its own order. */
const orderOf = ({ compiler: { scope }, over }: AggregateInput): string =>
  scope.order === undefined || over !== '' ? '' : ` order by ${scope.order}`;

const where = ({ text, double: number, parts }: Sql): string =>
  ` filter (where ${parts ? isThere(parts) : `${number ?? text} is not null`})`;

/**
 * The sum of longs is a long, null beyond 64 bits; if types are known only per row, one double makes the sum a double.
 */
function sum(input: AggregateInput): Sql {
  const { compiler, over } = input;
  if (input.value.parts) return sumOfParts(input.value.parts, compiler, over);
  const value = known(toNumber(input.value, compiler));
  if (value.type === 'long') return sql(`try_cast(coalesce(sum(${value.text})${over}, 0) as bigint)`, 'long');
  if (value.type === 'double') return sql(`vigil_finite(coalesce(sum(${value.text})${over}, 0))`, 'double');
  if (value.double !== undefined) return sumOfNumbers(value.double, over);
  const doubles = `to_json(vigil_finite(sum(vigil_finite(try_cast(${value.text}::varchar as double)))${over}))`;
  const long = compiler.macro('any_long', [value]);
  const longs = `to_json(try_cast(coalesce(sum(${long})${over}, 0) as bigint))`;
  const areLong = `count(${value.text})${over} = count(${long})${over}`;
  return sql(`case when ${areLong} then ${longs} else ${doubles} end`, 'any');
}

/** The sum of whole numbers is exact, and a single fraction makes it a double. */
function sumOfNumbers(x: string, over: string): Sql {
  const long = `case when ${x} = trunc(${x}) then ${x}::bigint end`;
  const longs = `to_json(try_cast(coalesce(sum(${long})${over}, 0) as bigint))`;
  const doubles = `to_json(vigil_finite(sum(${x})${over}))`;
  return sql(`case when count(${x})${over} = count(${long})${over} then ${longs} else ${doubles} end`, 'any');
}

/** As `sum`, of each type in its own column. No expression of a row is written twice: DuckDB would compute it twice. */
function sumOfParts(parts: MixedParts, compiler: Compiler, over: string): Sql {
  const numbers = [parts.number, parts.string, parts.other].flatMap((part) =>
    part ? [numbersIn(part, compiler)] : [],
  );
  const sums = numbers.map(({ long }) => `coalesce(sum(${long})${over}, 0)`);
  const total = `to_json(try_cast(${sums.length === 0 ? '0' : sums.join(' + ')} as bigint))`;
  const fractions = numbers.flatMap(({ fraction }) => fraction ?? []);
  if (fractions.length === 0) return sql(total, 'any');
  const huge = numbers.flatMap((one) => one.huge ?? []);
  const sum = [`(${sums.join(' + ')})::double`, ...fractions.map((text) => `coalesce(sum(${text})${over}, 0)`)];
  const doubles = `to_json(vigil_finite(${sum.join(' + ')}))`;
  // Of numbers that no double can represent, and of no others, there is no sum.
  const finite = [...numbers.map(({ long }) => long), ...fractions];
  const areHuge = huge.length === 0 ? '' : `when ${counted(finite, over)} = 0 then null `;
  return sql(
    `case when ${counted([...fractions, ...huge], over)} = 0 then ${total} ${areHuge}else ${doubles} end`,
    'any',
  );
}

const counted = (texts: readonly string[], over: string): string =>
  texts.map((text) => `count(${text})${over}`).join(' + ');

interface Numbers {
  readonly long: string;
  /** The others as doubles; no value is in both. */
  readonly fraction?: string;
  /** Not null for a number that no double can represent. */
  readonly huge?: string;
}

function numbersIn(part: Sql, compiler: Compiler): Numbers {
  const { text: x, type } = part;
  if (type === 'long') return { long: x };
  if (type === 'string')
    return { long: compiler.macro('text_long', [part]), fraction: compiler.macro('text_fraction', [part]) };
  if (type !== 'any')
    return {
      long: `case when ${x} = trunc(${x}) then ${x}::bigint end`,
      fraction: `case when ${x} <> trunc(${x}) then ${x} end`,
    };
  const number = sql(compiler.macro('any_number', [part]), 'any');
  return {
    long: compiler.macro('any_long', [number]),
    fraction: compiler.macro('any_fraction', [number]),
    huge: `case when vigil_is_huge(${number.text}) then true end`,
  };
}

const hasOwnOrder = ({ type }: Sql): boolean => !['any', 'list', 'map', 'null'].includes(type);

/** By 3.4: a simple type by DuckDB's own order, any other by a key. */
function extreme({ value, compiler, over }: AggregateInput, name: 'min' | 'max'): Sql {
  if (hasOwnOrder(value)) return sql(`${name}(${value.text})${over}`, value.type);
  if (value.double !== undefined) return sql(`vigil_of_number(${name}(${value.double})${over})`, 'any');
  if (value.parts && !value.parts.other) return extremeOfParts(value.parts, { compiler, over, name });
  const key = compiler.macro('key', [value], compiler.zone);
  return sql(`arg_${name}(${value.text}, ${key})${where(value)}${over}`, value.type);
}

/** Types have an order: booleans, numbers, texts. */
function extremeOfParts(
  { number, string, bool }: MixedParts,
  { compiler, over, name }: Pick<AggregateInput, 'compiler' | 'over'> & { readonly name: 'min' | 'max' },
): Sql {
  const inOrder = [bool, number, string].flatMap((part) => (part ? [part] : []));
  const extremes = inOrder.map((part) => toAny({ ...part, text: `${name}(${part.text})${over}` }, compiler).text);
  return sql(firstOf(name === 'min' ? extremes : extremes.toReversed()), 'any');
}

function atEnd(input: AggregateInput, name: 'first' | 'last'): Sql {
  const { value, over } = input;
  if (over !== '') return sql(`${name}_value(${value.text} ignore nulls)${over}`, value.type);
  return sql(`${name}(${value.text}${orderOf(input)})${where(value)}`, value.type);
}

const groupKey = (value: Sql, compiler: Compiler): string =>
  hasOwnOrder(value) ? value.text : (value.double ?? compiler.macro('key', [toAny(value, compiler)], compiler.zone));

/** At most as many values as the second argument says; without it, more than the limit end the run. */
function listed({ call, compiler }: AggregateInput, list: string): Sql {
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

/** The local evaluator sorts values of several types; it receives each distinct value once. */
function valueList(input: AggregateInput): Sql {
  const { value, compiler } = input;
  if (hasOwnOrder(value)) {
    const sorted = `list_sort(${distinctList(input)})`;
    const item = compiler.variable();
    const json = toAny({ text: item, type: value.type, isPlain: true }, compiler).text;
    return listed(input, `list_transform(${sorted}, lambda ${item}: ${json})`);
  }
  const all = sql(`coalesce(to_json(${distinctList(input)}), '[]')`, 'list');
  return listed(input, `${compiler.local('values', [all], 'list').text}::json[]`);
}

/**
 * DuckDB keeps the distinct values of all windows in memory at once, so for windows duplicates are removed afterwards.
 */
function distinctList({ value, over }: AggregateInput): string {
  if (over === '') return `list(distinct ${value.text})${where(value)}`;
  return `list_distinct(list(${value.text})${where(value)}${over})`;
}

/** The number at position (k - 1) * p / 100 of k sorted numbers. */
function percentile(input: AggregateInput, percent: number, how: string): Sql {
  const x = double(input);
  const { compiler, over } = input;
  if (how === 'linear') {
    return sql(`vigil_finite(quantile_cont(${x}, ${compiler.bind(percent / 100).text})${over})`, 'double');
  }
  const position = (l: string) => `((len(${l}) - 1) * ${compiler.bind(percent).text} / 100)`;
  const low = (l: string) => `${l}[floor(${position(l)})::bigint + 1]`;
  const high = (l: string) => `${l}[ceil(${position(l)})::bigint + 1]`;
  if (how === 'midpoint') {
    const middle = (a: string, b: string) => `if(isfinite(${b} - ${a}), ${a} + (${b} - ${a}) / 2, ${a} / 2 + ${b} / 2)`;
    return sql(
      compiler.once([sortedList(sql(x, 'double'), over)], (l = '') => middle(low(l), high(l))),
      'double',
    );
  }
  const { list, chosen, type } = sortedNumbers(input);
  const text = compiler.once([list], (l = '') => {
    if (how === 'lower') return low(l);
    return how === 'higher' ? high(l) : `if(${position(l)} - floor(${position(l)}) <= 0.5, ${low(l)}, ${high(l)})`;
  });
  return sql(chosen(`(${text})`), type);
}

const sortedList = ({ text }: Sql, over: string): Sql =>
  sql(`list_sort(list(${text}) filter (where ${text} is not null)${over})`, 'list');

/** The numbers as they are, sorted by value, and the one that is chosen of them: a double would round large longs. */
function sortedNumbers({ value: given, compiler, over }: AggregateInput): {
  readonly list: Sql;
  readonly chosen: (element: string) => string;
  readonly type: 'long' | 'double' | 'any';
} {
  const asItIs = (element: string) => element;
  const value = known(toNumber(given, compiler));
  if (value.type === 'long' || value.type === 'double') {
    return { list: sortedList(value, over), chosen: asItIs, type: value.type };
  }
  if (value.double !== undefined) {
    const list = sortedList(toDouble(value, compiler), over);
    return { list, chosen: (element) => `vigil_of_number(${element})`, type: 'any' };
  }
  const item = compiler.once(
    [nullIfHuge(value, compiler)],
    (j) => `case when ${j} is not null then {k: vigil_key_number(${j}), r: vigil_key_rest(${j}), v: ${j}::varchar} end`,
  );
  return { list: sortedList(sql(item, 'any'), over), chosen: (element) => `${element}.v::json`, type: 'any' };
}

function paired(input: AggregateInput, write: (x: string, y: string) => string): Sql {
  return composed(input, (of) => of(write));
}

/** Of several aggregates of the same pairs; DuckDB computes equal ones once. */
function composed(
  { call, compiler, value, over }: AggregateInput,
  compose: (of: (write: (x: string, y: string) => string) => string) => string,
): Sql {
  const [, second] = call.args;
  const x = toDouble(value, compiler).text;
  const y = second ? toDouble(compiler.whole(second), compiler).text : 'null::double';
  const isWithin = `abs(${x}) < ${MAX_SQUARED} and abs(${y}) < ${MAX_SQUARED}`;
  return sql(`vigil_finite(${compose((write) => `${write(x, y)} filter (where ${isWithin})${over}`)})`, 'double');
}
