// Reading the options of a command (2.4) and writing them back in the order of its syntax line.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { ParameterRead, Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import { takeExpression } from './expressions/expression-parser.ts';
import { expressionText } from './expressions/expression-text.ts';
import { OPERAND, shortened } from './expressions/operators.ts';
import { type DescribedOption, type OptionReader, type OptionText, optionError } from './option-readers.ts';
import { unescaped } from './strings.ts';
import type { Words } from './words.ts';

// biome-ignore lint/suspicious/noExplicitAny: each option has a value type of its own.
export type OptionReaders = Readonly<Record<string, DescribedOption<any>>>;

type ValueOf<R> = R extends OptionReader<infer T> ? T : never;

/** An option as written: a value, or the parameter that supplies it. */
export type RawOption<T> = { readonly value: T; readonly at: OptionText } | ParameterOption;

export interface ParameterOption {
  readonly parameter: ParameterRead;
  readonly at: OptionText;
}

export type RawOptions<R extends OptionReaders> = { readonly [K in keyof R]?: RawOption<ValueOf<R[K]>> };

/** Values after defaults; an option without a value and without a default is undefined. */
export type OptionValues<R extends OptionReaders> = { readonly [K in keyof R]: ValueOf<R[K]> | undefined };

const KEY = /[\p{L}_@][\p{L}\p{Nd}_@.]*/uy;
/** The value of a comparison that is written like an option. */
const OPTION_VALUE = new RegExp(`^(?:${OPERAND.source})`, 'u');
const LONGEST_SHOWN = 256;
const BARE = /[^ \t\r\n"()[\]|]+/y;

/** `before`: options of the same command that stand before its first word. */
export function* takeOptions<R extends OptionReaders>(
  words: Words,
  readers: R,
  command: string,
  before?: RawOptions<R>,
): SlicedWork<RawOptions<R>> {
  const given: Record<string, RawOption<unknown> | undefined> = { ...before };
  for (let written = keyHere(words, readers); written !== undefined; written = keyHere(words, readers)) {
    const span = { begin: words.at, end: words.at + written.length };
    const key = ownKey(written, readers);
    const reader = Object.hasOwn(readers, key) ? readers[key] : undefined;
    if (!reader) throw unknownOption(words, key, { command, readers });
    if (Object.hasOwn(given, key)) throw new QueryError(90007, span, { name: key });
    words.moveTo(span.end + 1);
    if (words.at !== span.end + 1 && !words.isDone)
      throw new QueryError(90000, { begin: span.begin, end: span.end + 1 });
    given[key] = yield* takeValue(words, { name: written, command }, reader);
  }
  return given as RawOptions<R>;
}

/** The key that an option is declared by. */
const ownKey = (written: string, readers: OptionReaders): string =>
  Object.hasOwn(readers, written)
    ? written
    : (Object.keys(readers).find((key) => readers[key]?.otherKey === written) ?? written);

/**
 * The key of an option at the cursor: a word directly followed by a single `=`. Space before the `=` is an error only
 * if the word is an option of the command; otherwise the text may be a comparison with too few signs.
 */
function keyHere(words: Words, readers: OptionReaders): string | undefined {
  const key = words.match(KEY);
  if (!key) return undefined;
  const end = words.at + key.length;
  let at = end;
  while (at < words.end && ' \t\r\n'.includes(words.text.charAt(at))) at += 1;
  if (at >= words.end || words.text.charAt(at) !== '=' || words.text.charAt(at + 1) === '=') return undefined;
  if (at === end) return key;
  if (Object.hasOwn(readers, key)) throw new QueryError(90000, { begin: words.at, end: at + 1 });
  return undefined;
}

function unknownOption(
  words: Words,
  key: string,
  about: { readonly command: string; readonly readers: OptionReaders },
): QueryError {
  const span = { begin: words.at, end: words.at + key.length };
  const suggestions = suggestionsFor(key, Object.keys(about.readers));
  const mayCompare = about.command === 'search' || about.command === 'fulltext';
  const right = OPTION_VALUE.exec(
    words.text.slice(span.end + 1, Math.min(words.end, span.end + 1 + LONGEST_SHOWN)),
  )?.[0];
  const values = { left: shortened(key), right: right ? shortened(right.trim()) : '…' };
  const hints = suggestions.length === 0 && mayCompare ? [{ code: 91001 as const, values }] : [];
  return new QueryError(90001, span, { command: about.command, name: key }, { hints, suggestions });
}

function* takeValue(
  words: Words,
  { name, command }: { readonly name: string; readonly command: string },
  reader: OptionReader<unknown>,
): SlicedWork<RawOption<unknown>> {
  const begin = words.at;
  if (words.startsWith('$(')) return yield* takeParameterOption(words, name);
  const token = words.takeString();
  if (token) {
    const at = { name, text: unescaped(token).text, isQuoted: true, begin, end: token.end };
    return { value: reader.read(at), at };
  }
  const bare = words.match(BARE) ?? '';
  const at = { name, text: bare, isQuoted: false, begin, end: begin + bare.length };
  const more = words.text.charAt(at.end);
  if (more === '(' && at.end < words.end && CALLED.test(bare)) throw computedValue(words, at, command);
  if (at.end < words.end && !' \t\r\n'.includes(more)) {
    throw optionError({ ...at, text: bare + more, end: at.end + 1 }, reader.expected);
  }
  words.moveTo(at.end);
  const value = reader.read(at);
  if (DAY.test(bare)) refuseClock(words);
  return { value, at };
}

const CALLED = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;

/** A call as a value, which only a parameter can have: the whole command as it reads with one. */
function computedValue(words: Words, { name, begin }: OptionText, command: string): QueryError {
  const end = words.callEnd();
  const call = words.text.slice(begin, end);
  const from = words.begin;
  const option = begin - name.length - 1;
  const written = `${words.text.slice(from, option)}${name}=$("${name}")${words.text.slice(end, words.end)}`;
  const hint = {
    code: 91051,
    values: { name, call: shortened(call), command },
    at: { begin: from, end: words.end },
    replacement: `set ${name} = ${call} | ${written}`,
  } as const;
  const values = { name, value: shortened(call), expected: `$("${name}")` };
  return new QueryError(90008, { begin, end }, values, { hints: [hint] });
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const CLOCK = /\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?![^ \t\r\n,])/y;

/** The second half of a time that is not quoted. */
function refuseClock(words: Words): void {
  const clock = words.match(CLOCK);
  if (!clock) return;
  const span = { begin: words.at, end: words.at + clock.length };
  throw new QueryError(90201, span, { token: clock }, { hints: [{ code: 91026 }] });
}

/** A value that a parameter supplies. */
export function* takeParameterOption(words: Words, name: string): SlicedWork<ParameterOption> {
  const begin = words.at;
  const close = words.callEnd();
  const inner = words.until(close);
  const parameter = yield* takeExpression(inner);
  if (parameter.kind !== 'parameter' || !inner.isDone) throw words.unexpected();
  words.moveTo(close);
  return { parameter, at: { name, text: words.text.slice(begin, close), isQuoted: false, begin, end: close } };
}

/** The key of the first option after a position, outside of strings and subqueries. */
export function lateOption(words: Words, from: number, readers: OptionReaders): Span | undefined {
  const marks = /["[]|(?<=[ \t\r\n,])([\p{L}_@][\p{L}\p{Nd}_@.]*)=(?!=)/gu;
  marks.lastIndex = from;
  for (let found = marks.exec(words.text); found && found.index < words.end; found = marks.exec(words.text)) {
    const { 0: mark, 1: key, index } = found;
    if (mark === '"') marks.lastIndex = words.stringEndFrom(index);
    else if (key === undefined) marks.lastIndex = words.brackets.get(index)?.end ?? words.end;
    else if (Object.hasOwn(readers, key)) return { begin: index, end: index + key.length };
  }
  return undefined;
}

/** In the order of declaration; options that equal their default, and those without effect, are omitted. */
export function optionsText<R extends OptionReaders>(given: RawOptions<R>, readers: R): string[] {
  return Object.entries(readers).flatMap(([key, reader]) => {
    const option = given[key];
    if (!option || reader.hasNoEffect) return [];
    if ('parameter' in option) return [`${key}=${expressionText(option.parameter)}`];
    const text = reader.write(option.value);
    return reader.initial !== undefined && reader.write(reader.initial) === text ? [] : [`${key}=${text}`];
  });
}
