// The types of option values (2.4): how each is parsed from text, taken from a parameter and written back.

import type { Translated } from '#contract/values.ts';
import { type Duration, durationOf, durationText, spanOffset, timeSpanOf } from '#query/model/durations.ts';
import type { Span } from '#query/model/expression.ts';
import type { QueryErrorCode } from '#query/model/messages.ts';
import { QueryError } from '#query/model/query-error.ts';
import { momentOf } from '#query/model/times.ts';
import { NUMBER_TEXT, typeOf, type Value } from '#query/model/values.ts';
import { numberOfText } from '#query/values/conversions.ts';
import { CHARSETS, type Charset, charsetNamed } from '#query/values/text/charsets.ts';
import { numberText } from './numbers.ts';
import { quoted } from './strings.ts';

/** The value after `key=`, with escapes processed. */
export interface OptionText extends Span {
  readonly name: string;
  readonly text: string;
  readonly isQuoted: boolean;
  /** Written without its key, as the only object of a command. */
  readonly isObject?: true;
}

export interface OptionReader<T> {
  /** The allowed values, written without words of any language. */
  readonly expected: string;
  /** All allowed values, if they form a closed set. */
  readonly words?: readonly string[];
  readonly initial?: T;
  /** Accepted for its key; normalized text has the key. */
  readonly otherKey?: string;
  /** Accepted and left out of normalized text. */
  readonly hasNoEffect?: true;
  read(given: OptionText): T;
  /** Reads the value of a parameter, with its type. */
  take(value: Value, given: OptionText): T;
  write(value: T): string;
}

/** An option of a command. */
export interface DescribedOption<T> extends OptionReader<T> {
  readonly summary: Translated;
}

/** What the option means, for help. */
export const about = <T>(inner: OptionReader<T>, summary: Translated): DescribedOption<T> => ({ ...inner, summary });

interface ReaderParts<T> {
  readonly expected: string;
  readonly words?: readonly string[];
  readonly code?: QueryErrorCode;
  readonly parse: (text: string, isQuoted: boolean) => T | undefined;
  /** Converts the value of a parameter; without it the text of the value is parsed. */
  readonly accept?: (value: Value) => T | undefined;
  readonly write: (value: T) => string;
}

function reader<T>({ expected, words, code, parse, accept, write }: ReaderParts<T>): OptionReader<T> {
  const required = (value: T | undefined, given: OptionText): T => {
    if (value !== undefined) return value;
    throw optionError(given, expected, code);
  };
  return {
    expected,
    ...(words ? { words } : {}),
    read: (given) => required(parse(given.text, given.isQuoted), given),
    take: (value, given) => required(accept ? accept(value) : parse(textOf(value) ?? '', true), given),
    write,
  };
}

/** Supplies a value for every hole that the messages of option errors have: smallest number, value and name. */
export function optionError(given: OptionText, expected: string, code: QueryErrorCode = 90008): QueryError {
  const values = { name: given.name, value: given.text, expected, min: expected.replace(/\D/g, '') };
  const back = code === 90010 ? BACK_FROM_NOW.exec(given.text)?.[1] : undefined;
  const hints = back === undefined ? [] : [{ code: 91022 as const, values: { d: back } }];
  return new QueryError(code, given, code === 22500 || code === 30104 ? { name: given.text } : values, { hints });
}

/** `now-1h` of other languages. */
const BACK_FROM_NOW = /^now(?:\(\))?-(\d+[a-z]+)/;

/** `parallel=t|f`: neither rows nor their order depend on it (2.4). */
export const withoutEffect = <T>(inner: OptionReader<T>): OptionReader<T> => ({ ...inner, hasNoEffect: true });

export const orElse = <T>(initial: T, inner: OptionReader<T>): OptionReader<T> => ({ ...inner, initial });

export const alsoKey = <T>(otherKey: string, inner: OptionReader<T>): OptionReader<T> => ({ ...inner, otherKey });

