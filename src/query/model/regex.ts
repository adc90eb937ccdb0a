// Checks regular expressions by RE2's syntax (4.7) when a query is parsed, so that a pattern that an engine would
// reject is an error with a position. One pass with its own stack of groups.

import type { InnerText, Span } from './expression.ts';
import { isGroupName } from './listed-words.ts';
import type { TermCode } from './messages.ts';
import { QueryError } from './query-error.ts';
import { classEnd, escapeEnd } from './regex-atoms.ts';

interface GroupName extends Span {
  readonly name: string;
  /** Among all capturing groups, from 0. */
  readonly index: number;
  /** Its opening mark with the name, in the pattern. */
  readonly opening: Span;
  /** The branches that it stands in, outermost first. */
  readonly branches: readonly Branch[];
}

/** A side of the alternations of one group. */
interface Branch {
  readonly group: number;
  readonly side: number;
}

/** A field of a pattern: the captures that it may come from, the leftmost first. */
export interface FieldGroup {
  readonly name: string;
  readonly indexes: readonly number[];
}

export interface FieldGroups {
  /** The pattern with groups that have numbers alone: names of fields may have signs that RE2 does not take. */
  readonly pattern: string;
  readonly fields: readonly FieldGroup[];
}

/** For patterns whose groups need no names: the names that exist must be valid. */
export function checkPattern(pattern: InnerText): void {
  const seen = new Set<string>();
  for (const { name, begin, end } of patternGroups(pattern)) {
    if (!/^[A-Za-z0-9_]+$/.test(name) || seen.has(name)) {
      throw new QueryError(90303, { begin, end }, { detail: { term: 'bad-group-name' } });
    }
    seen.add(name);
  }
}

/**
 * For patterns whose groups become fields: a name may stand again in another branch of an alternation. `whole` is the span
 * to report for a pattern without named groups.
 */
export function fieldGroups(pattern: InnerText, whole: Span): FieldGroups {
  const groups = patternGroups(pattern);
  if (groups.length === 0) throw new QueryError(20500, whole);
  const byName = new Map<string, GroupName[]>();
  for (const group of groups) {
    const name = group.name.normalize();
    if (!isGroupName(name)) throw new QueryError(20502, group, { value: name });
    const same = byName.get(name) ?? [];
    if (!same.every((other) => areAlternatives(other, group))) throw new QueryError(20501, group, { name });
    byName.set(name, [...same, group]);
  }
  const fields = [...byName].map(([name, same]) => ({ name, indexes: same.map(({ index }) => index) }));
  return { pattern: withoutNames(pattern.text, groups), fields };
}

/** Whether at most one of two groups can take part in a match. */
function areAlternatives({ branches: left }: GroupName, { branches: right }: GroupName): boolean {
  const apart = left.findIndex(
    ({ group, side }, level) => right[level]?.group !== group || right[level]?.side !== side,
  );
  return apart !== -1 && left[apart]?.group === right[apart]?.group;
}

function withoutNames(text: string, groups: readonly GroupName[]): string {
  const pieces = groups.map(
    ({ opening }, index) => `${text.slice(groups[index - 1]?.opening.end ?? 0, opening.begin)}(`,
  );
  return `${pieces.join('')}${text.slice(groups.at(-1)?.opening.end ?? 0)}`;
}

/** What the first capture of a field that matched something has. */
export const captureOf = (found: readonly (string | null)[], { indexes }: FieldGroup): string | null =>
  indexes.map((index) => found[index] ?? null).find((text) => text !== null) ?? null;

/** The named groups in order, with unchecked names. */
const patternGroups = (pattern: InnerText): GroupName[] => new PatternScan(pattern).run();

const MAX_REPEAT = 1000;
const MAX_NESTING = 1000;
/**
 * Limit of a compiled pattern: one state for every character position, with counted repeats expanded. Compiling takes
 * about ten microseconds per state on the main thread; classes and properties take longer.
 */
