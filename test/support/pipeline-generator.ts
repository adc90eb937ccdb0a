// Random pipelines over small tables with nulls, mixed types, missing fields and an overflow (16.3), all valid.

import type { ExampleRow, ExampleValue, QueryExample } from '#query/example.ts';
import { chance, type Dice, pick, times } from '#test/support/query-dice.ts';

const TEXTS = [
  'a',
  'B',
  '',
  '5',
  ' 5 ',
  '1e2',
  'true',
  '한글',
  'x=1 y="q r" z',
  '{"k":1,"a":"j"}',
  'a,b',
  "'; drop --",
];
const VALUES: readonly ExampleValue[] = [
  null,
  0,
  1,
  2,
  5,
  500,
  2.5,
  -1.5,
  true,
  false,
  ...TEXTS,
  [1, 'b', null],
  [],
  { k: 1 },
];
const DATES = ['@2026-11-15 09:10:00+0900', '@2026-11-15 09:50:00+0900', '@2026-11-14 23:59:59+0900'];

function row(dice: Dice): ExampleRow {
  const fields: [string, () => ExampleValue][] = [
    ['n', () => pick(dice, [null, 1, 2, 3, 10])],
    ['s', () => pick(dice, [null, ...TEXTS])],
    ['m', () => pick(dice, VALUES)],
    ['l', () => pick(dice, [null, [1, 2], [], ['a', null]])],
    ['line', () => pick(dice, TEXTS)],
    ['rare', () => pick(dice, VALUES)],
    ['odd "name"', () => pick(dice, [1, 'x'])],
  ];
  const written = fields.filter(([name]) => name === 'n' || !chance(dice, 3)).map(([name, make]) => [name, make()]);
  return { _time: pick(dice, DATES), ...Object.fromEntries(written) };
}

export function smallWorld(dice: Dice): QueryExample & { readonly tables: Record<string, readonly ExampleRow[]> } {
  return {
    tables: { t: times(dice.below(9), () => row(dice)), r: times(dice.below(5), () => row(dice)) },
    lookups: {
      users: {
        key: 'user',
        rows: [
          { user: 'a', dept: 'x', floor: 3 },
          { user: '5', dept: null, floor: 1 },
        ],
      },
    },
    groups: { '11111111-1111-1111-1111-111111111111': ['10.0.0.0/8', 'a/1-3', 'b/10'] },
    query: '',
  };
}

const FIELDS = ['n', 's', 'm', 'l', 'line', 'rare', 'field("odd \\"name\\"")', '_time', 'e', 'g', 'gone'];

const field = (dice: Dice) => pick(dice, FIELDS);
const fields = (dice: Dice) => [...new Set(times(1 + dice.below(3), () => field(dice)))].join(', ');

const condition = (dice: Dice): string =>
  pick(dice, [
    () => `${field(dice)} == ${pick(dice, ['1', '5', '"5"', '"a*"', 'true', '2.5'])}`,
    () => `${field(dice)} != ${pick(dice, ['1', '"a"', '""'])}`,
    () => `${field(dice)} > ${pick(dice, ['1', '"a"'])}`,
    () => `isnull(${field(dice)})`,
    () => `not(${field(dice)} == ${field(dice)})`,
    () => field(dice),
    () => `(${condition(dice)}) ${pick(dice, ['and', 'or'])} (${condition(dice)})`,
  ])();

const value = (dice: Dice): string =>
  pick(dice, [
    () => field(dice),
    () => `concat(${field(dice)}, "-", ${field(dice)})`,
    () => `nvl(${field(dice)}, ${pick(dice, ['0', '"z"'])})`,
    () => `if(${condition(dice)}, ${field(dice)}, ${pick(dice, ['1', '"q"', 'null'])})`,
    () => `len(${field(dice)})`,
    () => 'double(n) * 2',
    () => 'seq()',
    () => `kvjoin("=", ";"${pick(dice, ['', ', "^[a-m]"'])})`,
    () => `format("%s|%4d|%.1f", ${field(dice)}, ${field(dice)}, n)`,
    () => `signature(${field(dice)})`,
  ])();

const AGGREGATES = [
  'count',
  'count(n)',
  'sum(n)',
  'min(m)',
  'max(s)',
  'dc(m)',
  'values(s)',
  'first(m)',
  'last(n)',
  'avg(n)',
];

const aggregates = (dice: Dice) =>
  [...new Set(times(1 + dice.below(2), () => pick(dice, AGGREGATES)))].map((one, index) => `${one} as g${index || ''}`);

