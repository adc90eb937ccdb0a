// Texts of which at least one occurs in every match of a regular expression, read from its literal characters; every
// other atom counts as able to match anything. Stream rules use them to skip records without running the expression.

import { classEnd, type Fault } from './regex-atoms.ts';

interface NeededText {
  readonly text: string;
  /** True if case is ignored. */
  readonly ignoresCase: boolean;
}

/** Undefined if no such text is known. The pattern must have been checked before. */
export function neededTexts(pattern: string): readonly NeededText[] | undefined {
  const [flags = ''] = /^\(\?[ims]+\)/.exec(pattern) ?? [];
  const ignoresCase = flags.includes('i');
  // Quoted parts, and flags that change inside the pattern, are too rare to be supported.
  if (pattern.includes('\\Q') || /\(\?[imsU-]+\)/.test(pattern.slice(flags.length))) return undefined;
  const texts = new Scan(pattern, flags.length, ignoresCase).alternatives();
  return texts?.map((text) => ({ text: ignoresCase ? text.toLowerCase() : text, ignoresCase }));
}

type Texts = readonly string[];

const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y;
const GROUP = /\((?:\?:|\?P?<[^>]*>|(?!\?))/y;
const PLAIN_ESCAPE = /\\([^A-Za-z0-9])/y;
const OTHER_ESCAPE = /\\(?:[pP]\{[^}]*\}|[pP].|x\{[^}]*\}|x..|[0-7]{1,3}|.)/sy;
const ASCII_END = 0x80;

const failOnFault: Fault = (detail) => {
  throw new Error(`a checked pattern is invalid: ${detail}`);
};

class Scan {
  readonly #pattern: string;
  readonly #ignoresCase: boolean;
  #at: number;

  constructor(pattern: string, at: number, ignoresCase: boolean) {
    this.#pattern = pattern;
    this.#at = at;
    this.#ignoresCase = ignoresCase;
  }

  /** Reads alternatives up to the end of the pattern or of the group. */
  alternatives(): Texts | undefined {
    const each = [this.#sequence()];
    while (this.#pattern.charAt(this.#at) === '|') {
      this.#at += 1;
      each.push(this.#sequence());
    }
    return each.every((texts) => texts !== undefined) ? each.flat() : undefined;
  }

  /** The most selective need of all parts. */
  #sequence(): Texts | undefined {
    const run = new Run();
    while (this.#at < this.#pattern.length && !'|)'.includes(this.#pattern.charAt(this.#at))) this.#item(run);
    return run.best();
  }

  #item(run: Run): void {
    const group = this.#taken(GROUP);
    if (group !== undefined || this.#pattern.charAt(this.#at) === '(') {
      const texts = group === undefined ? this.#skippedGroup() : this.alternatives();
      this.#at += 1;
      run.end();
      if (this.#least() > 0) run.offer(texts);
      return;
    }
    const letter = this.#letter();
    const before = this.#at;
    const least = this.#least();
    if (letter === undefined || least === 0) run.end();
    else run.add(letter);
    if (this.#at > before) run.end();
  }

  /** Skips a group with flags of its own, which may match anything, up to its closing bracket. */
  #skippedGroup(): undefined {
    this.#at += 2;
    while (this.#pattern.charAt(this.#at) !== ':') this.#at += 1;
    this.#at += 1;
    this.alternatives();
  }

  /** A character that matches itself; undefined for any other atom, which is skipped. */
  #letter(): string | undefined {
    const escaped = this.#taken(PLAIN_ESCAPE);
    if (escaped !== undefined) return this.#own(escaped.slice(1));
    if (this.#taken(OTHER_ESCAPE) !== undefined) return undefined;
    const code = this.#pattern.codePointAt(this.#at) ?? 0;
    const letter = String.fromCodePoint(code);
    if (letter === '[') {
      this.#at = classEnd(this.#pattern, this.#at, failOnFault);
      return undefined;
    }
    this.#at += letter.length;
    return '.^$'.includes(letter) ? undefined : this.#own(letter);
  }

  /** Letters outside ASCII may have more than two cases, so they count as unknown. */
  #own(letter: string): string | undefined {
    return this.#ignoresCase && (letter.codePointAt(0) ?? 0) >= ASCII_END ? undefined : letter;
  }

  /** The minimum count of the atom just read: 1 without a quantifier. The quantifier is skipped. */
  #least(): number {
    QUANTIFIER.lastIndex = this.#at;
    const found = QUANTIFIER.exec(this.#pattern);
    if (!found) return 1;
    this.#at += found[0].length;
    const [mark, count] = found;
    return count === undefined ? Number(mark.startsWith('+')) : Number(count);
  }

  #taken(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#pattern)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

/** Collects consecutive letters and keeps the most selective text so far. */
class Run {
  #letters = '';
  #best: Texts | undefined;

  add(letter: string): void {
    this.#letters += letter;
  }

  end(): void {
    if (this.#letters !== '') this.offer([this.#letters]);
    this.#letters = '';
  }

  offer(texts: Texts | undefined): void {
    if (texts && shortest(texts) > shortest(this.#best ?? [''])) this.#best = texts;
  }

  best(): Texts | undefined {
    this.end();
    return this.#best;
  }
}

const shortest = (texts: Texts): number => Math.min(...texts.map((text) => text.length));