export const MAX_STATES = 4096;
const CLASS_STATES = 3;
const PROPERTY_STATES = 8;
const QUANTIFIER = /\{(\d+)(?:(,)(\d*))?\}/y;
const FLAGS = /\(\?(?:[imsU]+(?:-[imsU]+)?|-[imsU]+)?([:)])/y;
const NAMED = /\(\?P?<([^>\\|]*)>/y;

interface OpenGroup {
  readonly at: number;
  /** Largest product of repeat counts inside the group so far. */
  repeats: number;
  /** The count of states before the group. */
  readonly states: number;
  /** The branch of its alternations that is being read. */
  side: number;
}

class PatternScan {
  readonly #text: string;
  readonly #offset: InnerText['offset'];
  readonly #names: GroupName[] = [];
  readonly #groups: OpenGroup[] = [{ at: -1, repeats: 1, states: 0, side: 0 }];
  #at = 0;
  #captures = 0;
  /** Repeat counts inside the last atom; undefined if there is no atom to repeat. */
  #atom: number | undefined;
  #isQuantified = false;
  #states = 0;
  /** States of the last atom. */
  #own = 0;

  constructor({ text, offset }: InnerText) {
    this.#text = text;
    this.#offset = offset;
  }

  run(): GroupName[] {
    while (this.#at < this.#text.length) this.#step();
    const open = this.#groups.at(-1);
    if (this.#groups.length > 1 && open) throw this.#malformed('missing-close', open.at, open.at + 1);
    return this.#names;
  }

  #step(): void {
    const character = this.#text.charAt(this.#at);
    if (character === '(') this.#open();
    else if (character === ')') this.#close();
    else if ('*+?'.includes(character)) this.#repeat(this.#at + 1, 1);
    else if (character === '{' && this.#counted()) return;
    else if (character === '|') this.#nextBranch();
    else if (character === '[') {
      this.#atomTo(
        classEnd(this.#text, this.#at, (...fault) => this.#malformed(...fault)),
        CLASS_STATES,
      );
    } else if (character === '\\') this.#escape();
    else this.#atomTo(this.#at + ((this.#text.codePointAt(this.#at) ?? 0) > 0xffff ? 2 : 1));
  }

  #nextBranch(): void {
    const group = this.#groups.at(-1);
    if (group) group.side += 1;
    this.#skip(1, undefined);
  }

  #atomTo(end: number, states = 1): void {
    this.#own = 0;
    this.#grow(states);
    this.#skip(end - this.#at, 1);
  }

  #grow(states: number): void {
    this.#own += states;
    this.#states += states;
    if (this.#states <= MAX_STATES) return;
    throw new QueryError(90009, this.#span(this.#at, this.#at + 1), {
      what: { term: 'work' },
      n: this.#states,
      max: MAX_STATES,
    });
  }

  #skip(length: number, atom: number | undefined): void {
    this.#at += length;
    this.#atom = atom;
    this.#isQuantified = false;
  }

  #escape(): void {
    const at = this.#at;
    const next = this.#text.charAt(at + 1);
    const isReference = /[1-9]/.test(next) && !(next < '8' && /[0-7]/.test(this.#text.charAt(at + 2)));
    if (isReference || next === 'k' || next === 'g') throw this.#unsupported('backreference', at, at + 2);
    if (next === 'Q') {
      const close = this.#text.indexOf('\\E', at + 2);
      const end = close === -1 ? this.#text.length : close + 2;
      this.#atomTo(end, end - at);
      return;
    }
    const isProperty = next === 'p' || next === 'P';
    this.#atomTo(
      escapeEnd(this.#text, at, (...fault) => this.#malformed(...fault)),
      isProperty ? PROPERTY_STATES : 1,
    );
  }

  #counted(): boolean {
    QUANTIFIER.lastIndex = this.#at;
    const found = QUANTIFIER.exec(this.#text);
    if (!found) return false;
    const least = Number(found[1]);
    const most = found[2] === undefined ? least : found[3] === '' ? least : Number(found[3]);
    const end = this.#at + found[0].length;
    if (least > MAX_REPEAT || most > MAX_REPEAT || most < least) throw this.#malformed('bad-count', this.#at, end);
    this.#repeat(end, Math.max(1, most));
    return true;
  }

  #repeat(end: number, times: number): void {
    const mark = this.#text.charAt(this.#at);
    if (this.#isQuantified && mark === '+') throw this.#unsupported('possessive', this.#at, end);
    if (this.#atom === undefined || this.#isQuantified) throw this.#malformed('bad-repeat', this.#at, end);
    const repeats = this.#atom * times;
    if (repeats > MAX_REPEAT) throw this.#malformed('bad-count', this.#at, end);
    this.#note(repeats);
    this.#grow(this.#own * (times - 1) + 1);
    this.#at = this.#text.charAt(end) === '?' ? end + 1 : end;
    this.#isQuantified = true;
  }

  #note(repeats: number): void {
    const group = this.#groups.at(-1);
    if (group) group.repeats = Math.max(group.repeats, repeats);
  }

  #open(): void {
    const at = this.#at;
    const length = this.#text.charAt(at + 1) === '?' ? this.#special() : this.#capture();
    if (length === undefined) return;
    if (this.#groups.length > MAX_NESTING) throw this.#malformed('too-deep', at, at + 1);
    this.#groups.push({ at, repeats: 1, states: this.#states, side: 0 });
    this.#grow(2);
    this.#skip(length, undefined);
  }

  #capture(): number {
    this.#captures += 1;
    return 1;
  }

  /** Length of the opening of a group; undefined if it only sets flags and opens no group. */
  #special(): number | undefined {
    const at = this.#at;
    this.#refuseUnsupported(at);
    NAMED.lastIndex = at;
    const named = NAMED.exec(this.#text);
    if (named) {
      const begin = at + named[0].length - 1 - (named[1] ?? '').length;
      const end = at + named[0].length - 1;
      this.#names.push({
        name: named[1] ?? '',
        index: this.#captures,
        opening: { begin: at, end: end + 1 },
        branches: this.#groups.map(({ at: group, side }) => ({ group, side })),
        begin: this.#offset(begin),
        end: this.#offset(end),
      });
      this.#captures += 1;
      return named[0].length;
    }
    FLAGS.lastIndex = at;
    const flags = FLAGS.exec(this.#text);
    if (!flags || flags[0] === '(?)') throw this.#malformed('bad-group', at, Math.min(at + 3, this.#text.length));
    if (flags[1] === ':') return flags[0].length;
    this.#skip(flags[0].length, undefined);
    return undefined;
  }

  #refuseUnsupported(at: number): void {
    const found = UNSUPPORTED.find(([opening]) => this.#text.startsWith(opening, at));
    if (found) throw this.#unsupported(found[1], at, at + found[0].length);
  }

  #close(): void {
    const group = this.#groups.pop();
    if (!group || this.#groups.length === 0) throw this.#malformed('missing-open', this.#at, this.#at + 1);
    this.#note(group.repeats);
    this.#own = this.#states - group.states;
    this.#skip(1, group.repeats);
  }

  #malformed(detail: TermCode, begin: number, end: number): QueryError {
    return new QueryError(90303, this.#span(begin, end), { detail: { term: detail } });
  }

  #unsupported(feature: TermCode, begin: number, end: number): QueryError {
    return new QueryError(90304, this.#span(begin, end), { feature: { term: feature } });
  }

  #span(begin: number, end: number): Span {
    return { begin: this.#offset(begin), end: this.#offset(end) };
  }
}

const UNSUPPORTED: readonly (readonly [string, TermCode])[] = [
  ['(?=', 'lookahead'],
  ['(?!', 'lookahead'],
  ['(?<=', 'lookbehind'],
  ['(?<!', 'lookbehind'],
  ['(?>', 'atomic-group'],
  ['(?P=', 'backreference'],
  ['(?(', 'conditional'],
];