const STEPS: readonly ((dice: Dice) => string)[] = [
  (dice) => `search ${chance(dice, 6) ? 'limit=2 ' : ''}${condition(dice)}`,
  (dice) => `eval ${pick(dice, ['e', 'm', 's', 'field("new \' one")'])} = ${value(dice)}, g = ${value(dice)}`,
  (dice) => `fields ${pick(dice, ['', '- '])}${fields(dice)}`,
  (dice) => `rename ${field(dice)} as ${pick(dice, ['e', 'm', 'other', 'rare'])}`,
  (dice) => `order ${fields(dice)}`,
  (dice) =>
    `sort ${pick(dice, ['', 'limit=3 '])}${pick(dice, ['', '-'])}${field(dice)}${pick(dice, ['', ' by s', ' by m'])}`,
  (dice) => `limit ${pick(dice, ['0', '2', '1 3', '100'])}`,
  (dice) => `dedup ${pick(dice, ['', 'count=2 '])}${fields(dice)}`,
  (dice) => `stats ${aggregates(dice).join(', ')}${pick(dice, ['', ' by s', ' by m', ' by n, rare'])}`,
  (dice) => `eventstats ${aggregates(dice).join(', ')}${pick(dice, ['', ' by s', ' by m', ' by n, rare'])}`,
  (dice) =>
    `streamstats ${pick(dice, ['', 'window=1 ', 'window=2 ', 'window=100 '])}${aggregates(dice).join(', ')}${pick(dice, ['', ' by s', ' by m', ' by n, rare'])}`,
  (dice) => `prev ${fields(dice)}`,
  (dice) =>
    `${pick(dice, ['rollup', 'cube'])} ${pick(dice, ['', 'label=ALL '])}${aggregates(dice).join(', ')} by ${pick(dice, ['s', 'm', 'n, rare', 's, m, n'])}`,
  (dice) =>
    `timechart span=1h ${pick(dice, ['', 'cont=t ', 'cont=t fill=- ', 'limit=1 '])}${aggregates(dice).join(', ')}${pick(dice, ['', ' by s', ' by m'])}`,
  (dice) =>
    `pivot ${aggregates(dice).join(', ')}${pick(dice, ['', ' rows n', ' rows m'])} cols ${pick(dice, ['s', 'm', 's, n'])}`,
  (dice) => `${pick(dice, ['top', 'rare'])} 2 ${pick(dice, ['s', 'm'])}${pick(dice, ['', ' by n'])}`,
  (dice) => `explode ${pick(dice, ['l', 'm', 's'])}`,
  (dice) => `rex ${pick(dice, ['', 'field=s '])}"(?<s>[a-z])=(?<e>\\d)?"`,
  () => `parse "x=*" as e, "*=" as s`,
  (dice) => `parsekv ${pick(dice, ['', 'overlay=t ', 'quote=t '])}`,
  (dice) => `parsejson ${pick(dice, ['', 'overlay=t ', 'flatten=t '])}${pick(dice, ['', 'field=s'])}`.trim(),
  (dice) => `parsemap field=${pick(dice, ['m', 'rare', 's'])} ${pick(dice, ['', 'overlay=t'])}`.trim(),
  (dice) => `signature field=${pick(dice, ['s', 'm', 'line'])}`,
  (dice) =>
    `matchport port=${pick(dice, ['n', 's', 'm'])} protocol=${pick(dice, ['s', 'm'])} guid=11111111-1111-1111-1111-111111111111 ${pick(dice, ['tag=t', 'invert=t'])}`,
  (dice) =>
    `matchblackip fields=${pick(dice, ['s,m', 'rare', 'gone,s'])} guid=11111111-1111-1111-1111-111111111111 ${pick(dice, ['tag=t', 'invert=t'])}`,
  (dice) => `parsecsv ${pick(dice, ['', 'overlay=t ', 'strict=t '])}${pick(dice, ['', 'n, e'])}`,
  (dice) => `fillnull ${pick(dice, ['', 'value=x '])}${pick(dice, ['', fields(dice)])}`,
  (dice) => `bin span=${pick(dice, ['2', '1.5', '1h'])} ${pick(dice, ['n', 'm', '_time'])}`,
  (dice) => `repeat count=${pick(dice, ['1', '2'])}`,
  () => 'tojson',
  (dice) => `lookup users ${pick(dice, ['s', 'm'])} output dept as e, floor`,
  (dice) =>
    `memlookup op=build name=b key=${pick(dice, ['s', 'm', 'n', 'rare'])} line, n | lookup b ${pick(dice, ['s', 'm', 'n'])} output line as e, n as k`,
  (dice) => `lookup geoip ${field(dice)} output country as e, asn`,
  (dice) =>
    `matchnet field=${pick(dice, ['s', 'm'])} guid=11111111-1111-1111-1111-111111111111 ${pick(dice, ['tag=t', 'invert=t'])}`,
  (dice) => pick(dice, ['bypass', 'drop', 'set k = 1']),
  (dice) => `union [ ${source(dice)} | ${step(dice, 0)} ]`,
  (dice) =>
    `join type=${pick(dice, ['inner', 'left', 'right', 'full', 'leftonly', 'rightonly'])} ${pick(dice, ['n', 's', 'm', 'rare'])} [ ${source(dice)} ]`,
];

const GROUPING = /^(stats|timechart|pivot|top|rare|rollup|cube)\b/;

function grouping(dice: Dice): string {
  const text = step(dice, 1);
  return GROUPING.test(text) ? text : grouping(dice);
}

/** With commands that look at groups of rows among others. */
export const groupedPipeline = (dice: Dice): string =>
  [
    source(dice),
    ...times(dice.below(3), () => step(dice, 1)),
    grouping(dice),
    ...times(dice.below(2), () => step(dice, 1)),
    ...times(dice.below(2), () => grouping(dice)),
  ].join(' | ');

const source = (dice: Dice) =>
  pick(dice, [
    'table t',
    'table r',
    'table t, r',
    'table order=asc limit=3 t',
    "json \"[{n:1,m:'a'},{s:'5',m:5,x:[1]}]\"",
    'fulltext "a" or s == "B" from t',
    'lookuptable users dept, user',
  ]);

const step = (dice: Dice, depth: number): string => pick(dice, depth > 0 ? STEPS : STEPS.slice(0, 8))(dice);

/** Three to six commands. */
export const pipeline = (dice: Dice): string =>
  [source(dice), ...times(2 + dice.below(4), () => step(dice, 1))].join(' | ');
