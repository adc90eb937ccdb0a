// The records of a log mostly look alike: the same names in the same order, with values of the same types. Parsing each
// as JSON and looking at every value costs more than all else that is done to it, so a shape that was seen once becomes a
// regular expression, which says in one go that a line is sound JSON, that no name repeats, and of which types its values
// are. What it does not know, and whatever is not plain (nested values, odd escapes, huge numbers), is for the parser.

import { fromTimeText } from '#contract/times.ts';
import { type FieldType, isReserved, type Shape } from '#engines/engine.ts';
import { scanObject } from '#kernel/json-members.ts';

/** Longer lines are rare, and a regular expression could overflow its stack on them. */
const LINE_MOST = 64 * 1024;
const PATTERNS_MOST = 64;
/** A record of more fields makes an expression that takes too long to make, or cannot be made at all. */
const FIELDS_MOST = 200;
/** Of the patterns, as many as are tried on one line, the most recent first. */
const TRIED_MOST = 8;
/** When so many more lines were not recognised than were, the log has no shapes worth knowing. */
const MISSES_MOST = 500;

const BLANK = '[ \\t]*';
const PLAIN = '[^"\\\\\\u0000-\\u001f]*';
const WHOLE = '-?(?:0|[1-9]\\d{0,14})';
const SOURCES: Readonly<Record<FieldType, string>> = {
  // Escapes by number may hide what no text may hold.
  string: `"${PLAIN}(?:\\\\["\\\\/bfnrt]${PLAIN})*"`,
  // So many digits are exact in a double, whatever they are.
  long: WHOLE,
  double: `${WHOLE}\\.\\d+`,
  bool: '(?:true|false)',
  other: 'null',
};
const TYPES = Object.entries(SOURCES).map(([type, source]) => [type as FieldType, new RegExp(`^${source}$`)] as const);

interface Pattern {
  readonly shape: Shape;
  /** Its groups: what stands before the member `_time`, the value of that, and what stands behind. */
  readonly timed: boolean;
  readonly expression: RegExp;
}

/** A record that was recognised. */
export interface Recognised {
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

  /** `line` is sound text. Undefined when it must be parsed. */
  recognise(line: string): Recognised | undefined {
    if (line.length > LINE_MOST || this.#misses > MISSES_MOST) return undefined;
    for (let index = 0; index < Math.min(this.#patterns.length, TRIED_MOST); index += 1) {
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

  /** The line was parsed and is a sound record: others like it are recognised from now on, if it is plain. */
  learn(line: string): void {
    if (this.#patterns.length >= PATTERNS_MOST || line.length > LINE_MOST) return;
    const pattern = patternOf(line);
    if (pattern) this.#patterns.unshift(pattern);
  }

  #recognised({ shape, timed }: Pattern, line: string, found: RegExpExecArray): Recognised | undefined {
    if (!timed) return { shape, time: undefined, text: line };
    const [, before = '', source = '', behind = ''] = found;
    const time = source.startsWith('"') ? fromTimeText(source.slice(1, -1), this.#zone) : Number(source);
    return time === undefined ? undefined : { shape, time, text: before + behind };
  }
}

function patternOf(line: string): Pattern | undefined {
  const members: { name: string; type: FieldType }[] = [];
  for (const [key, source] of scanObject(line).members) {
    const name = key.slice(1, -1);
    const [type] = TYPES.find(([, expression]) => expression.test(source)) ?? [];
    const isKnown = members.some((member) => member.name === name);
    if (type === undefined || isKnown || name.includes('\\')) return undefined;
    if (name === '_time' ? type !== 'long' && type !== 'string' : isReserved(name)) return undefined;
    members.push({ name, type });
  }
  if (members.length === 0 || members.length > FIELDS_MOST) return undefined;
  const at = members.findIndex(({ name }) => name === '_time');
  const own = members.filter(({ name }) => name !== '_time');
  const shape = { names: own.map(({ name }) => name), types: own.map(({ type }) => type) };
  return { shape, timed: at !== -1, expression: new RegExp(`^${expressionOf(members.map(memberOf), at)}${BLANK}$`) };
}

const memberOf = ({ name, type }: { name: string; type: FieldType }): string =>
  `${BLANK}"${RegExp.escape(name)}"${BLANK}:${BLANK}${name === '_time' ? `(${SOURCES[type]})` : SOURCES[type]}${BLANK}`;

/** `at` is the place of `_time`, whose member is outside of the groups with one of the commas beside it. */
function expressionOf(members: readonly string[], at: number): string {
  if (at === -1) return `\\{${members.join(',')}\\}`;
  const time = members[at] ?? '';
  const [before, behind] = [members.slice(0, at), members.slice(at + 1)];
  if (at > 0) return `(\\{${before.join(',')}),${time}(${behind.map((member) => `,${member}`).join('')}\\})`;
  return `(\\{)${time}${behind.length > 0 ? ',' : ''}(${behind.join(',')}\\})`;
}
