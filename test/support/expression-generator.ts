// Random expressions that are valid in the world of query.ts, over all operators and functions.

import { chance, type Dice, pick, times } from '#kernel/dice.ts';
import { functions } from '#query/functions/index.ts';
import type { Argument, FunctionDeclaration } from '#query/model/function.ts';

const DEPTH = 4;

/** Fields that hold no date anywhere, so that one may calculate with them. */
const NUMBERS = [
  'a',
  'c',
  'field("no such")',
  'ünï',
  'x.y',
  'field("by")',
  '3rd',
  'sum:06',
  'field("06")',
  'field("10m")',
];
const FIELDS = [...NUMBERS, 'b', 'line', 'l', 'when', '_time', '_table', '@k', 'not', '한글', 'field("a\\"b\\\\")'];
const LONGS = ['0', '1', '42', '9223372036854775807', '-9223372036854775808', '007', '-1'];
const DOUBLES = ['1.5', '0.1', '1e21', '1E-7', '2.50', '-0.0', '1.0'];
const STRINGS = ['""', '"x"', '"a*b"', '"100\\\\%"', '"\\"q\\""', '"tab\\t"', '"한 글"', '"5"', '"]|["', '“curly”'];
const PATTERNS = ['"\\*"', '"*"', '"x*"', '"*\\\\*y"', '"plain"', '"a**"'];

/** What constant arguments may be, by function and position; the others are made by their type. */
const CONSTANTS: Readonly<Record<string, readonly (readonly string[] | undefined)[]>> = {
  match: [undefined, ['"\\\\d+$"', '"(?i)a|b"', '"[a-z]{2,3}?"', '"(?P<n>x)"', '"\\\\pL\\\\x{1F600}"', '""']],
  groups: [undefined, ['"(\\\\w)=(\\\\w)"', '"(?<k>.)"', '"[^]]+"']],
  string: [undefined, ['"yyyy/MM/dd HH:mm"', '"EEEE \'at\' h a"'], ['"UTC"', '"GMT+08"'], ['"en"', '"ko_KR"']],
  date: [undefined, ['"dd/MM/yyyy"', '"yyyyMMdd\'\'"'], ['"UTC"'], ['"en"']],
  binary: [undefined, ['"utf-8"', '"EUC-KR"']],
  decode: [undefined, ['"UTF-8"', '"ms949"', '"utf-16le"']],
  urlencode: [undefined, ['"cp949"', '"us-ascii"']],
  urldecode: [undefined, ['"euc-kr"', '"ISO-8859-1"']],
  hash: [['"md5"', '"sha1"', '"sha256"']],
  replace: [undefined, ['"x"', '"(\\\\w)"'], undefined, ['"re"']],
  ago: [['"1d"', '"15m"', '"2mon"', '"0s"']],
  dateadd: [undefined, ['"mon"', '"msec"', '"year"']],
  datediff: [undefined, undefined, ['"week"', '"day"']],
  datetrunc: [undefined, ['"1w"', '"5m"', '"3mon"', '"1y"'], ['"1h"', '"30s"']],
  datepart: [undefined, ['"dow"', '"quarter"', '"epoch"']],
  daterange: [undefined, undefined, ['"1d"', '"1mon"']],
  decrypt: [['"AES/GCM"', '"aes/cbc"'], ['$("secret_key")']],
  encrypt: [['"AES/CBC/PKCS5Padding"', '"AES/CBC"'], ['$("secret_key")']],
  kvjoin: [
    ['"="', '": "'],
    ['","', '""'],
    ['"^[a-c]"', '""'],
  ],
  matchblackip: [['"11111111-1111-1111-1111-111111111111"']],
  matchnet: [['"11111111-1111-1111-1111-111111111111"']],
  matchport: [['"11111111-1111-1111-1111-111111111111"']],
  xpath: [undefined, ['"/a/b"', '"//*[@c]"']],
};

const numeric = functions.filter(({ result }) => result === 'long' || result === 'double');

