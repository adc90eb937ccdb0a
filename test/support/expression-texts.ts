// Generated expressions (16.2 of the language reference): trees over all operators and tier 1 functions, as text that
// the front end reads.

import fc from 'fast-check';
import { functions } from '#query/functions/index.ts';
import { quoted } from '#query/language/strings.ts';
import type { Argument, FunctionDeclaration } from '#query/model/function.ts';
import { CONSTANTS, REPLACED, REPLACEMENTS } from '#test/support/expression-constants.ts';
import { POOL_COLUMNS } from '#test/support/value-pools.ts';
import { STRINGS } from '#test/support/value-texts.ts';

const text = fc.constantFrom(...STRINGS).map(quoted);
const long = fc.constantFrom(
  ...['0', '1', '-1', '2', '3', '-3', '5', '7', '16', '32', '64', '500', '1000', '2147483648', '9007199254740993'],
  ...['9223372036854775807', '-9223372036854775808', '100000000000', '-5'],
);
const double = fc.constantFrom(
  ...[
    '0.0',
    '-0.0',
    '0.5',
    '2.5',
    '-1.5',
    '1e-7',
    '1e21',
    '499.6',
    '100.0',
    '9007199254740992.0',
    '0.1',
    '3.0',
    '-2.0',
  ],
  ...['1e308', '5e-324', '9223372036854775807.0', '1e11', '0.30000000000000004'],
);
const field = fc.constantFrom(...POOL_COLUMNS.map(({ name }) => name));
const pattern = fc.constantFrom(
  ...[
    '"*"',
    '"**"',
    '"5*"',
    '"*5"',
    '"*b*"',
    '"a*b"',
    '"*텍스트"',
    '"100\\*"',
    '"*\\\\*"',
    '"%*_"',
    '"M*C*e"',
    '"*l*2"',
    '"10.*"',
  ],
  ...[
    '"*0.0.*"',
    '"*\\n*"',
    '"2026-*"',
    '"*😀"',
    '"é*"',
    '"*\\*\\**"',
    '"*a*a*a*"',
    '"t*e"',
    '"[*]"',
    '"{*}"',
    '"*e*e*"',
    '"_*"',
  ],
);

/** Different with every call, or a matter of the order of rows. */
const LEFT_OUT = new Set(['rand', 'randbytes', 'encrypt', 'guid', 'seq']);

export const COMPARED = functions.filter(({ name }) => !LEFT_OUT.has(name));

/** Their last digit is each library's own, so nothing that would show it is built upon them: they stand outermost. */
const INEXACT = new Set(['pow', 'exp', 'log', 'log10', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan']);
const EXACT = COMPARED.filter(({ name }) => !INEXACT.has(name));

export const leafText: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: field },
  { weight: 2, arbitrary: long },
  { weight: 2, arbitrary: double },
  { weight: 3, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom('null', 'true', 'false', 'now()') },
);

/** Text of an expression up to a depth. */
export function expressionText(depth: number): fc.Arbitrary<string> {
  const outermost = fc.constantFrom(...COMPARED).chain((called) => callText(called, exactText(depth - 1)));
  return fc.oneof({ weight: 1, arbitrary: exactText(depth) }, { weight: 1, arbitrary: outermost });
}

function exactText(depth: number): fc.Arbitrary<string> {
  if (depth <= 0) return leafText;
  const inner = exactText(depth - 1);
  const binary = (operators: readonly string[]) =>
    fc.tuple(inner, fc.constantFrom(...operators), inner).map(([a, operator, b]) => `(${a} ${operator} ${b})`);
  return fc.oneof(
    { weight: 2, arbitrary: leafText },
    { weight: 3, arbitrary: binary(['+', '-', '*', '/']) },
    { weight: 4, arbitrary: binary(['==', '!=', '<', '<=', '>', '>=']) },
    { weight: 1, arbitrary: fc.tuple(inner, fc.constantFrom('==', '!='), pattern).map((all) => `(${all.join(' ')})`) },
    { weight: 2, arbitrary: binary(['and', 'or']) },
    { weight: 1, arbitrary: inner.map((operand) => `-(${operand})`) },
    { weight: 12, arbitrary: fc.constantFrom(...EXACT).chain((called) => callText(called, inner)) },
  );
}