export const whole = (min: number, code?: QueryErrorCode): OptionReader<bigint> =>
  reader<bigint>({
    expected: `N ≥ ${min}`,
    ...(code ? { code } : {}),
    parse: (text) => wholeAtLeast(/^\d+$/.test(text) ? numberOfText(text) : null, min),
    accept: (value) => wholeAtLeast(typeof value === 'string' ? numberOfText(value) : value, min),
    write: String,
  });

function wholeAtLeast(value: Value, min: number): bigint | undefined {
  const cut = typeof value === 'number' && Number.isSafeInteger(Math.trunc(value)) ? BigInt(Math.trunc(value)) : value;
  return typeof cut === 'bigint' && cut >= BigInt(min) ? cut : undefined;
}

export const flag: OptionReader<boolean> = reader<boolean>({
  expected: 't, f, true, false',
  words: ['t', 'f'],
  parse: (text) => (/^(?:t|true)$/.test(text) ? true : /^(?:f|false)$/.test(text) ? false : undefined),
  accept: (value) => (typeof value === 'boolean' ? value : undefined),
  write: (value) => (value ? 't' : 'f'),
});

export const text: OptionReader<string> = reader<string>({
  expected: 'TEXT',
  parse: (given) => given.normalize() || undefined,
  accept: (given) => textOf(given)?.normalize() || undefined,
  write: (value) => textOption(value),
});

/** Names separated by commas. */
export const nameList: OptionReader<readonly string[]> = reader<readonly string[]>({
  expected: 'F,F',
  parse: (given) => {
    const names = given.split(',').map((name) => name.trim().normalize());
    return names.includes('') ? undefined : names;
  },
  write: (names) => textOption(names.join(',')),
});

export const oneOf = <T extends string>(words: readonly T[], code?: QueryErrorCode): OptionReader<T> =>
  reader<T>({
    expected: words.join(', '),
    words,
    ...(code ? { code } : {}),
    parse: (given) => words.find((word) => word === given),
    write: (value) => textOption(value),
  });

export const charset: OptionReader<Charset> = reader<Charset>({
  expected: CHARSETS.join(', '),
  words: CHARSETS,
  code: 30104,
  parse: charsetNamed,
  write: (value) => textOption(value),
});

export const duration: OptionReader<Duration> = reader<Duration>({
  expected: 'D',
  code: 90010,
  parse: durationOf,
  write: durationText,
});

/** A whole number without a unit is seconds. */
export const durationOrSeconds: OptionReader<Duration> = reader<Duration>({
  expected: 'D',
  code: 90010,
  parse: (text) => durationOf(/^[1-9]\d*$/.test(text) ? `${text}s` : text),
  write: durationText,
});

export const timeSpan = (code: QueryErrorCode): OptionReader<Duration> =>
  reader<Duration>({ expected: 'SPAN', code, parse: timeSpanOf, write: durationText });

export const bucketOffset: OptionReader<Duration> = reader<Duration>({
  expected: 'D (s, m, h, d)',
  code: 90010,
  parse: spanOffset,
  write: durationText,
});

/** `span=` of bin: a duration for dates or a plain number for numbers. */
export const anySpan = (code: QueryErrorCode): OptionReader<Duration | bigint | number> =>
  reader<Duration | bigint | number>({
    expected: 'SPAN',
    code,
    parse: (given) => timeSpanOf(given) ?? positive(numberOfText(given)),
    accept: (value) => (typeof value === 'string' ? timeSpanOf(value) : positive(isNumber(value) ? value : null)),
    write: (value) => (typeof value === 'object' ? durationText(value) : numberText(value)),
  });

/** A number above a bound. */
export const numberAbove = (bound: number): OptionReader<number> =>
  reader<number>({
    expected: `X > ${bound}`,
    parse: (given) => above(bound, numberOfText(given)),
    accept: (value) => above(bound, typeof value === 'string' ? numberOfText(value) : isNumber(value) ? value : null),
    write: String,
  });

