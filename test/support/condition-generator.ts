// Records whose fields hold values of every kind, and conditions on them that a log store may evaluate before the plan does.

import { chance, type Dice, pick, times } from '#kernel/dice.ts';
import { STRINGS } from './value-texts.ts';

/** Texts that a search finds in another case, in parts, or escaped. */
const TEXTS: readonly string[] = [
  ...['Error', 'ERROR', 'error 42', 'ſet', '273 \u212a', 'İzmir', 'izmir', '로그인 실패', '로그인', 'a/b', 'tab\there'],
  ...[
    'GET /index.html?q=가나 HTTP/1.1',
    'kk',
    '\u212a\u212a',
    'KK',
    's',
    'S',
    'É',
    'é',
    '10.0.0.1',
    '404',
    'inf',
    'a\\b',
    '"quoted"',
  ],
];
const NUMBERS: readonly (number | string)[] = [
  ...[0, 1, -1, 5, 42, 404, 500, 0.5, 2.5, 1e21, -1e15, '9007199254740993', '9223372036854775807', '1e400', '1.0'],
  ...['123456789012345678901234567890'],
];

/** Fields of generated records: most have values of one type, `mixed` of all, and `rare` is in few records. */
const FIELDS = ['s', 'n', 'd', 'b', 'mixed', '이름', 'rare', 'a.b', 'S'] as const;

const text = (dice: Dice): string => pick(dice, chance(dice, 3) ? STRINGS : TEXTS);

/** As JSON text, sometimes with escapes that need not be there. */
function jsonText(dice: Dice): string {
  const value = JSON.stringify(text(dice));
  return chance(dice, 6) ? value.replaceAll(/[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`) : value;
}

function jsonValue(dice: Dice, depth = 2): string {
  if (depth > 0 && chance(dice, 8)) return `[${times(dice.below(3), () => jsonValue(dice, depth - 1)).join(',')}]`;
  if (depth > 0 && chance(dice, 8)) return `{"k":${jsonValue(dice, depth - 1)},"Error":1}`;
  if (chance(dice, 2)) return jsonText(dice);
  return pick(dice, [String(pick(dice, NUMBERS)), 'true', 'false', 'null']);
}

const VALUES: Readonly<Record<(typeof FIELDS)[number], (dice: Dice) => string>> = {
  s: jsonText,
  n: (dice) => String(pick(dice, [0, 1, -1, 5, 42, 404, 500, 2 ** 53])),
  d: (dice) => String(pick(dice, [0.5, 2.5, 404.25, -0.1, 1e21, 42])),
  b: (dice) => pick(dice, ['true', 'false']),
  mixed: jsonValue,
  이름: jsonText,
  rare: jsonValue,
  'a.b': jsonText,
  S: jsonText,
};

/** A record as JSON text; some fields are missing, some null. */
export function record(dice: Dice): string {
  const members = FIELDS.filter((name) => !chance(dice, name === 'rare' ? 2 : 5)).map((name) => {
    return `${JSON.stringify(name)}:${chance(dice, 12) ? 'null' : VALUES[name](dice)}`;
  });
  return `{${members.join(',')}}`;
}

const field = (dice: Dice): string => {
  const name = pick(dice, FIELDS);
  return /^[\w가-힣]+$/.test(name) ? name : `field(${JSON.stringify(name)})`;
};

/** A part of a text that values have, in the same case or in another. */
function part(dice: Dice): string {
  const whole = [...text(dice)];
  const from = chance(dice, 2) ? 0 : dice.below(whole.length + 1);
  const found = whole.slice(from, chance(dice, 2) ? undefined : from + 1 + dice.below(3)).join('');
  if (!chance(dice, 3)) return found;
  return chance(dice, 2) ? found.toUpperCase() : found.toLowerCase();
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };

/** A STRING of the language. A text from outside may have stars, which are wildcards then. */
const written = (value: string): string => `"${value.replaceAll(/[\n\t\r"\\]/g, (char) => ESCAPES[char] ?? char)}"`;

const constant = (dice: Dice): string =>
  chance(dice, 2)
    ? written(part(dice))
    : pick(dice, [...NUMBERS.filter((one) => typeof one === 'number').map(String), 'true', 'false', '"42"', 'null']);

