// The records of a log mostly look alike: the same names in the same order, with values of the same types. Parsing each
// as JSON and looking at every value costs more than all else that is done to it, so a shape that was seen once becomes a
// regular expression, which says in one go that a line is valid JSON, that no name repeats, and of which types its values
// are. What it does not know, and whatever is not plain (nested values, odd escapes, huge numbers), is for the parser.

import { fromTimeText } from '#contract/times.ts';
import { type FieldType, isReserved, type LogRecord, type RecordRun, type Shape } from '#engines/engine.ts';
import { scanObject } from '#kernel/json-members.ts';
import { isStorable } from '#kernel/storable-time.ts';

/** Longer lines are rare, and a regular expression could overflow its stack on them. */
const MAX_LINE = 64 * 1024;
const MAX_PATTERNS = 64;
/** A record of more fields makes an expression that takes too long to make, or cannot be made at all. */
const MAX_FIELDS = 200;
/** Of the patterns, as many as are tried on one line, the most recent first. */
const MAX_TRIED = 8;
/** When so many more lines were not recognised than were, the log has no shapes worth knowing. */
const MAX_MISSES = 500;

const PLAIN = '[^"\\\\\\u0000-\\u001f]*';
const WHOLE = '-?(?:0|[1-9]\\d{0,14})';
const SOURCES: Readonly<Record<Exclude<FieldType, 'other'>, string>> = {
  // Escapes by number may hide what no text may hold.
  string: `"${PLAIN}(?:\\\\["\\\\/bfnrt]${PLAIN})*"`,
  // So many digits are exact in a double, whatever they are.
  long: WHOLE,
  double: `${WHOLE}\\.\\d+`,
  bool: '(?:true|false)',
  null: 'null',
};
type PlainType = keyof typeof SOURCES;
const TYPES = Object.entries(SOURCES).map(([type, source]) => [type as PlainType, new RegExp(`^${source}$`)] as const);

interface Pattern {
  readonly shape: Shape;
  /** Its groups: what stands before the member `_time`, the value of that, and what stands behind. */
  readonly timed: boolean;
  readonly expression: RegExp;
  /** Finds a whole line at a place in many, which are given a byte to a letter. */
  readonly inLines: RegExp;
  /** Whether its time is a whole number. */
  readonly isTimeWhole: boolean;
}

/** A record that was recognised. */
interface Recognised {
  readonly shape: Shape;
  /** Absent where it brings none. */
  readonly time: number | undefined;
  /** The record without its own `_time`. */
  readonly text: string;
}

export class Shapes {
  readonly #zone: string;
  readonly #patterns: Pattern[] = [];
  #misses = 0;

  /** In `zone` times without an offset are read. */
  constructor(zone: string) {
    this.#zone = zone;
  }