const above = (bound: number, value: bigint | number | null): number | undefined =>
  value !== null && value > bound ? Number(value) : undefined;

const isNumber = (value: Value): value is bigint | number => typeof value === 'bigint' || typeof value === 'number';

const positive = (value: bigint | number | null) => (value !== null && value > 0 ? value : undefined);

/** A time stays text until the zone of the query is known. */
export type WrittenTime = { readonly text: string } | Temporal.Instant;

export const time: OptionReader<WrittenTime> = reader<WrittenTime>({
  expected: 'T',
  code: 90010,
  parse: (given) => (instantOf({ text: given }, 'UTC') ? { text: given } : undefined),
  accept: (value) => {
    if (value instanceof Temporal.Instant) return value;
    const written = typeof value === 'bigint' ? String(value) : value;
    return typeof written === 'string' && instantOf({ text: written }, 'UTC') ? { text: written } : undefined;
  },
  write: (value) => (value instanceof Temporal.Instant ? quoted(value.toString()) : textOption(value.text, true)),
});

/** Reads digits or time text; both may be quoted. */
export function instantOf(written: WrittenTime, zone: string): Temporal.Instant | undefined {
  if (written instanceof Temporal.Instant) return written;
  const digits = /^\d{4}(?:\d{2}){0,5}$/.test(written.text);
  const moment = momentOf(digits ? written.text : `"${written.text}"`, zone);
  return moment === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(moment);
}

/** A text as written, or any value of a parameter. */
export const anyValue: OptionReader<Value> = reader<Value>({
  expected: 'VALUE',
  parse: (given) => given.normalize() || undefined,
  accept: (given) => given,
  write: (given) => textOption(textOf(given) ?? ''),
});

/** A text that may be empty if it is quoted, or any value of a parameter. */
export const anyText: OptionReader<Value> = reader<Value>({
  expected: 'TEXT',
  parse: (given, isQuoted) => (isQuoted ? given.normalize() : given.normalize() || undefined),
  accept: (given) => given,
  write: (given) => textOption(textOf(given) ?? ''),
});

/** As in fillnull: an unquoted number or boolean has that type, any other value is a string. */
export const value: OptionReader<Value> = reader<Value>({
  expected: 'VALUE',
  parse: (given, isQuoted) => (isQuoted ? given.normalize() : typedValue(given)),
  accept: (given) => given,
  write: (given) => {
    if (typeof given === 'bigint' || typeof given === 'number') return numberText(given);
    return typeof given === 'boolean' ? String(given) : textOption(textOf(given) ?? '');
  },
});

function typedValue(given: string): Value {
  if (given === 'true' || given === 'false') return given === 'true';
  const number = /^-?\d/.test(given) ? numberOfText(given) : null;
  return number ?? given.normalize();
}

export const guid: OptionReader<string> = reader<string>({
  expected: 'GUID',
  code: 21300,
  parse: (given) => (GUID.test(given) ? given.toLowerCase() : undefined),
  write: (written) => written,
});

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const BARE_TEXT = /^[\p{L}\p{Nd}_][\p{L}\p{Nd}_.,:/{}*-]*$/u;

/** Unquoted if that is unambiguous, else quoted. `numbersMayBeBare` if only text is expected. */
function textOption(given: string, numbersMayBeBare = false): string {
  const isOther = (NUMBER_TEXT.test(given) && !numbersMayBeBare) || /^(?:t|f|true|false)$/.test(given);
  return BARE_TEXT.test(given) && !isOther ? given : quoted(given);
}

/** The text of a parameter's value for options without a type of their own; undefined for dates and lists. */
const textOf = (given: Value): string | undefined =>
  ['string', 'long', 'double', 'bool'].includes(typeOf(given)) ? String(given) : undefined;

/** The span of the whole option, key included. */
export const optionSpan = ({ name, begin, end, isObject }: OptionText): Span => ({
  begin: isObject ? begin : begin - name.length - 1,
  end,
});