const pattern = (dice: Dice): string => written(pick(dice, [`*${part(dice)}*`, `${part(dice)}*`, `*${part(dice)}`]));

const REGEX_SIGNS = /[\\^$.*+?()[\]{}|]/g;

function regex(dice: Dice): string {
  const plain = part(dice).replaceAll(REGEX_SIGNS, '\\$&');
  const flags = chance(dice, 2) ? '(?i)' : '';
  return written(pick(dice, [`${flags}${plain}`, `${flags}^${plain}|${part(dice).replaceAll(REGEX_SIGNS, '.')}$`]));
}

const TESTS: readonly ((dice: Dice) => string)[] = [
  (dice) => `${field(dice)} ${pick(dice, ['==', '==', '!=', '<', '<=', '>', '>='])} ${constant(dice)}`,
  (dice) => `${constant(dice)} == ${field(dice)}`,
  (dice) => `${field(dice)} == ${pattern(dice)}`,
  (dice) => `in(${field(dice)}, ${constant(dice)}, ${pattern(dice)}, ${constant(dice)})`,
  (dice) => `eqi(${field(dice)}, ${pick(dice, [constant, pattern])(dice)})`,
  (dice) => `like(${field(dice)}, ${pattern(dice)})`,
  (dice) => `contains(${field(dice)}, ${constant(dice)})`,
  (dice) => `match(${field(dice)}, ${regex(dice)})`,
  (dice) => `${pick(dice, ['isnotnull', 'isnull', 'isstr', 'isnum'])}(${field(dice)})`,
  (dice) => `${field(dice)} == ${field(dice)}`,
];

export function condition(dice: Dice, depth = 2): string {
  if (depth === 0 || chance(dice, 2)) return pick(dice, TESTS)(dice);
  if (chance(dice, 6)) return `not(${condition(dice, depth - 1)})`;
  return `(${condition(dice, depth - 1)} ${pick(dice, ['and', 'or'])} ${condition(dice, depth - 1)})`;
}

/** What `fulltext` looks for. */
const search = (dice: Dice): string =>
  pick(dice, [
    () => `"${part(dice).replaceAll(/[^\p{L}\p{Nd} .]/gu, '')}x"`.replace('x"', chance(dice, 2) ? '*"' : '"'),
    () => `${pick(dice, ['s', 'mixed', 'n'])} == ${pattern(dice)}`,
    () => `${pick(dice, ['"404"', '"error"', '"로그인"', '"k"', '"실패"', '"10.0.0.1"', '"true"'])}`,
  ])();

/** Pipelines with a condition, over the tables `web` and `rows`. */
const PIPELINES: readonly ((dice: Dice) => string)[] = [
  (dice) => `table ${tables(dice)} | search ${condition(dice)}`,
  (dice) => `table ${tables(dice)} | search ${condition(dice)} | stats count, sum(n) as total`,
  (dice) => `table ${tables(dice)} | search ${condition(dice)} | search ${condition(dice)} | fields s, n`,
  (dice) => `table ${tables(dice)} | search ${condition(dice)} | limit 3 | search ${condition(dice)}`,
  (dice) => `table ${tables(dice)} | limit 20 | search ${condition(dice)}`,
  (dice) => `table limit=20 ${tables(dice)} | search ${condition(dice)}`,
  (dice) => `table ${tables(dice)} | eval n = nvl(n, 5) | rename mixed as m | sort d | search ${condition(dice)}`,
  (dice) => `table ${tables(dice)} | stats count by s, mixed | search ${condition(dice)}`,
  (dice) => `table ${tables(dice)} | dedup mixed | search ${condition(dice)} | stats count by mixed`,
  (dice) => `table ${tables(dice)} | eventstats count as c by s | search ${condition(dice)}`,
  (dice) => `table web | union [ table rows | search ${condition(dice)} ] | search ${condition(dice)}`,
  (dice) => `table web | join s [ table rows | fields s, b ] | search ${condition(dice)} | stats count by b`,
  (dice) => `fulltext ${search(dice)} ${pick(dice, ['and', 'or', 'and not'])} ${search(dice)} from ${tables(dice)}`,
];

const tables = (dice: Dice): string => pick(dice, ['web', 'web', 'rows', 'web, rows']);

export const filteredPipeline = (dice: Dice): string => pick(dice, PIPELINES)(dice);
