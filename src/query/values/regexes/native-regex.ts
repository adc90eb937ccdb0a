// Patterns that JavaScript's own engine may match in place of RE2's, several times as fast. A pattern is translated only
// if both engines give it the same meaning and it cannot backtrack: its time is linear in the text with a small factor.
//
// Proof of the bound. Only a class of characters may be repeated without a limit. Such a loop either ends the pattern, so
// that nothing after it can fail; or the character before it and the one after it are mandatory and outside of its class.
// Then it has exactly one length, and two searches never read the same run of characters: one would have to begin inside
// the run of the other, with a character that the run cannot contain. All else has a bounded number of ways, which is
// counted.

/** Ranges of code points, both ends included. */
type CharacterSet = readonly (readonly [low: number, high: number])[];

interface NativeRegex {
  readonly regex: RegExp;
  /** Characters compared for each character of the text, at most. */
  readonly work: number;
}

/** Undefined where the pattern must be left to RE2. */
export function nativeRegex(pattern: string): NativeRegex | undefined {
  const isFolded = pattern.startsWith('(?i)');
  const body = isFolded ? pattern.slice(4) : pattern;
  if (body.length > MAX_LENGTH) return undefined;
  const parsed = new PatternReader(body, isFolded).whole();
  if (!parsed || parsed.work > MAX_WORK) return undefined;
  return { regex: new RegExp(parsed.source, isFolded ? 'iu' : 'u'), work: parsed.work };
}

const MAX_LENGTH = 200;
const MAX_WORK = 128;

/** A part of the pattern: the ways to match it and the characters that they compare together. */
interface Part {
  readonly source: string;
  readonly ways: number;
  readonly work: number;
  /** For a single character of a class. */
  readonly set?: CharacterSet;
  /** At least one character is read. */
  readonly isMandatory: boolean;
  readonly isLoop?: true;
}

/** A loop at the end of this part must be at the end of the pattern. */
interface Sequence extends Part {
  readonly endsInLoop: boolean;
}

const MAX_CODE = 0x10ffff;
const NEWLINE = 0x0a;
const DIGITS: CharacterSet = [[0x30, 0x39]];
const WORD: CharacterSet = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACES: CharacterSet = [
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
];
const CLASSES: Readonly<Record<string, CharacterSet>> = { d: DIGITS, w: WORD, s: SPACES };
const CONTROLS: Readonly<Record<string, number>> = { n: 0x0a, t: 0x09, r: 0x0d, f: 0x0c };
const META = '\\.^$*+?()[]{}|';

class PatternReader {
  readonly #text: string;
  readonly #isFolded: boolean;
  #at = 0;

  constructor(text: string, isFolded: boolean) {
    this.#text = text;
    this.#isFolded = isFolded;
  }

  whole(): Part | undefined {
    const found = this.#alternatives();
    return found && this.#at === this.#text.length ? found : undefined;
  }

  #alternatives(): Sequence | undefined {
    const all: Sequence[] = [];
    do {
      const sequence = this.#sequence();
      if (!sequence) return undefined;
      all.push(sequence);
    } while (this.#takes('|'));
    const [first] = all;
    if (first && all.length === 1) return first;
    return {
      source: all.map(({ source }) => source).join('|'),
      ways: sum(all.map(({ ways }) => ways)),
      work: sum(all.map(({ work }) => work)),
      isMandatory: all.every(({ isMandatory }) => isMandatory),
      endsInLoop: all.some(({ endsInLoop }) => endsInLoop),
    };
  }

