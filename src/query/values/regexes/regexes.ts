// Regular expressions (4.7) in RE2's syntax, compiled once per pattern.

import { type RE2JS, RE2JS as Re2 } from 're2js';
import type { Steps } from '#query/model/run-facts.ts';
import { SizeMeter } from '#query/values/sizes.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';
import { nativeRegex } from './native-regex.ts';
import { countWork } from './regex-work.ts';

const MAX_KEPT = 1000;
const compiled = new BoundedMap<string, Regex>({ max: MAX_KEPT, evicts: 'all' });

/** The pattern was checked when the query was parsed. */
export const regexOf = (pattern: string): Regex => compiled.getOrSet(pattern, () => new Regex(pattern));

/** The weight of the automaton of RE2 over known states. */
const MIN_NATIVE_WEIGHT = 5;
/** Characters that the native engine compares in the time of a step, divided by 64. */
const COMPARED_PER_STEP = 2;

/** Patterns are shared between runs, so the meter is an argument of each match. */
export class Regex {
  readonly #regex: RE2JS;
  readonly #native: RegExp | undefined;
  /** Steps for 64 characters of the native engine. */
  readonly #weight: number;
  #steps: Steps | undefined;

  constructor(pattern: string) {
    this.#regex = Re2.compile(pattern);
    const native = nativeRegex(pattern);
    this.#native = native?.regex;
    this.#weight = Math.max(MIN_NATIVE_WEIGHT, (native?.work ?? 0) / COMPARED_PER_STEP);
    countWork(this.#regex, () => this.#steps);
  }

  groupCount(): number {
    return this.#regex.groupCount();
  }

  /** Group numbers by name, from 1. */
  namedGroups(): Readonly<Record<string, number>> {
    return this.#regex.namedGroups();
  }

  programSize(): number {
    return this.#regex.programSize();
  }

  test(text: string, steps: Steps | undefined): boolean {
    if (this.#native) {
      steps?.takeCharacters(text.length, this.#weight);
      return this.#native.test(text);
    }
    this.#steps = steps;
    return this.#regex.test(text);
  }

  /** The captures of the first match, each after its number; undefined where the native engine cannot be used. */
  nativeCaptures(text: string, steps: Steps | undefined): RegExpExecArray | null | undefined {
    if (!this.#native) return undefined;
    steps?.takeCharacters(text.length, this.#weight);
    return this.#native.exec(text);
  }

  matcher(text: string, steps: Steps | undefined): ReturnType<RE2JS['matcher']> {
    this.#steps = steps;
    return this.#regex.matcher(text);
  }
}

export const occurs = (text: string, pattern: string, steps?: Steps): boolean => regexOf(pattern).test(text, steps);

/** Captures of the first match; null for a group without a match or with an empty one. Undefined without a match. */
export function captures(text: string, regex: Regex, steps?: Steps): (string | null)[] | undefined {
  const native = regex.nativeCaptures(text, steps);
  if (native === null) return undefined;
  if (native) return native.slice(1).map((group: string | undefined) => group || null);
  if (!regex.test(text, steps)) return undefined;
  const matcher = regex.matcher(text, steps);
  if (!matcher.find()) return undefined;
  return Array.from({ length: regex.groupCount() }, (_, index) => matcher.group(index + 1) || null);
}

/**
 * All matches replaced; `$0` to `$9` are captures, `$$` and `\$` a dollar, `\\` a backslash, any other dollar and
 * backslash itself.
 */
export function replacedAll(text: string, pattern: string, replacement: string, steps?: Steps): string {
  const regex = regexOf(pattern);
  if (!regex.test(text, steps)) return text;
  const matcher = regex.matcher(text, steps);
  const pieces: string[] = [];
  const sizeMeter = new SizeMeter();
  let from = -1;
  while (matcher.find()) {
    const start = matcher.start();
    const end = matcher.end();
    // As in RE2, an empty match directly after the previous match does not count.
    if (start === end && start === from) continue;
    const group = (at: number) => matcher.group(at);
    const put = filled(replacement, group, regex.groupCount());
    steps?.takeCharacters(replacement.length + put.length, FILLING_WEIGHT);
    sizeMeter.add(put);
    pieces.push(text.slice(Math.max(0, from), start), put);
    from = end;
  }
  return pieces.join('') + text.slice(Math.max(0, from));
}

const FILLING_WEIGHT = 4;

const filled = (replacement: string, group: (at: number) => string | null, count: number): string =>
  replacement.replace(/\$([0-9$])|\\([$\\])/g, (_, what: string | undefined, escaped: string) => {
    if (what === undefined) return escaped;
    if (what === '$') return '$';
    return Number(what) <= count ? (group(Number(what)) ?? '') : '';
  });