  /** `line` is valid text. Undefined when it must be parsed. */
  recognise(line: string): Recognised | undefined {
    if (line.length > MAX_LINE || this.#misses > MAX_MISSES) return undefined;
    for (let index = 0; index < Math.min(this.#patterns.length, MAX_TRIED); index += 1) {
      const pattern = this.#patterns[index];
      const found = pattern?.expression.exec(line);
      if (!pattern || !found) continue;
      this.#misses = Math.max(0, this.#misses - 1);
      if (index > 0) this.#patterns.unshift(...this.#patterns.splice(index, 1));
      return this.#recognised(pattern, line, found);
    }
    this.#misses += 1;
    return undefined;
  }

  /** As many alike lines as follow each other from `begin` on. */
  run(lines: Lines): RecordRun | undefined {
    if (this.#misses > MAX_MISSES) return undefined;
    for (let index = 0; index < Math.min(this.#patterns.length, MAX_TRIED); index += 1) {
      const pattern = this.#patterns[index];
      const run = pattern && (!pattern.timed || pattern.isTimeWhole) && runOf(pattern, lines);
      if (!run) continue;
      if (index > 0) this.#patterns.unshift(...this.#patterns.splice(index, 1));
      return { ...run, records: () => this.#recordsOf(pattern, run) };
    }
    return undefined;
  }

  /** The line was parsed and is a valid record: others like it are recognised from now on, if it is plain. */
  learn(line: string, { names }: Shape): void {
    if (this.#patterns.length >= MAX_PATTERNS || line.length > MAX_LINE || names.length > MAX_FIELDS) return;
    const pattern = patternOf(line);
    if (pattern) this.#patterns.unshift(pattern);
  }

  /** Asked for later, when other patterns are tried first: the one that found them knows them still. */
  #recordsOf(pattern: Pattern, { bytes, begins, ends, times, count }: Omit<RecordRun, 'records'>): LogRecord[] {
    return Array.from({ length: count }, (_, index) => {
      const line = bytes.toString('utf8', begins[index], ends[index]).trimEnd();
      const found = pattern.expression.exec(line);
      const known = found && this.#recognised(pattern, line, found);
      if (!known) throw new Error('a line was recognised among others, but not alone');
      return { time: times[index] ?? 0, shape: known.shape, text: known.text };
    });
  }

  #recognised({ shape, timed }: Pattern, line: string, found: RegExpExecArray): Recognised | undefined {
    if (!timed) return { shape, time: undefined, text: line };
    const [, before = '', source = '', behind = ''] = found;
    const time = source.startsWith('"') ? fromTimeText(source.slice(1, -1), this.#zone) : Number(source);
    return time === undefined ? undefined : { shape, time, text: before + behind };
  }
}

interface Member {
  readonly name: string;
  readonly type: PlainType;
}

function patternOf(line: string): Pattern | undefined {
  const members: Member[] = [];
  for (const [key, source] of scanObject(line).members) {
    const name = key.slice(1, -1);
    const [type] = TYPES.find(([, expression]) => expression.test(source)) ?? [];
    const isKnown = members.some((member) => member.name === name);
    if (type === undefined || isKnown || name.includes('\\')) return undefined;
    if (name === '_time' ? type !== 'long' && type !== 'string' : isReserved(name)) return undefined;
    members.push({ name, type });
  }
  if (members.length === 0 || members.length > MAX_FIELDS) return undefined;
  // Where a log has no blanks around its values, looking for them takes a quarter of the time.
  const tight = patternFrom(members, '');
  return tight.expression.test(line) ? tight : patternFrom(members, '[ \\t]*');
}

/** `blank` is what may stand between the tokens. */
function patternFrom(members: readonly Member[], blank: string): Pattern {
  const at = members.findIndex(({ name }) => name === '_time');
  const own = members.filter(({ name }) => name !== '_time');
  const written = members.map((member) => memberOf(member, blank));
  const asBytes = members.map(({ name, type }) =>
    memberOf({ name: Buffer.from(name).toString('latin1'), type }, blank),
  );
  return {
    shape: { names: own.map(({ name }) => name), types: own.map(({ type }) => type) },
    timed: at !== -1,
    isTimeWhole: members[at]?.type === 'long',
    expression: new RegExp(`^${expressionOf(written, at)}${blank}$`),
    inLines: new RegExp(`${expressionOf(asBytes, -1)}${blank}\\r?\\n`, 'y'),
  };
}

function memberOf({ name, type }: Member, blank: string): string {
  const value = name === '_time' ? `(${SOURCES[type]})` : SOURCES[type];
  return `${blank}"${RegExp.escape(name)}"${blank}:${blank}${value}${blank}`;
}

/** Many lines of valid UTF-8, each with its end. */
export interface Lines {
  readonly bytes: Buffer;
  /** Has a letter for each of the bytes. */
  readonly text: string;
  readonly begin: number;
  /** The time of a record that brings none. */
  readonly arrival: number;
  readonly maxLineBytes: number;
}

/** Undefined when not even the first line fits. */
function runOf({ inLines, shape, timed }: Pattern, { bytes, text, begin, arrival, maxLineBytes }: Lines) {
  const begins: number[] = [];
  const ends: number[] = [];
  const times: number[] = [];
  inLines.lastIndex = begin;
  const mostBytes = Math.min(maxLineBytes, MAX_LINE);
  /** Mostly the same in every line. */
  let timeAt = 1;
  for (let from = begin; fits(inLines, text); from = inLines.lastIndex) {
    const end = inLines.lastIndex;
    if (timed) timeAt = placeOfTime(bytes, from, end, from + timeAt) - from;
    const time = timed ? wholeNumberAt(bytes, from + timeAt) : arrival;
    if (time === undefined || end - from > mostBytes) break;
    begins.push(from);
    ends.push(end);
    times.push(time);
  }
  if (begins.length === 0) return undefined;
  return {
    shape,
    count: begins.length,
    bytes,
    begins: Uint32Array.from(begins),
    ends: Uint32Array.from(ends),
    times: Float64Array.from(times),
    isTimed: timed,
  };
}

function fits(expression: RegExp, text: string): boolean {
  try {
    return expression.test(text);
  } catch (error) {
    // Its stack is too small for a line that is too long for it anyway.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Where the member `_time` begins in the line, at `expected` if it does; behind the line where blanks hide it. */
function placeOfTime(bytes: Buffer, from: number, end: number, expected: number): number {
  for (let index = 0; index < TIME_KEY.length; index += 1) {
    if (bytes[expected + index] === TIME_KEY[index]) continue;
    const found = bytes.indexOf(TIME_KEY, from);
    return found === -1 ? end : Math.min(found, end);
  }
  return expected;
}

/** Behind the name that begins at `from`. Undefined where there is none, and for a time that nothing can be stored under. */
function wholeNumberAt(bytes: Buffer, from: number): number | undefined {
  let at = from + TIME_KEY.length;
  const isNegative = bytes[at] === MINUS;
  if (isNegative) at += 1;
  let value = 0;
  let digit = (bytes[at] ?? 0) - ZERO;
  if (bytes[from] !== TIME_KEY[0] || digit < 0 || digit > 9) return undefined;
  for (; digit >= 0 && digit <= 9; digit = (bytes[at] ?? 0) - ZERO) {
    value = value * 10 + digit;
    at += 1;
  }
  const time = isNegative ? -value : value;
  return isStorable(time) ? time : undefined;
}

/** Cannot stand inside of a string, where its second quotation mark would be escaped. */
const TIME_KEY = Buffer.from('"_time":');
const [MINUS, ZERO] = [0x2d, 0x30];

/** `at` is the place of `_time`, whose member is outside of the groups with one of the commas beside it. */
function expressionOf(members: readonly string[], at: number): string {
  if (at === -1) return `\\{${members.join(',')}\\}`;
  const time = members[at] ?? '';
  const [before, behind] = [members.slice(0, at), members.slice(at + 1)];
  if (at > 0) return `(\\{${before.join(',')}),${time}(${behind.map((member) => `,${member}`).join('')}\\})`;
  return `(\\{)${time}${behind.length > 0 ? ',' : ''}(${behind.join(',')}\\})`;
}
