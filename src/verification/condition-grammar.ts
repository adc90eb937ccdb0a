// Conditions over the fields of sampled tables: of every form that a log store may test itself, and of some that it may not. Their
// constants are values of the sample, parts of them, and values beside them.

import { chance, type Dice, pick, times } from '#kernel/dice.ts';
import { EXPRESSION_KEYWORDS, operandFieldText } from '#query/language/expressions/expression-text.ts';
import { numberText } from '#query/language/numbers.ts';
import { quoted, quotedPattern } from '#query/language/strings.ts';
import type { Value } from '#query/model/values.ts';
import type { SampledField, SampledTable } from './sampled-table.ts';

const ORDERS = ['==', '!=', '<', '<=', '>', '>='] as const;

/** Longer texts are compared by a part of them: constants have a bounded room in a statement. */
const MAX_CONSTANT = 80;

const MIN_LONG = -(2n ** 63n) + 1n;
const MAX_LONG = 2n ** 63n - 1n;

const ODD_NUMBERS = ['0', '1', '-1.5', '2.5', '10.0', '9007199254740993', '1e300'];

/** Every keyword of a place where a field may stand, so that one text of a name is right everywhere. */
const KEYWORDS = [...EXPRESSION_KEYWORDS, 'as', 'by', 'rows', 'cols', 'for', 'not', 'from', 'output'];

export const fieldName = (name: string): string => operandFieldText(name, KEYWORDS);

export const dateText = (time: Temporal.Instant): string =>
  `date("${time.round('millisecond').toString({ fractionalSecondDigits: 3 })}")`;

export function condition(dice: Dice, table: SampledTable): string {
  switch (dice.below(7)) {
    case 0:
      return `(${simple(dice, table)}) ${pick(dice, ['and', 'or'])} (${simple(dice, table)})`;
    case 1:
      return `not(${simple(dice, table)})`;
    case 2:
      return `not((${simple(dice, table)}) ${pick(dice, ['and', 'or'])} not(${simple(dice, table)}))`;
    default:
      return simple(dice, table);
  }
}

function simple(dice: Dice, { fields, times: moments }: SampledTable): string {
  if (fields.length === 0 || (moments.length > 0 && chance(dice, 6))) {
    return moments.length === 0 ? 'isnull(gone)' : timeCondition(dice, moments);
  }
  const field = pick(dice, fields);
  const name = fieldName(field.name);
  if (chance(dice, 10)) return `${pick(dice, ['isnull', 'isnotnull'])}(${name})`;
  if (chance(dice, 12)) return `${name} ${pick(dice, ORDERS)} ${fieldName(pick(dice, fields).name)}`;
  const value = pick(dice, field.values.length === 0 ? [null] : field.values);
  if (typeof value === 'string') return textCondition(dice, field, value);
  if (typeof value === 'bigint' || typeof value === 'number') return numberCondition(dice, field, value);
  if (typeof value === 'boolean') return pick(dice, [`${name} == ${value}`, `${name} != ${value}`, name]);
  return pick(dice, [`isnull(${name})`, `${name} == null`, `len(${name}) > 1`, `string(${name}) == "*1*"`]);
}

const timeCondition = (dice: Dice, moments: readonly Temporal.Instant[]): string =>
  `_time ${pick(dice, ORDERS)} ${dateText(pick(dice, moments))}`;

function textCondition(dice: Dice, field: SampledField, value: string): string {
  const name = fieldName(field.name);
  switch (dice.below(6)) {
    case 0:
      return `${name} ${pick(dice, ['==', '!='])} ${patternText(dice, value)}`;
    case 1:
      return `contains(${name}, ${quoted(partOf(dice, value))})`;
    case 2:
      return `in(${name}, ${times(1 + dice.below(3), () => memberText(dice, field)).join(', ')})`;
    case 3:
      return inexactCondition(dice, name, value);
    default:
      return `${name} ${comparedText(dice, value)}`;
  }
}

/** No store tests them alone. */
const inexactCondition = (dice: Dice, name: string, value: string): string =>
  pick(dice, [
    `eqi(${name}, ${constantText(value.slice(0, MAX_CONSTANT).toUpperCase())})`,
    `match(${name}, "(?i)[a-c]|\\\\d")`,
    `lower(${name}) == ${constantText(value)}`,
  ]);

function memberText(dice: Dice, { values }: SampledField): string {
  const value = pick(dice, values);
  if (typeof value === 'string') return chance(dice, 3) ? patternText(dice, value) : constantText(value);
  return typeof value === 'bigint' || typeof value === 'number' ? numberConstant(value) : '""';
}

function numberCondition(dice: Dice, field: SampledField, value: bigint | number): string {
  const name = fieldName(field.name);
  if (chance(dice, 6)) return `in(${name}, ${numberConstant(value)}, ${nearNumber(dice, value)})`;
  return `${name} ${pick(dice, ORDERS)} ${chance(dice, 3) ? nearNumber(dice, value) : numberConstant(value)}`;
}

function nearNumber(dice: Dice, value: bigint | number): string {
  if (chance(dice, 3)) return pick(dice, ODD_NUMBERS);
  if (typeof value === 'number') return numberConstant(pick(dice, [value + 1, value / 2, Math.round(value)]));
  return pick(dice, [numberConstant(value + 1n), numberConstant(value - 1n), numberConstant(Number(value))]);
}

/** As the language writes it: exponents without a plus. */
export function numberConstant(value: bigint | number): string {
  if (typeof value === 'bigint') return value < MIN_LONG || value > MAX_LONG ? '0' : numberText(value);
  return Number.isFinite(value) ? numberText(value).replace('e+', 'e') : '0.5';
}

/** Only where a star could be a wildcard it is written as a star. */
function comparedText(dice: Dice, value: string): string {
  const operator = pick(dice, ORDERS);
  const isWild = operator === '==' || operator === '!=';
  return `${operator} ${isWild ? constantText(value) : quoted(cutText(value))}`;
}

const cutText = (value: string): string => value.slice(0, MAX_CONSTANT).toWellFormed();

/** A star in it is a star. */
const constantText = (value: string): string => quotedPattern([cutText(value)]);

function patternText(dice: Dice, value: string): string {
  const part = partOf(dice, value);
  return quotedPattern(
    pick(dice, [
      [part, ''],
      ['', part],
      ['', part, ''],
      ['', ''],
    ]),
  );
}

/** Whole characters of a text. */
export function partOf(dice: Dice, value: string): string {
  const characters = [...value.slice(0, MAX_CONSTANT * 4)];
  const from = dice.below(characters.length + 1);
  return characters
    .slice(from, from + 1 + dice.below(6))
    .join('')
    .toWellFormed();
}

/** Words of the texts of a table, as a search by words divides them. */
export function wordsOf({ fields }: SampledTable): string[] {
  const texts = fields.flatMap(({ values }) => values.map(textOf));
  return [...new Set(texts.flatMap((text) => text.slice(0, MAX_CONSTANT * 4).match(/[\p{L}\p{Nd}]+/gu) ?? []))];
}

const textOf = (value: Value): string =>
  typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : '';