const FORMAT = fc.constantFrom('%s', '%-6s', '%.3s', '%d', '%08d', '%,d', '%.0f', '%x', '%%%X');

/** As many values as its text has conversions, in order or by positions from the last one on. */
const formatText = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.tuple(FORMAT, inner), { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([all, hasPositions]) => {
      const placed = all.map(([format], at) =>
        hasPositions ? format.replace(/%(?=[^%])/, `%${all.length - at}$$`) : format,
      );
      return `format("${placed.join('|')}", ${all.map(([, value]) => value).join(', ')})`;
    });

export function callText(called: FunctionDeclaration, inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  if (called.name === 'daterange') return daterangeText(inner);
  if (called.name === 'format') return formatText(inner);
  const least = called.args.filter(({ optional }) => !optional).length;
  const most = called.args.length + (called.args.at(-1)?.rest ? 1 : 0);
  return fc.integer({ min: least, max: most }).chain((count) => {
    const even = called.name === 'dict' && count % 2 === 1 ? count + 1 : count;
    const isRegex = called.name === 'replace' && count === 4;
    const args = Array.from({ length: even }, (_, index) => {
      if (isRegex && index === 1) return fc.constantFrom(...REPLACED);
      if (isRegex && index === 2) return fc.oneof(fc.constantFrom(...REPLACEMENTS), inner);
      return argumentText(called, called.args[Math.min(index, called.args.length - 1)], index, inner);
    });
    return fc.tuple(...args).map((texts) => `${called.name}(${texts.join(', ')})`);
  });
}

/** From a date to one nearby: there are dates enough to end a query otherwise (93010). */
function daterangeText(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const date = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('t', 't2', 's', 'a') },
    { weight: 1, arbitrary: inner },
  );
  const step = fc.constantFrom('', ', "1d"', ', "1mon"', ', "2w"', ', "90m"', ', "1y"', ', "3mon"');
  return fc
    .tuple(date, fc.constantFrom('"mon"', '"day"', '"week"', '"hour"'), fc.integer({ min: -2, max: 14 }), step)
    .map(([from, unit, count, by]) => `daterange(${from}, dateadd(${from}, ${unit}, ${count})${by})`);
}

function argumentText(
  called: FunctionDeclaration,
  declared: Argument | undefined,
  index: number,
  inner: fc.Arbitrary<string>,
) {
  const constants = CONSTANTS[called.name]?.[index];
  if (constants) return fc.constantFrom(...constants);
  if (declared?.wild) return fc.oneof({ weight: 3, arbitrary: inner }, { weight: 1, arbitrary: pattern });
  if (called.name === 'foreach' && index === 0) {
    return fc.oneof(
      inner,
      fc.constantFrom('_1', '_2', 'concat(_1, s)', '_1 + _2', 'foreach(_1, _2)', 'if(_1 == 2, l, _2)'),
    );
  }
  // Operands of the declared type more often than chance would have it.
  const fitting = FITTING[declared?.type ?? 'any'];
  return fitting
    ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...fitting) }, { weight: 3, arbitrary: inner })
    : inner;
}

const FITTING: Readonly<Record<string, readonly string[]>> = {
  string: ['s', 's2', 'a', quoted('10.0.0.1'), quoted('a'), quoted('-')],
  number: ['l', 'd', 'a', 's'],
  whole: ['l', '1', '-2', '3', 'a', '16'],
  date: ['t', 't2', 'a', 's'],
  list: ['li', 'a', 'array(l, s, a)'],
  binary: ['x', 'a', 'binary(s)'],
};
