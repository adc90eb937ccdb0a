// Functions that combine several values into a text, and signature().

import type { Rows } from '#query/model/columns.ts';
import { SERVICE_COLUMNS } from '#query/model/columns.ts';
import type { Call, Expression, Span } from '#query/model/expression.ts';
import type { Argument, FunctionDeclaration } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Value } from '#query/model/values.ts';
import { textOf } from '#query/values/conversions.ts';
import { compareText } from '#query/values/order-text.ts';
import { occurs, replacedAll } from '#query/values/regexes/regexes.ts';
import { JSON_WEIGHT } from '#query/values/steps.ts';
import { piecesOf, valuesIn, writtenValues } from '#query/values/text/formatted-values.ts';
import { literal, notConstant } from '#query/values/typing.ts';
import { constant, optional, regex, s, several, x } from './arguments.ts';

/** The parts that signature() removes: double-quoted parts, letters with their marks, digits and white space. */
export const REMOVED_BY_SIGNATURE = '"[^"]*"|[\\p{L}\\p{M}\\p{N}\\p{Z}\\t\\n\\x0b\\f\\r]+';

const formatText: Argument = {
  type: 'string',
  constant: true,
  check(given, context) {
    if (!piecesOf(String(given.value))) throw notConstant(given, { ...context, type: '%s %d %f %x %%' });
  },
};

/**
 * The expanded form of kvjoin(); its arguments are the names of known fields, names to exclude from the overflow, the
 * overflow as a map, and the values of the known fields.
 */
export const joinedFields: FunctionDeclaration = {
  name: 'kvjoin',
  group: 'strings',
  syntax: '',
  summary: { en: '', ko: 'null이 아닌 모든 필드를 한 텍스트로 씁니다.' },
  args: [s, s, x, x, x, x, several(x)],
  result: 'string',
  nulls: 'own',
  reads: 'all',
  weight: JSON_WEIGHT,
  local: (
    [between = null, behind = null, pattern = null, names = null, gone = null, rest = null, ...values],
    { zone, steps },
  ) => {
    if (between === null || behind === null) return null;
    const known: readonly Value[] = Array.isArray(names) ? names : [];
    const absent = new Set<Value>(Array.isArray(gone) ? gone : []);
    const others = (rest instanceof Map ? [...rest] : [])
      .filter(([name]) => !absent.has(name))
      .sort(([one], [other]) => compareText(one, other));
    return [...known.map((name, index) => [`${name}`, values[index] ?? null] as const), ...others]
      .filter(([name, value]) => value !== null && (pattern === null || occurs(name, `${pattern}`, steps)))
      .map(([name, value]) => `${name}${between}${textOf(value, zone)}`)
      .join(`${behind}`);
  },
  examples: [],
};

export const writing: readonly FunctionDeclaration[] = [
  {
    name: 'format',
    group: 'strings',
    syntax: "format(s', x, ...)",
    summary: {
      en: 'Writes the values into the placeholders of a text: `%s` text, `%d` whole number, `%f` fraction (`%.2f`: two digits, six by default), `%x` hexadecimal, `%%` a percent sign. After the `%` may follow `-` (align left), `0` (leading zeros), `+` (always a sign), `,` (thousands separators) and a width. Null leaves its placeholder empty. `%X` writes capitals, `%.3s` truncates to three code points; the maximum is 1,000 for a width and 20 for digits. `%2$s` takes the second value, any number of times; then every placeholder has a position. A number of values other than that of the placeholders is 90301, an unknown placeholder 90302.',
      ko: '텍스트의 자리에 값을 채웁니다.',
    },
    args: [formatText, several(x)],
    result: 'string',
    nulls: 'own',
    baseSteps: 8,
    reads: 'all',
    weight: JSON_WEIGHT,
    check: requireValues,
    local: ([format = null, ...values], { zone }) =>
      format === null ? null : writtenValues(piecesOf(`${format}`) ?? [], values, zone),
    examples: [
      { text: 'format("%s:%05d", "a", "42")', gives: 'a:00042' },
      { text: 'format("%-4s|%4s|%.1s", "é", null, "xyz")', gives: 'é   |    |x' },
      { text: 'format("%.2f%% of %,d", 12.345, 1234567)', gives: '12.35% of 1,234,567' },
      { text: 'format("%x %+d %f", 255, -1.9, "x")', gives: 'ff -1 ' },
      { text: 'format("%05.1f/%-3s/%x", 2.5, "a", 255)', gives: '002.5/a  /ff' },
      { text: 'format("%2$s-%1$s-%2$s", "a", "b")', gives: 'b-a-b' },
    ],
  },
  {
    name: 'kvjoin',
    group: 'strings',
    syntax: "kvjoin(s', s'[, regex'])",
    summary: {
      en: 'One text of all fields of the row that are not null. The first argument separates a name from its value, the second one separates fields: known fields in their order, then the others by name. `_table`, `_time`, `_id` and `_node` are omitted, and with a regular expression all names that it does not match.',
      ko: 'null이 아닌 모든 필드를 한 텍스트로 씁니다.',
    },
    args: [constant(s), constant(s), optional(regex)],
    result: 'string',
    nulls: 'own',
    expanded: overRow,
    examples: [{ text: 'kvjoin("=", "&")', gives: '' }],
  },
  {
    name: 'signature',
    group: 'strings',
    syntax: 'signature(s)',
    summary: {
      en: 'The text without its double-quoted parts, letters, digits and white space; lines of the same kind have the same signature. A double quote without a closing quote stays.',
      ko: '따옴표 안, 글자, 숫자, 공백을 뺀 텍스트입니다.',
    },
    args: [s],
    result: 'string',
    nulls: 'null',
    local: ([text], { steps }) => replacedAll(`${text}`, REMOVED_BY_SIGNATURE, '', steps),
    examples: [
      { text: 'signature("kim [10.0.0.1] \\"GET /a\\" - 200")', gives: '[...]-' },
      { text: 'signature("한글 \\"a: b")', gives: '":' },
    ],
  },
];

function requireValues([format, ...values]: readonly Expression[], span: Span): void {
  if (format?.kind !== 'literal' || format.value === null) return;
  const pieces = piecesOf(String(format.value));
  const count = pieces ? valuesIn(pieces) : values.length;
  if (count === values.length) return;
  const n = count === undefined ? '2–n' : count + 1;
  throw new QueryError(90301, span, { name: 'format', n, given: values.length + 1 });
}

function overRow({ args, begin, end }: Call, { columns, overflow }: Rows): Call {
  const span = { begin, end };
  const [between, behind, pattern] = args;
  const nothing = literal(null, span);
  const isWanted = (name: string) =>
    !SERVICE_COLUMNS.includes(name) &&
    (pattern?.kind !== 'literal' || typeof pattern.value !== 'string' || occurs(name, pattern.value));
  const known = columns.filter(({ name }) => isWanted(name));
  const gone = [...SERVICE_COLUMNS, ...columns.map(({ name }) => name), ...(overflow?.without ?? [])];
  const fields = known.map(
    ({ id, name, type }): Expression => ({ kind: 'field', name, type, source: { kind: 'column', id }, ...span }),
  );
  const rest: Expression = overflow
    ? { kind: 'field', name: '', type: 'map', source: { kind: 'rest', id: overflow.id }, ...span }
    : nothing;
  const lists = [known.map(({ name }) => name), gone].map((list) => literal(list, span));
  const all = [between ?? nothing, behind ?? nothing, pattern ?? nothing, ...lists, rest, ...fields];
  return { kind: 'call', called: joinedFields, args: all, type: 'string', ...span };
}
