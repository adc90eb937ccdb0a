// SQL of tests and conditions (9.1).

import type { Expression } from '#query/model/expression.ts';
import { equality } from '#query/sql/comparison.ts';
import { nullIfHuge, toText } from '#query/sql/conversion.ts';
import type { ExpressionCompiler } from '#query/sql/expression-compiler.ts';
import { localExpression } from '#query/sql/local-expression.ts';
import { isThere, partsIn } from '#query/sql/mixed.ts';
import { isForLocal, searchedPattern, wildcardSql } from '#query/sql/patterns.ts';
import { isNumberType, type MixedParts, type PartName, type Sql } from '#query/sql/scope.ts';
import { sql, test } from '#query/sql/writer.ts';
import { lower } from '#query/values/text/strings.ts';
import { likeParts } from '#query/values/text/wildcards.ts';
import { argumentAt, constantAt, wordAt } from './arguments.ts';
import type { Forms } from './form.ts';

export const conditions: Forms = {
  // The names of all fields are constants, and too many to be sent with every row.
  field: (call, compiler) => localExpression(call, compiler),

  isnull(call, compiler) {
    const { text, parts } = nullIfHuge(argumentAt(call, 0, compiler), compiler);
    return sql(parts ? `(not ${isThere(parts)})` : `(${text} is null)`, 'bool');
  },
  isnotnull(call, compiler) {
    const { text, parts } = nullIfHuge(argumentAt(call, 0, compiler), compiler);
    return sql(parts ? isThere(parts) : `(${text} is not null)`, 'bool');
  },

  isnum(call, compiler) {
    const value = argumentAt(call, 0, compiler);
    if (value.parts) return test(isOfType(value.parts, 'number', 'is_number', compiler));
    if (value.type === 'any') return test(compiler.macro('is_number', [nullIfHuge(value, compiler)]));
    return sql(isNumberType(value.type) ? `(${value.text} is not null)` : 'false', 'bool');
  },

  isstr(call, compiler) {
    const value = argumentAt(call, 0, compiler);
    if (value.parts) return test(isOfType(value.parts, 'string', 'is_text', compiler));
    if (value.type === 'any') return test(compiler.macro('is_text', [value]));
    return sql(value.type === 'string' ? `(${value.text} is not null)` : 'false', 'bool');
  },

  typeof(call, compiler) {
    const value = argumentAt(call, 0, compiler);
    return sql(value.parts ? typeOfParts(value.parts, compiler) : typeOf(value, compiler), 'string');
  },

  if({ args }, compiler) {
    const [condition, ...branches] = args;
    if (!condition) return undefined;
    const { values, type } = compiler.alike(branches.map((branch) => compiler.compile(branch)));
    return sql(`case when ${compiler.condition(condition)} then ${values[0]?.text} else ${values[1]?.text} end`, type);
  },

  case({ args }, compiler) {
    const isBranch = (index: number) => index % 2 === 1 || index === args.length - 1;
    const { values, type } = compiler.alike(
      args.filter((_, index) => isBranch(index)).map((arg) => compiler.compile(arg)),
    );
    const conditionals = args.filter((_, index) => !isBranch(index)).map((arg) => compiler.condition(arg));
    const cases = conditionals.map((condition, index) => `when ${condition} then ${values[index]?.text}`);
    const rest = args.length % 2 === 1 ? ` else ${values.at(-1)?.text}` : '';
    return sql(`case ${cases.join(' ')}${rest} end`, type);
  },

  nvl(call, compiler) {
    const first = nullIfHuge(argumentAt(call, 0, compiler), compiler);
    const { values, type } = compiler.alike([first, argumentAt(call, 1, compiler)]);
    return sql(`coalesce(${values.map(({ text }) => text).join(', ')})`, type);
  },

  in({ args: [x, ...members] }, compiler) {
    if (!x) return undefined;
    const value = compiler.compile(x);
    return test(compiler.once([value], (text) => memberTests({ ...value, text, isPlain: true }, members, compiler)));
  },

  not(call, compiler) {
    const value = argumentAt(call, 0, compiler);
    if (value.type === 'bool') return sql(`(not ${value.text})`, 'bool');
    if (value.type !== 'any') return { text: 'null::boolean', type: 'bool', isPlain: true };
    return sql(
      compiler.once([value], (text) => `case when vigil_is_bool(${text}) then ${text} = 'false' end`),
      'bool',
    );
  },

  eqi(call, compiler) {
    const value = argumentAt(call, 0, compiler);
    const other = call.args[1];
    if (!other) return undefined;
    if (other.kind === 'pattern') {
      const text = toText(value, compiler).text;
      return test(wildcardSql(`lower(${text})`, other.parts.map(lower), compiler));
    }
    const constant = constantAt(call, 1, compiler);
    const right =
      typeof constant === 'string'
        ? { sql: compiler.bind(lower(constant)), value: lower(constant) }
        : { ...compiler.side(other), sql: folded(compiler.compile(other), compiler) };
    return test(equality({ sql: folded(value, compiler) }, right, compiler));
  },

  like(call, compiler) {
    const pattern = constantAt(call, 1, compiler);
    const text = toText(argumentAt(call, 0, compiler), compiler).text;
    if (pattern === null) return sql('false', 'bool');
    if (pattern !== undefined) return test(wildcardSql(text, likeParts(wordAt(call, 1, compiler) ?? ''), compiler));
    return undefined;
  },

  match(call, compiler) {
    const pattern = wordAt(call, 1, compiler);
    if (pattern === null) return sql('false', 'bool');
    if (isForLocal(pattern)) return undefined;
    const text = toText(argumentAt(call, 0, compiler), compiler).text;
    return test(`regexp_matches(${text}, ${compiler.bind(searchedPattern(pattern)).text})`);
  },

  contains(call, compiler) {
    const x = argumentAt(call, 0, compiler);
    const y = argumentAt(call, 1, compiler);
    if (x.type === 'null' || y.type === 'null') return sql('false', 'bool');
    if (x.type === 'list') return undefined;
    const occurs = (one: Sql, other: Sql) => `contains(${toText(one, compiler).text}, ${toText(other, compiler).text})`;
    if (x.type !== 'any') return test(occurs(x, y));
    return test(
      compiler.once([x, y], (one, other) => {
        const left: Sql = { ...x, text: one, isPlain: true };
        const right: Sql = { ...y, text: other, isPlain: true };
        if (!left || !right) return 'false';
        const inList = compiler.local('contains', [left, right], 'bool').text;
        return `case when vigil_is_list(${one}) then ${inList} else ${occurs(left, right)} end`;
      }),
    );
  },
};

