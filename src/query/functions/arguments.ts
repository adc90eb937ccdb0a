// Kinds of arguments for signatures, and the checks of constants that are written in the query text.

import { CHANGED_SINCE, changedReadings, datePatternError } from '#query/model/date-pattern.ts';
import { isDuration, isTimeSpan, spanOffset } from '#query/model/durations.ts';
import type { Literal } from '#query/model/expression.ts';
import type { Argument, CheckContext } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import { checkPattern } from '#query/model/regex.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import { isLocaleText, localeNamed, zoneNamed } from '#query/model/zones.ts';
import { charsetNamed } from '#query/values/text/charsets.ts';
import { notConstant } from '#query/values/typing.ts';

export const x: Argument = { type: 'any' };
export const s: Argument = { type: 'string' };
export const n: Argument = { type: 'number' };
export const i: Argument = { type: 'whole' };
export const d: Argument = { type: 'date' };
export const l: Argument = { type: 'list' };
export const bytes: Argument = { type: 'binary' };

export const optional = (argument: Argument): Argument => ({ ...argument, optional: true });
/** One or more arguments of this kind. */
export const several = (argument: Argument): Argument => ({ ...argument, rest: true });
export const wild = (argument: Argument): Argument => ({ ...argument, wild: true });
export const constant = (argument: Argument): Argument => ({ ...argument, constant: true });

/** The GUID of a group of addresses or ports. */
export const groupGuid: Argument = { type: 'string', constant: true, isGroup: true };

const checked = (check: Argument['check']): Argument => ({
  type: 'string',
  constant: true,
  ...(check ? { check } : {}),
});

export const regex = checked((literal) => {
  if (literal.inner) checkPattern(literal.inner);
});

export const duration = checked((literal) => {
  if (!isDuration(textOf(literal))) throw badTime(literal);
});

export const span = checked((literal) => {
  if (!isTimeSpan(textOf(literal))) throw badTime(literal);
});

export const bucketOffset = checked((literal) => {
  if (!spanOffset(textOf(literal))) throw badTime(literal);
});

/** A zone or a locale, in either order: a text of two small letters is a locale (9.2). */
export const zoneOrLocale: Argument = {
  ...checked((literal) => {
    const name = textOf(literal);
    if (isLocaleText(name)) {
      if (!localeNamed(name)) throw new QueryError(90309, literal, { name });
    } else if (!zoneNamed(name)) throw new QueryError(90308, literal, { name });
  }),
  mayBeSkipped: true,
};

/** The name of a charset, without regard to case. */
export const charset: Argument = {
  ...checked((literal) => {
    const name = textOf(literal);
    if (!charsetNamed(name)) throw new QueryError(30104, literal, { name });
  }),
  named: (text) => charsetNamed(text) ?? text,
};

/** A pattern that writes dates. */
export const datePattern = checked((literal) => {
  const error = literal.inner && datePatternError(literal.inner);
  if (error) throw error;
});

/** A pattern that reads dates. */
export const readPattern: Argument = {
  ...datePattern,
  warnings: (literal) =>
    changedReadings(textOf(literal)).map(({ letters, reading }) => ({
      code: 90921,
      begin: literal.begin,
      end: literal.end,
      suggestions: [],
      values: { letters, version: CHANGED_SINCE, reading: { term: reading } },
    })),
};

/** A word of a closed set. */
export const oneOf = (words: readonly string[]): Argument =>
  checked((literal, context) => {
    const word = textOf(literal);
    if (!words.includes(word)) throw notConstant(literal, { ...context, type: words.join(' | ') });
  });

export const UNITS = ['year', 'mon', 'week', 'day', 'hour', 'min', 'sec', 'msec'];
export const PARTS = [
  'year',
  'quarter',
  'mon',
  'day',
  'hour',
  'min',
  'sec',
  'msec',
  'dow',
  'isodow',
  'doy',
  'week',
  'epoch',
];

export const unit = timeUnit(UNITS);
export const datePart = timeUnit(PARTS);

function timeUnit(units: readonly string[]): Argument {
  return checked((literal) => {
    const name = textOf(literal);
    if (units.includes(name)) return;
    throw new QueryError(90306, literal, { name }, { suggestions: suggestionsFor(name, units) });
  });
}

export const percent: Argument = {
  type: 'number',
  constant: true,
  check(literal, context) {
    const value = Number(literal.value);
    if (!(value >= 0 && value <= 100)) throw notConstant(literal, { ...context, type: '0–100' });
  },
};

export const atLeastOne: Argument = {
  type: 'whole',
  constant: true,
  check(literal: Literal, context: CheckContext) {
    if (!(Number(literal.value) >= 1)) throw notConstant(literal, { ...context, type: 'N ≥ 1' });
  },
};

/** A constant of another type is converted to text by 3.2. */
const textOf = ({ value }: Literal): string => String(value);

const badTime = (literal: Literal) => new QueryError(90010, literal, { value: textOf(literal) });
