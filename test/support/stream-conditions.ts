// Conditions of stream rules and records for them, out of small pools of values that are easily mistaken for each other.

import fc from 'fast-check';
import type { Condition } from '#detection/rules/condition-templates.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { GROUP } from './expressions.ts';

const oneOf = <T>(items: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...items);

const FIELDS = ['a', 's', 'line', '_time'];
const OTHER_GROUP = '22222222-2222-2222-2222-222222222222';

/** Of fields of records. */
export const VALUES: readonly Value[] = [
  null,
  true,
  false,
  ...[0n, 1n, -1n, 5n, 500n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n],
  ...[1, -0, 0.1, 5, 500, 2 ** 53, 2 ** 63, 1e21, -0.5],
  ...[
    '',
    '0',
    '1',
    '1.0',
    ' 1 ',
    '+1',
    '01',
    '1e0',
    '5e2',
    '500',
    '0.1',
    '9007199254740993',
    '9007199254740992',
    '1e21',
  ],
  ...['true', 'false', 'TRUE', 'null', 'a', 'abc', 'ABC', 'aBcabc', 'x abc y', '*', 'a*c', 'a\\*c', 'a\nc', '\\'],
  ...[
    'straße',
    'STRASSE',
    'ſ',
    's',
    'S',
    'Kelvin',
    'kelvin',
    'İ',
    'i',
    '한글',
    '글',
    '😀',
    'a😀c',
    'é',
    'e\u0301',
    'ﬀ',
  ],
  ...['2026-11-15', '2026-11-15 12:00:00+0900', 'error: login failed for root', 'GET /etc/passwd', '{"a":1}', '[1,2]'],
  ...['10.1.2.3', '::ffff:10.1.2.3', '192.168.0.7', '8.8.8.8', '2001:DB8::1', '10.1.2'],
  Temporal.Instant.from('2026-11-15T03:00:00Z'),
  Temporal.Instant.from('2026-11-14T15:00:00Z'),
  [],
  ['1', 1n, 'abc'],
  [null, 'a'],
  [['abc']],
  new Map<string, Value>([['a', 1n]]),
  new Map<string, Value>([['abc', 'x']]),
  new Uint8Array([97, 98, 99]),
];

export const streamRecord: fc.Arbitrary<MapValue> = fc
  .tuple(...FIELDS.map((name) => fc.option(fc.tuple(fc.constant(name), oneOf(VALUES)), { freq: 8, nil: undefined })))
  .map((members) => new Map(members.filter((member) => member !== undefined)));

const written = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;

const STRINGS = VALUES.filter((value) => typeof value === 'string').map(written);
const CONSTANTS = [
  ...STRINGS,
  ...['true', 'false', 'null', '0', '1', '1.0', '-1', '5', '500', '0.1', '500.0', '1e21', '-0.0'],
  ...['9007199254740993', '9007199254740992', '9007199254740992.0', '9223372036854775807'],
  ...['ip("10.1.2.3")', 'lower("ABC")', 'date("2026-11-15", "yyyy-MM-dd")', 'array("a", 1)', 'whoami()', 'string(1.0)'],
];
const PATTERNS = [
  '"*"',
  '"a*"',
  '"*c"',
  '"a*c"',
  '"*abc*"',
  '"1*"',
  '"\\*"',
  '"a\\*c"',
  '"*글"',
  '"ſ*"',
  '"5*0"',
  '"*\\\\*"',
];
const LIKES = ['"a*"', '"*bc"', '"*"', '""', '"\\\\*"', '"1*"', '"tr*"', '"*한*"'];
const REGEXES = [
  ...[
    '"abc"',
    '"^abc$"',
    '"a|b"',
    '"abc|글"',
    '"(?i)ABC"',
    '"(?i)s"',
    '"(?i)kel"',
    '"a+b"',
    '"ab?c"',
    '"(?:x )?abc"',
    '"(?:zzzzz)?abc"',
    '"(?:zzzzz){0,2}abc"',
    '"x?"',
  ],
  ...[
    '"[a]bc"',
    '"a.c"',
    '"(?s)a.c"',
    '"root|passwd"',
    '"(login|etc).*(root|wd)"',
    '"\\\\d{2,}"',
    '"\\\\*"',
    '"a{0}b"',
    '"(abc){2}"',
  ],
  ...[
    '"(?i:ABC)x?"',
    '"x (?-i)abc"',
    '"\\\\Qa*c\\\\E"',
    '"(a|)bc"',
    '"()abc"',
    '"(?P<n>abc) y"',
    '"[]a]bc"',
    '"\\\\x61bc"',
    '""',
  ],
];

const field = oneOf(FIELDS);
const subject = fc.oneof(
  { weight: 6, arbitrary: field },
  field.map((name) => `lower(${name})`),
  field.map((name) => `long(${name})`),
  field.map((name) => `concat(${name}, "c")`),
  field.map((name) => `nvl(${name}, "abc")`),
  fc.constant('datepart(_time, "year")'),
  fc.constant('datepart(now(), "year")'),
);