export function expression(dice: Dice, depth = DEPTH): string {
  if (depth <= 0 || chance(dice, 4)) return leaf(dice);
  const less = depth - 1;
  switch (dice.below(8)) {
    case 0:
      return `${operand(dice, less)} ${pick(dice, ['==', '!='])} ${chance(dice, 2) ? pick(dice, PATTERNS) : operand(dice, less)}`;
    case 1:
      return `${operand(dice, less)}${pick(dice, ['<', ' <= ', '>', ' >='])}${operand(dice, less)}`;
    case 2:
      return times(2 + dice.below(3), () => operand(dice, less)).join(pick(dice, [' and ', ' or ']));
    case 3:
      return number(dice, depth);
    case 4:
      return `(${expression(dice, less)})`;
    default:
      return call(dice, pick(dice, functions), depth);
  }
}

/** Nothing that could bind otherwise than meant. */
function operand(dice: Dice, depth: number): string {
  const text = expression(dice, depth);
  return /^[\p{L}_@.\d]+$/u.test(text) ? text : `( ${text})`;
}

function leaf(dice: Dice): string {
  const kinds = [FIELDS, LONGS, DOUBLES, STRINGS, ['true', 'false', 'null'], ['$("p")', '$("q", 1)', '$( "word" )']];
  return pick(dice, pick(dice, kinds));
}

export function number(dice: Dice, depth: number): string {
  if (depth <= 0 || chance(dice, 4)) return pick(dice, pick(dice, [NUMBERS, LONGS, DOUBLES, ['"5"', '$("p")']]));
  const less = depth - 1;
  if (chance(dice, 3)) return call(dice, pick(dice, numeric), depth);
  if (chance(dice, 3)) return `${pick(dice, ['-', '- ', '−', '--'])}(${number(dice, less)})`;
  return `(${number(dice, less)})${pick(dice, ['+', ' - ', '*', ' / '])}(${number(dice, less)})`;
}

function call(dice: Dice, declared: FunctionDeclaration, depth: number): string {
  const { name, aliases = [], args } = declared;
  if (name === 'foreach') return foreach(dice, depth - 1);
  if (name === 'format') return format(dice, depth - 1);
  const required = args.filter(({ optional }) => !optional).length;
  const most = args.at(-1)?.rest ? required + 3 : args.length;
  const count = evened(name, required + dice.below(most - required + 1));
  const made = named(
    dice,
    declared,
    times(count, (index) => argument(dice, { declared, index, depth: depth - 1, count })),
  );
  const space = pick(dice, ['', '', ' ']);
  return `${pick(dice, [name, ...aliases])}${space}(${space}${made.join(pick(dice, [', ', ',', ' ,\n']))})`;
}

/** Some arguments by their names, in another order. */
function named(dice: Dice, { parameters }: FunctionDeclaration, args: readonly string[]): readonly string[] {
  if (!parameters || !chance(dice, 3)) return args;
  const first = dice.below(args.length);
  const behind = args.slice(first).map((text, index) => {
    return `${parameters[first + index]}${pick(dice, ['=', ' = '])}${text}`;
  });
  return [...args.slice(0, first), ...behind.toReversed()];
}

/** Keys and values come in pairs. */
const evened = (name: string, count: number) => (name === 'dict' ? count + (count % 2) : count);

interface ArgumentPosition {
  readonly declared: FunctionDeclaration;
  readonly index: number;
  readonly depth: number;
  readonly count: number;
}

function argument(dice: Dice, { declared: { name, args }, index, depth, count }: ArgumentPosition): string {
  const constants = CONSTANTS[name]?.[index];
  const isPlain = name === 'replace' && count < 4;
  if (constants && !isPlain) return pick(dice, constants);
  const { type, wild } = args[Math.min(index, args.length - 1)] ?? ({ type: 'any' } satisfies Argument);
  if (wild && chance(dice, 2)) return pick(dice, PATTERNS);
  return type === 'number' || type === 'whole' ? number(dice, depth) : expression(dice, depth);
}

/** As many values as its text has conversions. */
function format(dice: Dice, depth: number): string {
  const values = times(1 + dice.below(3), () => expression(dice, depth));
  const formats = values.map(() => pick(dice, ['%s', '%-5s', '%05d', '%+,.2f', '%x', '%%%X']));
  return `format("${formats.join(pick(dice, ['', ' | ', '\\n']))}", ${values.join(', ')})`;
}

function foreach(dice: Dice, depth: number): string {
  const lists = times(1 + dice.below(2), () => expression(dice, depth));
  const body = pick(dice, ['_1', 'concat(_1, a)', 'foreach(_1, _1)', expression(dice, depth)]);
  return `foreach(${[body, ...lists].join(', ')})`;
}