function isOfType(parts: MixedParts, part: PartName, macro: string, compiler: ExpressionCompiler): string {
  const { [part]: own, other } = parts;
  const isOwn = own ? [`${own.text} is not null`] : [];
  const isOther = other ? [`coalesce(${compiler.macro(macro, [nullIfHuge(other, compiler)])}, false)`] : [];
  return [...isOwn, ...isOther].join(' or ') || 'false';
}

function typeOf(value: Sql, compiler: ExpressionCompiler): string {
  if (value.type === 'any') return compiler.macro('typeof', [value]);
  if (value.type !== 'number') return `if(${value.text} is null, 'null', '${value.type}')`;
  return `case when ${value.text} is null then 'null' when ${value.text} = trunc(${value.text}) then 'long' else 'double' end`;
}

function typeOfParts({ other, ...parts }: MixedParts, compiler: ExpressionCompiler): string {
  const cases = partsIn(parts).map((part) => `when ${part.text} is not null then ${typeOf(part, compiler)}`);
  return `case ${cases.join(' ')} else ${other ? typeOf(other, compiler) : "'null'"} end`;
}

/** Constants that compare without conversion become one IN list, so that thousands of them cost one lookup. */
function memberTests(value: Sql, members: readonly Expression[], compiler: ExpressionCompiler): string {
  const listed: string[] = [];
  const tests: string[] = [];
  for (const member of members) {
    if (member.kind === 'pattern') {
      tests.push(wildcardSql(toText(value, compiler).text, member.parts, compiler));
      continue;
    }
    const side = compiler.side(member);
    const isListed = side.value !== undefined && side.sql.type === value.type && LISTED.includes(value.type);
    if (isListed) listed.push(side.sql.text);
    else tests.push(equality({ sql: value }, side, compiler));
  }
  const list = listed.length === 0 ? [] : [`${value.text} in (${listed.join(', ')})`];
  return [...list, ...tests].map((one) => `coalesce(${one}, false)`).join(' or ');
}

const LISTED: readonly string[] = ['string', 'long', 'double', 'date'];

/** Lower case if the value is a string. */
function folded(value: Sql, compiler: ExpressionCompiler): Sql {
  if (value.type === 'string') return sql(`lower(${value.text})`, 'string');
  if (value.type !== 'any') return value;
  const text = compiler.once(
    [value],
    (one) => `case when vigil_is_text(${one}) then to_json(lower(${one}->>'$')) else ${one} end`,
  );
  return sql(text, 'any');
}