  #sequence(): Sequence | undefined {
    const items: (Part & { readonly endsInLoop?: boolean })[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at] ?? '')) {
      const item = this.#item();
      if (!item) return undefined;
      items.push(item);
    }
    for (const [at, item] of items.entries()) {
      const isLast = at === items.length - 1;
      if (item.endsInLoop && !isLast) return undefined;
      if (item.isLoop && !isLast && !isBetween(items[at - 1], item, items[at + 1])) return undefined;
    }
    return sequenceOf(items);
  }

  #item(): (Part & { readonly endsInLoop?: boolean }) | undefined {
    if (this.#takes('^')) return zeroWidth('^');
    if (this.#takes('$')) return zeroWidth('$');
    if (this.#takes('(')) return this.#group();
    const set = this.#takes('[') ? this.#class() : this.#character();
    return set && this.#repeated(set);
  }

  /** A group may be optional, no more: iterations of groups differ between the engines. */
  #group(): Sequence | undefined {
    const [opening = ''] = /^(?:\?:|\?P?<[A-Za-z_][A-Za-z0-9_]*>)?/.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += opening.length;
    const inner = this.#alternatives();
    if (!inner || !this.#takes(')')) return undefined;
    const source = `(${opening === '?:' ? '?:' : ''}${inner.source})`;
    const isOptional = this.#takes('?');
    if ('*+?{'.includes(this.#text[this.#at] ?? ' ')) return undefined;
    if (!isOptional) return { ...inner, source };
    // Of the ways to match an optional group, JavaScript passes over those that read nothing; RE2 takes them.
    if (!inner.isMandatory) return undefined;
    return { ...inner, source: `${source}?`, ways: inner.ways + 1, isMandatory: false };
  }

  #repeated(set: CharacterSet): Part | undefined {
    const [quantifier = '', low, high] = QUANTIFIER.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += quantifier.length;
    if ('*+?{'.includes(this.#text[this.#at] ?? ' ')) return undefined;
    const source = `${sourceOf(set)}${quantifier}`;
    if (/^[*+]/.test(quantifier)) {
      return { source, set, ways: 1, work: 2, isMandatory: quantifier.startsWith('+'), isLoop: true };
    }
    const least = quantifier.startsWith('?') ? 0 : Number(low ?? 1);
    const most = quantifier.startsWith('?') ? 1 : Number(high ?? low ?? 1);
    if (most < least || most > MAX_WORK) return undefined;
    const isOne = quantifier === '';
    return { source, ways: most - least + 1, work: most, isMandatory: least > 0, ...(isOne ? { set } : {}) };
  }

  /** The set of a character or an escape outside of a class. */
  #character(): CharacterSet | undefined {
    const code = this.#text.codePointAt(this.#at) ?? 0;
    if (code === BACKSLASH) return this.#escape();
    if (this.#takes('.')) return complement([[NEWLINE, NEWLINE]]);
    if (META.includes(String.fromCodePoint(code))) return undefined;
    this.#at += code > 0xffff ? 2 : 1;
    return this.#isFolded && code >= 0x80 ? undefined : [[code, code]];
  }

  #escape(): CharacterSet | undefined {
    const letter = this.#text[this.#at + 1] ?? '';
    this.#at += 2;
    const known = CLASSES[letter];
    // Where case is folded, the engines disagree on the letters of \w that have a third form.
    if (known) return this.#isFolded && letter === 'w' ? undefined : known;
    const code = CONTROLS[letter] ?? (/^[!-/:-@[-`{-~]$/.test(letter) ? letter.charCodeAt(0) : undefined);
    return code === undefined ? undefined : [[code, code]];
  }

  #class(): CharacterSet | undefined {
    const isNegated = this.#takes('^');
    if (isNegated && this.#isFolded) return undefined;
    const found: (readonly [number, number])[] = [];
    while (!this.#takes(']')) {
      const member = this.#member();
      if (!member) return undefined;
      found.push(...member);
    }
    if (found.length === 0) return undefined;
    return isNegated ? complement(found) : found;
  }

  #member(): CharacterSet | undefined {
    const low = this.#classCharacter();
    if (!low) return undefined;
    const [first, other] = low;
    if (this.#text[this.#at] !== '-' || this.#text[this.#at + 1] === ']') return low;
    this.#at += 1;
    const [high, more] = this.#classCharacter() ?? [];
    // A range between classes, or a wrong one.
    if (!first || !high || other || more || first[0] !== first[1] || high[0] !== high[1]) return undefined;
    return first[0] <= high[0] ? [[first[0], high[0]]] : undefined;
  }

  /** ASCII only: further letters may have several forms. A bracket may begin the name of a class. */
  #classCharacter(): CharacterSet | undefined {
    const code = this.#text.charCodeAt(this.#at);
    if (code === BACKSLASH) return this.#escape();
    if (!(code < 0x80) || code === OPEN_BRACKET || code === CLOSE_BRACKET) return undefined;
    this.#at += 1;
    return [[code, code]];
  }

  #takes(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }
}

const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const QUANTIFIER = /^(?:[*+?]|\{(\d{1,3})(?:,(\d{1,3}))?\})\??/;

const zeroWidth = (source: string): Part => ({ source, ways: 1, work: 1, isMandatory: false });

function sequenceOf(items: readonly (Part & { readonly endsInLoop?: boolean })[]): Sequence {
  const last = items.at(-1);
  let ways = 1;
  let work = 0;
  for (const item of items) {
    work += ways * item.work;
    ways *= item.ways;
  }
  return {
    source: items.map(({ source }) => source).join(''),
    ways,
    work,
    isMandatory: items.some(({ isMandatory }) => isMandatory),
    endsInLoop: last?.isLoop === true || last?.endsInLoop === true,
  };
}

/** True if the loop has one length only, and begins where no other search of the pattern is inside of it. */
function isBetween(before: Part | undefined, loop: Part, after: Part | undefined): boolean {
  if (!loop.set || !before?.set || !before.isMandatory || before.isLoop) return false;
  if (!after?.set || !after.isMandatory || after.isLoop) return false;
  return isDisjoint(before.set, loop.set) && isDisjoint(after.set, loop.set);
}

/** Sets of letters count with both cases, whether case is folded or not. */
function isDisjoint(one: CharacterSet, other: CharacterSet): boolean {
  const left = withCases(one);
  const right = withCases(other);
  return !left.some(([low, high]) => right.some(([from, to]) => low <= to && from <= high));
}

/** Kelvin sign and long s are forms of k and s. */
function withCases(set: CharacterSet): CharacterSet {
  return set.flatMap(([low, high]) => {
    const forms: [number, number][] = [[low, high]];
    for (let code = Math.max(low, 0x41); code <= Math.min(high, 0x7a); code += 1) {
      if (/[A-Za-z]/.test(String.fromCharCode(code))) forms.push([code ^ 0x20, code ^ 0x20]);
      if (code === 0x4b || code === 0x6b) forms.push([0x212a, 0x212a]);
      if (code === 0x53 || code === 0x73) forms.push([0x17f, 0x17f]);
    }
    return forms;
  });
}

function complement(set: CharacterSet): CharacterSet {
  const made: [number, number][] = [];
  let from = 0;
  for (const [low, high] of [...set].sort(([left], [right]) => left - right)) {
    if (low > from) made.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  return from > MAX_CODE ? made : [...made, [from, MAX_CODE]];
}

const escaped = (code: number): string => `\\u{${code.toString(16)}}`;

function sourceOf(set: CharacterSet): string {
  const [first, other] = set;
  if (first && !other && first[0] === first[1]) return escaped(first[0]);
  return `[${set.map(([low, high]) => (low === high ? escaped(low) : `${escaped(low)}-${escaped(high)}`)).join('')}]`;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
