// The functions of tests and conditions (9.1 of the reference).

import type { Expression } from '#query/model/expression.ts';
import type { ConstantArgument, FunctionDeclaration, Lazy } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import { type ColumnType, typeOf, unified, type Value } from '#query/model/values.ts';
import { textOf } from '#query/values/conversions.ts';
import { equals } from '#query/values/equality.ts';
import { equalsConstant } from '#query/values/evaluator/literals.ts';
import { occurs, regexOf } from '#query/values/regexes/regexes.ts';
import { FOLDING_WEIGHT, JSON_WEIGHT } from '#query/values/steps.ts';
import { lower } from '#query/values/text/strings.ts';
import { likeParts, wildcardTest } from '#query/values/text/wildcards.ts';
import { isTrue } from '#query/values/truth.ts';
import { regex, s, several, wild, x } from './arguments.ts';
import { containsClues, eqiClues, inClues, likeClues, matchClues, presenceClues } from './clues.ts';

export const conditions: readonly FunctionDeclaration[] = [
  {
    name: 'whoami',
    group: 'conditions',
    syntax: 'whoami()',
    summary: {
      en: 'The login name of the account with whose rights the run began; inside a procedure it is still that of the caller.',
      ko: '실행에 쓰는 권한을 가진 계정의 로그인 이름입니다.',
    },
    args: [],
    result: 'string',
    nulls: 'own',
    local: (_, { user }) => user,
    examples: [{ text: 'whoami()', gives: 'tester' }],
  },
  {
    name: 'isnull',
    group: 'conditions',
    syntax: 'isnull(x)',
    summary: { en: 'True if x is null.', ko: 'x가 null이면 참입니다.' },
    args: [x],
    ignoresSurplus: true,
    result: 'bool',
    nulls: 'own',
    local: ([x = null]) => x === null,
    examples: [{ text: 'isnull(null)', gives: true }],
  },
  {
    name: 'isnotnull',
    group: 'conditions',
    syntax: 'isnotnull(x)',
    summary: { en: 'True if x is not null.', ko: 'x가 null이 아니면 참입니다.' },
    args: [x],
    ignoresSurplus: true,
    result: 'bool',
    nulls: 'own',
    clues: presenceClues,
    local: ([x = null]) => x !== null,
    examples: [{ text: 'isnotnull("")', gives: true }],
  },
  {
    name: 'isnum',
    group: 'conditions',
    syntax: 'isnum(x)',
    summary: {
      en: 'True if x is a long or a double, without conversion. False for null.',
      ko: 'x가 long이나 double이면 변환 없이 참입니다.',
    },
    args: [x],
    ignoresSurplus: true,
    result: 'bool',
    nulls: 'own',
    local: ([x = null]) => typeof x === 'bigint' || typeof x === 'number',
    examples: [{ text: 'isnum("5")', gives: false }],
  },
  {
    name: 'isstr',
    group: 'conditions',
    syntax: 'isstr(x)',
    summary: {
      en: 'True if x is a string, without conversion. False for null.',
      ko: 'x가 문자열이면 변환 없이 참입니다.',
    },
    args: [x],
    ignoresSurplus: true,
    result: 'bool',
    nulls: 'own',
    local: ([x = null]) => typeof x === 'string',
    examples: [{ text: 'isstr("5")', gives: true }],
  },
  {
    name: 'typeof',
    group: 'conditions',
    syntax: 'typeof(x)',
    summary: { en: 'The name of the type of x; `null` for null.', ko: 'x의 타입 이름입니다.' },
    args: [x],
    ignoresSurplus: true,
    result: 'string',
    nulls: 'own',
    local: ([x = null]) => typeOf(x),
    examples: [{ text: 'typeof(1 / 2)', gives: 'double' }],
  },
  {
    name: 'if',
    group: 'conditions',
    syntax: 'if(x, a, b)',
    summary: { en: 'a if x is true, otherwise b.', ko: 'x가 참이면 a, 아니면 b입니다.' },
    args: [x, x, x],
    result: (args) => typeOfAll(args.slice(1)),
    nulls: 'own',
    localLazy: ([condition, yes, no]) => (isTrue(condition?.() ?? null) ? yes?.() : no?.()) ?? null,
    examples: [{ text: 'if(0, "y", "n")', gives: 'y' }],
  },
  {
    name: 'case',
    group: 'conditions',
    syntax: 'case(c1, v1, ...[, x])',
    summary: {
      en: 'The value after the first true condition; otherwise x, or null without x.',
      ko: '처음으로 참인 조건 뒤의 값, 없으면 x 또는 null입니다.',
    },
    args: [x, several(x)],
    result: (args) => typeOfAll(args.filter((_, index) => index % 2 === 1 || index === args.length - 1)),
    nulls: 'own',
    localLazy: chosen,
    examples: [{ text: 'case(null, 1, 2 > 1, 2, 3)', gives: 2 }],
  },
  {
    name: 'nvl',
    group: 'conditions',
    syntax: 'nvl(x, y)',
    summary: { en: 'x, or y if x is null.', ko: 'x, null이면 y입니다.' },
    args: [x, x],
    result: typeOfAll,
    nulls: 'own',
    localLazy: ([x, otherwise]) => x?.() ?? otherwise?.() ?? null,
    examples: [{ text: 'nvl(null, 0)', gives: 0 }],
  },
  {
    name: 'in',
    group: 'conditions',
    syntax: 'in(x, y, ...)',
    summary: {
      en: 'True if x == y for at least one y, wildcards included. A list counts as one value. False for null.',
      ko: 'x가 하나 이상의 y와 같으면 참입니다. 와일드카드도 됩니다.',
    },
    args: [x, several(wild(x))],
    result: 'bool',
    nulls: 'own',
    clues: inClues,
    testOf: (members, { zone }) => {
      const tests = members.map((member) => constantTest(member, zone));
      return (value) => tests.some((test) => test(value));
    },
    localLazy: ([x, ...members], run) => {
      const value = x?.() ?? null;
      return value !== null && members.some((member) => isMember(value, member, run));
    },
    examples: [{ text: 'in("web01", "db*", "web*")', gives: true }],
  },
  {
    name: 'not',
    group: 'conditions',
    syntax: 'not(x)',
    summary: {
      en: 'The opposite of a boolean; null for anything else.',
      ko: '불리언의 반대이며, 다른 값은 null입니다.',
    },
    args: [x],
    ignoresSurplus: true,
    result: 'bool',
    nulls: 'null',
    local: ([x = null]) => (typeof x === 'boolean' ? !x : null),
    examples: [{ text: 'not(1)', gives: null }],
  },
  {
    name: 'eqi',
    group: 'conditions',
    syntax: 'eqi(x, y)',
    summary: {
      en: 'The same as x == y, wildcards included, but without regard to case. False for null.',
      ko: '대소문자를 구분하지 않는 x == y입니다.',
    },
    args: [x, wild(x)],
    result: 'bool',
    nulls: 'own',
    clues: eqiClues,
    testOf: ([other = {}], { zone }) => {
      const { value = null, parts } = other;
      const test = constantTest(parts ? { parts: parts.map(lower) } : { value: folded(value) }, zone);
      return parts ? (x) => test(lower(textOf(x, zone) ?? '')) : (x) => test(folded(x));
    },
    localLazy: ([x, y], { zone, steps }) => {
      const one = x?.() ?? null;
      const other = y?.() ?? null;
      steps?.takeDeep(one, FOLDING_WEIGHT);
      steps?.takeDeep(other, FOLDING_WEIGHT);
      const value = folded(one);
      return value !== null && equals(value, folded(other), zone);
    },
    weight: FOLDING_WEIGHT,
    examples: [{ text: 'eqi("PowerShell.EXE", "*shell*")', gives: true }],
  },
  {
    name: 'like',
    group: 'conditions',
    syntax: 'like(s, pattern)',
    summary: {
      en: 'True if s matches the pattern, which may be computed: `*` is any run of characters, `\\*` a star, `\\\\` a backslash, any other backslash itself. False for null.',
      ko: 's가 패턴에 맞으면 참입니다. `*`는 임의의 글자입니다.',
    },
    args: [s, s],
    result: 'bool',
    nulls: 'own',
    clues: likeClues,
    testOf: ([pattern], { zone }) => {
      const text = textOf(pattern?.value ?? null, zone);
      const fits = text === null ? () => false : wildcardTest(likeParts(text));
      return (value) => fits(`${value}`);
    },
    local: ([text = null, pattern = null]) =>
      text !== null && pattern !== null && wildcardTest(likeParts(`${pattern}`))(`${text}`),
    examples: [{ text: 'like("a_b", concat("a", "*"))', gives: true }],
  },
  {
    name: 'match',
    group: 'conditions',
    syntax: "match(s, regex')",
    summary: {
      en: 'True if the regular expression matches a part of s. False for null.',
      ko: '정규식이 s의 일부와 맞으면 참입니다.',
    },
    args: [s, regex],
    result: 'bool',
    nulls: 'own',
    clues: matchClues,
    testOf: ([pattern], { zone, steps }) => {
      const text = textOf(pattern?.value ?? null, zone);
      if (text === null) return () => false;
      const regex = regexOf(text);
      return (value) => regex.test(`${value}`, steps);
    },
    local: ([text = null, pattern = null], { steps }) =>
      text !== null && pattern !== null && occurs(`${text}`, `${pattern}`, steps),
    examples: [{ text: 'match("err 42", "\\\\d+$")', gives: true }],
  },
  {
    name: 'contains',
    group: 'conditions',
    syntax: 'contains(x, y)',
    summary: {
      en: 'For a string: true if y occurs in x, case-sensitive, without wildcards. For a list: true if an element == y. False for null.',
      ko: '문자열이나 목록에 y가 있으면 참입니다.',
    },
    args: [x, x],
    ignoresSurplus: true,
    result: 'bool',
    nulls: 'own',
    clues: containsClues,
    testOf: ([other], { zone }) => {
      const y = other?.value ?? null;
      const text = textOf(y, zone);
      if (text === null) return () => false;
      return (x) => (typeof x === 'string' ? x.includes(text) : holds(x, y, zone));
    },
    local: ([x = null, y = null], { zone, steps }) => {
      if (typeof x !== 'string') steps?.takeDeep(x, JSON_WEIGHT);
      return holds(x, y, zone);
    },
    examples: [{ text: 'contains(array(1, 2), "2")', gives: true }],
  },
];

