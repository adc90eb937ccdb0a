// Texts of which one must occur wherever a regular expression does. Read off its plain letters; everything else in it counts
// as anything at all.

import { classEnd, type Fault } from './regex-atoms.ts';

interface NeededText {
  readonly text: string;
  /** Without regard to case. */
  readonly isFolded: boolean;
}

/** Undefined where nothing can be told. The pattern was checked before. */
export function neededTexts(pattern: string): readonly NeededText[] | undefined {
  const [flags = ''] = /^\(\?[ims]+\)/.exec(pattern) ?? [];
  const isFolded = flags.includes('i');
  // Quoted stretches, and flags that change on the way, are too rare to be followed.
  if (pattern.includes('\\Q') || /\(\?[imsU-]+\)/.test(pattern.slice(flags.length))) return undefined;
  const texts = new Scan(pattern, flags.length, isFolded).alternatives();
  return texts?.map((text) => ({ text: isFolded ? text.toLowerCase() : text, isFolded }));
}

type Texts = readonly string[];

const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y;
const GROUP = /\((?:\?:|\?P?<[^>]*>|(?!\?))/y;
const PLAIN_ESCAPE = /\\([^A-Za-z0-9])/y;
const OTHER_ESCAPE = /\\(?:[pP]\{[^}]*\}|[pP].|x\{[^}]*\}|x..|[0-7]{1,3}|.)/sy;
const ASCII_END = 0x80;

const failOnFault: Fault = (detail) => {
  throw new Error(`a pattern that was checked is wrong: ${detail}`);
};

class Scan {
  readonly #pattern: string;
  readonly #isFolded: boolean;
  #at: number;

  constructor(pattern: string, at: number, isFolded: boolean) {
    this.#pattern = pattern;
    this.#at = at;
    this.#isFolded = isFolded;
  }

  /** Up to the end of the pattern or of the group. */
  alternatives(): Texts | undefined {
    const each = [this.#sequence()];
    while (this.#pattern.charAt(this.#at) === '|') {
      this.#at += 1;
      each.push(this.#sequence());
    }
    return each.every((texts) => texts !== undefined) ? each.flat() : undefined;
  }

  /** The best of what its parts need. */
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

  /** With flags of its own: stands for anything. Moves onto its closing bracket. */
  #skippedGroup(): undefined {
    this.#at += 2;
    while (this.#pattern.charAt(this.#at) !== ':') this.#at += 1;
    this.#at += 1;
    this.alternatives();
  }

  /** A letter that stands for itself; undefined for anything else, which is passed over. */
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

  /** Beyond ASCII letters may have more than two cases. */
  #own(letter: string): string | undefined {
    return this.#isFolded && (letter.codePointAt(0) ?? 0) >= ASCII_END ? undefined : letter;
  }

  /** How often what was just read must occur: 1 without a quantifier, which is passed over. */
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

/** Letters that follow each other, and what is better. */
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