/** Every test of one thing against a constant that there is. */
export const testsOf = (of: string): string[] => [
  ...CONSTANTS.flatMap((constant) => [`${of} == ${constant}`, `${constant} == ${of}`, `contains(${of}, ${constant})`]),
  ...[...CONSTANTS, ...PATTERNS].flatMap((constant) => [`in(${of}, "no", ${constant})`, `eqi(${of}, ${constant})`]),
  ...['<', '<=', '>', '>=', '!='].flatMap((is) => CONSTANTS.map((constant) => `${of} ${is} ${constant}`)),
  ...CONSTANTS.map((constant) => `${constant} < ${of}`),
  ...PATTERNS.flatMap((pattern) => [`${of} == ${pattern}`, `${of} != ${pattern}`]),
  ...LIKES.map((pattern) => `like(${of}, ${pattern})`),
  ...REGEXES.map((pattern) => `match(${of}, ${pattern})`),
  ...[GROUP, OTHER_GROUP].map((guid) => `matchnet("${guid}", ${of})`),
];

const simple: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(subject, oneOf(CONSTANTS)).map(([left, right]) => `${left} == ${right}`) },
  fc.tuple(subject, oneOf(CONSTANTS)).map(([right, left]) => `${left} == ${right}`),
  fc.tuple(subject, oneOf(CONSTANTS), oneOf(['!=', '<', '<=', '>', '>='])).map(([l, r, is]) => `${l} ${is} ${r}`),
  { weight: 2, arbitrary: fc.tuple(subject, oneOf(PATTERNS)).map(([left, right]) => `${left} == ${right}`) },
  fc.tuple(subject, oneOf(PATTERNS)).map(([left, right]) => `${left} != ${right}`),
  fc.tuple(subject, subject).map(([left, right]) => `${left} == ${right}`),
  {
    weight: 2,
    arbitrary: fc
      .tuple(subject, fc.array(oneOf([...CONSTANTS, ...PATTERNS]), { minLength: 1, maxLength: 4 }))
      .map(([of, members]) => `in(${of}, ${members.join(', ')})`),
  },
  fc.tuple(subject, oneOf([...CONSTANTS, ...PATTERNS])).map(([of, other]) => `eqi(${of}, ${other})`),
  fc.tuple(subject, oneOf(LIKES)).map(([of, other]) => `like(${of}, ${other})`),
  fc.tuple(subject, oneOf(CONSTANTS)).map(([of, other]) => `contains(${of}, ${other})`),
  { weight: 2, arbitrary: fc.tuple(subject, oneOf(REGEXES)).map(([of, other]) => `match(${of}, ${other})`) },
  fc.tuple(subject, oneOf([GROUP, OTHER_GROUP])).map(([of, guid]) => `matchnet("${guid}", ${of})`),
  subject,
  subject.map((of) => `isnull(${of})`),
);

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 6, arbitrary: simple },
    fc
      .array(tie('expression'), { minLength: 2, maxLength: 3 })
      .map((all) => all.map((one) => `(${one})`).join(' and ')),
    fc.array(tie('expression'), { minLength: 2, maxLength: 3 }).map((all) => all.map((one) => `(${one})`).join(' or ')),
    tie('expression').map((one) => `not(${one})`),
    fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `if(${one}, ${other}, false)`),
  ),
}));

const command: fc.Arbitrary<string> = fc.oneof(
  { weight: 20, arbitrary: expression.map((one) => `search ${one}`) },
  fc
    .tuple(oneOf(FIELDS), oneOf([GROUP, OTHER_GROUP]), oneOf(['', ' invert=t', ' tag=t']))
    .map(([name, guid, how]) => `matchnet field=${name} guid=${guid}${how}`),
  fc.tuple(field, expression).map(([name, one]) => `eval ${name} = ${one}`),
  fc.tuple(field, field).map(([name, other]) => `eval ${name} = lower(${other})`),
  fc.tuple(field, field).map(([name, other]) => (name === other ? `search ${name}` : `rename ${name} as ${other}`)),
  field.map((name) => `fields ${name}`),
  field.map((name) => `fields - ${name}`),
  fc.constant('parsekv field=line overlay=t'),
  fc.constant('rex field=line "(?<s>abc)"'),
);

const condition: fc.Arbitrary<Condition> = fc.record({
  template_id: fc.constant(1),
  query: fc.oneof(
    { weight: 3, arbitrary: command },
    fc.array(command, { minLength: 2, maxLength: 3 }).map((commands) => commands.join(' | ')),
  ),
  invert: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
  ordinal: fc.constant(1),
});

/** The conditions of one rule. */
export const streamConditions: fc.Arbitrary<Condition[]> = fc.oneof(
  { weight: 3, arbitrary: condition.map((one) => [one]) },
  fc.array(condition, { minLength: 2, maxLength: 3 }),
);

export const STREAM_GROUPS: Readonly<Record<string, readonly string[]>> = {
  [GROUP]: ['10.0.0.0/8', '2001:db8::/32'],
  [OTHER_GROUP]: ['192.168.0.7', '8.8.8.8', '2001:db8::1'],
};