function typeOfAll(args: readonly Expression[]): ColumnType {
  return args.reduce<ColumnType>((type, arg) => unified(type, arg.type), 'null');
}

/** Rejects an odd number of arguments (90301). */
export function requirePairs(name: string, args: readonly Expression[], span: { begin: number; end: number }): void {
  if (args.length % 2 === 1) throw new QueryError(90301, span, { name, n: '2, 4, 6 …', given: args.length });
}

/** The value after the first true condition; a last argument without a partner is the default. */
function chosen(args: readonly Lazy[]): Value {
  for (let at = 0; at + 1 < args.length; at += 2) {
    if (isTrue(args[at]?.() ?? null)) return args[at + 1]?.() ?? null;
  }
  return args.length % 2 === 1 ? (args.at(-1)?.() ?? null) : null;
}

function isMember(value: Value, member: Lazy, { zone, steps }: RunFacts): boolean {
  const other = member.fits ? null : member();
  steps?.take(1);
  steps?.takeDeep(value, JSON_WEIGHT);
  steps?.takeDeep(other, JSON_WEIGHT);
  return member.fits ? member.fits(textOf(value, zone) ?? '') : equals(value, other, zone);
}

/** A test whether a value equals a constant, or its text matches a pattern. */
function constantTest({ value = null, parts }: ConstantArgument, zone: string): (value: Value) => boolean {
  if (!parts) return equalsConstant(value, zone);
  const fits = wildcardTest(parts);
  return (given) => fits(textOf(given, zone) ?? '');
}

const folded = (value: Value): Value => (typeof value === 'string' ? lower(value) : value);

/** True if a list has an element equal to `y`, or the text of any other value contains the text of `y`. */
function holds(x: Value, y: Value, zone: string): boolean {
  if (x === null || y === null) return false;
  if (Array.isArray(x)) return x.some((element: Value) => equals(element, y, zone));
  return (textOf(x, zone) ?? '').includes(textOf(y, zone) ?? '');
}
