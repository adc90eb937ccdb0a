// Pipelines over sampled tables, drawn by dice: all commands of which a log store may do a share, behind conditions that it may or may
// not test, over the fields and values of the tables. All are valid, and what they give is defined: nothing goes by an order
// that rows do not have.

import { chance, type Dice, pick, times } from '#kernel/dice.ts';
import { quoted } from '#query/language/strings.ts';
import { condition, dateText, fieldName, partOf, wordsOf } from './condition-grammar.ts';
import type { SampledField, SampledTable } from './sampled-table.ts';

/** `zone` is that of the query, in which its bounds of time are written. */
export function drawPipeline(dice: Dice, tables: readonly SampledTable[], zone: string): string {
  const table = chance(dice, 4) ? pick(dice, tables) : ofOneType(pick(dice, tables));
  switch (dice.below(6)) {
    case 0:
      return [fulltext(dice, table), ...tail(dice, table)].join(' | ');
    case 1:
    case 2:
      return [source(dice, { table, tables, zone }), ...conditions(dice, table), ...rowSteps(dice, table)].join(' | ');
    default:
      return [source(dice, { table, tables, zone }), ...conditions(dice, table), ...groupSteps(dice, table)].join(
        ' | ',
      );
  }
}

/** Most stages of a log store need fields of one type alone, so most pipelines read no others. */
function ofOneType(table: SampledTable): SampledTable {
  const fields = table.fields.filter(({ type }) => type !== 'any');
  return fields.length === 0 ? table : { ...table, fields };
}

interface Sources {
  readonly table: SampledTable;
  readonly tables: readonly SampledTable[];
  readonly zone: string;
}

function source(dice: Dice, { table, tables, zone }: Sources): string {
  const names = chance(dice, 5) ? [...new Set([table.name, pick(dice, tables).name])].join(', ') : table.name;
  const bounds = table.times.length > 0 && chance(dice, 4) ? `${boundsText(dice, table.times, zone)} ` : '';
  const cut = chance(dice, 6) ? `${pick(dice, ['limit=3 ', 'offset=1 ', 'offset=2 limit=20 ', 'limit=100 '])}` : '';
  return `table ${bounds}${pick(dice, ['', '', 'order=asc '])}${cut}${names}`;
}

function boundsText(dice: Dice, moments: readonly Temporal.Instant[], zone: string): string {
  const [one, other] = [pick(dice, moments), pick(dice, moments)].sort(Temporal.Instant.compare);
  const from = one && `from="${secondText(one, zone)}"`;
  const to = other && `to="${secondText(other, zone)}"`;
  const isBoth = one && other && secondText(one, zone) < secondText(other, zone);
  return pick(dice, [from, to, isBoth ? `${from} ${to}` : from]) ?? '';
}

function secondText(moment: Temporal.Instant, zone: string): string {
  const local = moment.toZonedDateTimeISO(zone).toPlainDateTime();
  return local.toString({ smallestUnit: 'second' }).replace('T', ' ');
}

/** Up to two; some rows pass on unchanged between them. */
const conditions = (dice: Dice, table: SampledTable): string[] =>
  times(dice.below(3), () => (chance(dice, 12) ? 'bypass' : `search ${condition(dice, table)}`));

function rowSteps(dice: Dice, table: SampledTable): string[] {
  const name = anyField(dice, table);
  const steps = [
    `fields ${name}, ${anyField(dice, table)}`,
    `sort ${pick(dice, ['', 'limit=5 '])}${pick(dice, ['', '-'])}${name}`,
    `sort -_time | limit ${pick(dice, ['1', '5', '2 7'])}`,
    `limit ${pick(dice, ['0', '3', '2 5', '100'])}`,
    `dedup ${pick(dice, ['', 'count=2 '])}${name}`,
    `eval e = concat(${name}, "-") | stats count by e`,
    `eventstats ${aggregates(dice, table)} by ${name}`,
    `search limit=4 ${condition(dice, table)}`,
  ];
  return times(1 + dice.below(2), () => pick(dice, steps));
}

function groupSteps(dice: Dice, table: SampledTable): string[] {
  return [group(dice, table), ...tail(dice, table)];
}

/** What the node does behind the share of the store. */
function tail(dice: Dice, table: SampledTable): string[] {
  const name = anyField(dice, table);
  return chance(dice, 2)
    ? []
    : [
        pick(dice, [
          'limit 3',
          'search isnotnull(g)',
          `sort -g | limit 4`,
          `eval e = concat(${name}, "x")`,
          'stats count',
        ]),
      ];
}

function group(dice: Dice, table: SampledTable): string {
  const of = () => anyField(dice, table);
  const calls = aggregates(dice, table);
  switch (dice.below(8)) {
    case 0:
      return topText(dice, table);
    case 1:
      return `timechart span=${pick(dice, SPANS)}${pick(dice, [' ', ' ', ' cont=t ', ' fill=0 '])}${calls}`;
    case 2:
      return `timechart span=${pick(dice, ['1h', '1d'])}${pick(dice, [' ', ' limit=1 ', ' limit=2 useother=f ', ' fill=0 '])}${calls} by ${fewValued(dice, table)}`;
    case 3:
      return `pivot ${pick(dice, ['', 'fill=0 '])}${calls}${pick(dice, ['', ` rows ${of()}`])} cols ${fewValued(dice, table)}`;
    case 4:
      return `${pick(dice, ['rollup', 'cube'])} ${calls} by ${fieldList(dice, table)}`;
    default:
      return `stats ${calls}${pick(dice, ['', ` by ${of()}`, ` by ${fieldList(dice, table)}`, ' by _table', ` by gone, ${of()}`])}`;
  }
}

function topText(dice: Dice, table: SampledTable): string {
  const names = someFields(dice, table);
  const other = anyField(dice, table);
  const by = names.includes(other) ? ' by _table' : ` by ${other}`;
  return `${pick(dice, ['top', 'rare'])} ${pick(dice, ['2', '10'])} ${names.join(', ')}${pick(dice, ['', by, ' by _table'])}`;
}

const SPANS = ['1h', '30m', '2h', '1d', '1w', '1mon', '7m', '1h offset=30m'];

const someFields = (dice: Dice, table: SampledTable): string[] => [
  ...new Set(times(1 + dice.below(2), () => anyField(dice, table))),
];

const fieldList = (dice: Dice, table: SampledTable): string => someFields(dice, table).join(', ');

/** A name of no field is one, too. */
const anyField = (dice: Dice, { fields }: SampledTable): string =>
  fields.length === 0 || chance(dice, 30) ? 'gone' : fieldName(pick(dice, fields).name);

/** Each value becomes a column. */
const MAX_COLUMNS = 12;

function fewValued(dice: Dice, { fields }: SampledTable): string {
  const few = fields.filter(({ values }) => new Set(values.map(String)).size <= MAX_COLUMNS);
  return few.length === 0 ? 'gone' : fieldName(pick(dice, few).name);
}

function aggregates(dice: Dice, { fields }: SampledTable): string {
  const calls = new Set(times(1 + dice.below(3), () => aggregate(dice, fields)));
  return [...calls].map((call, index) => `${call} as g${index || ''}`).join(', ');
}

function aggregate(dice: Dice, fields: readonly SampledField[]): string {
  if (fields.length === 0 || chance(dice, 4)) {
    return pick(dice, ['count', 'count', 'min(_time)', 'max(_time)', 'count(_time)']);
  }
  const { name: field, type, isSummable } = pick(dice, fields);
  const name = fieldName(field);
  const any = [`count(${name})`, `dc(${name})`, `estdc(${name})`, `values(${name})`, `values(${name}, 2)`];
  const ordered = [`min(${name})`, `max(${name})`];
  if (type === 'string')
    return pick(dice, [...any, ...ordered, `max(lower(${name}))`, `count(if(len(${name}) > 3, 1, null))`]);
  const isNumber = type === 'long' || type === 'double';
  return pick(dice, [
    ...any,
    ...(isNumber ? ordered : []),
    ...(isNumber && isSummable ? [`sum(${name})`, `avg(${name})`] : []),
  ]);
}

function fulltext(dice: Dice, table: SampledTable): string {
  const atoms = times(1 + dice.below(3), () => `${pick(dice, ['', '', 'not '])}${atom(dice, table)}`);
  const terms = atoms.reduce((all, one) => `${all} ${pick(dice, ['and', 'or'])} ${one}`);
  return `fulltext ${pick(dice, ['', '', 'tt=t ', 'order=asc limit=20 '])}${terms} from ${table.name}`;
}

function atom(dice: Dice, table: SampledTable): string {
  const words = wordsOf(table);
  const word = words.length === 0 ? 'a' : pick(dice, words);
  const shown = pick(dice, [word, word.toUpperCase(), word.toLowerCase()]);
  const part = [...shown].slice(0, 1 + dice.below(4)).join('');
  if (table.fields.length > 0 && chance(dice, 4)) return fieldAtom(dice, table);
  return pick(dice, [quoted(shown), quoted(`${part}*`), quoted(`*${part}`), quoted(`${shown} ${part}*`)]);
}

function fieldAtom(dice: Dice, { fields, times: moments }: SampledTable): string {
  const { name, values } = pick(dice, fields);
  const value = values.length === 0 ? null : pick(dice, values);
  const part = typeof value === 'string' ? (partOf(dice, value).match(/[\p{L}\p{Nd}]+/u)?.[0] ?? 'a') : '1';
  const tests = [
    `${fieldName(name)} == "*${part}*"`,
    `${fieldName(name)} != "${part}"`,
    `${fieldName(name)} >= "${part}"`,
  ];
  return pick(dice, moments.length === 0 ? tests : [...tests, `_time < ${dateText(pick(dice, moments))}`]);
}
