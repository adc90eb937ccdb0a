// The first pass over a query: it finds strings, brackets, pipes and comments (2.2, 2.3). It is one pass of linear
// time, because hostile text reaches it too. Outside of strings it also replaces typographic characters by plain ones,
// unit for unit, so that positions stay the same and later stages see plain characters only.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Span } from '#query/model/expression.ts';
import { MAX_WARNINGS, QueryError, type QueryWarning } from '#query/model/query-error.ts';
import { CommentQuotes } from './comment-quotes.ts';
import { closingQuote } from './strings.ts';
import { tooManyParts } from './text-parts.ts';

export const MAX_LENGTH = 1_048_576;
const MAX_BRACKETS = 32;
/** Between two looks at the clock. */
const SLICE_CHARACTERS = 4096;

/** A command or comment between pipes, trimmed. */
export interface CommandText extends Span {
  readonly isComment: boolean;
  /** True if an error ended the pass inside this text, which may be incomplete. */
  readonly isCut: boolean;
  /** Position of the pipe or bracket before it; -1 at the beginning of the text. */
  readonly opened: number;
  /** The brackets directly inside, by the position of their `[`. */
  readonly brackets: ReadonlyMap<number, Bracket>;
}

/** `[ … ]` including both brackets. */
export interface Bracket extends Span {
  readonly commandTexts: readonly CommandText[];
}

interface SplitText {
  /**
   * Has the length of the query text; strings and comments are unchanged except for the quotes that delimit strings.
   */
  readonly plain: string;
  readonly commandTexts: readonly CommandText[];
  readonly warnings: readonly QueryWarning[];
  /** The error that ended the pass early; the command texts are those before it. */
  readonly error?: QueryError;
}

export function* split(text: string): SlicedWork<SplitText> {
  const error = tooLong(text) ?? (yield* tooManyParts(text));
  if (error) return { plain: '', commandTexts: [], warnings: [], error };
  return yield* new Splitter(text).run();
}

function tooLong({ length }: string): QueryError | undefined {
  if (length <= MAX_LENGTH) return undefined;
  return new QueryError(
    90009,
    { begin: MAX_LENGTH, end: length },
    { what: { term: 'length' }, n: length, max: MAX_LENGTH },
  );
}

/** Plain characters by the code of the typographic ones; quotes map to themselves. */
const MARKS: ReadonlyMap<number, string> = new Map(
  Object.entries({
    '"': '"',
    '“': '"',
    '”': '"',
    '„': '"',
    '＂': '"',
    '|': '|',
    '｜': '|',
    '[': '[',
    '［': '[',
    ']': ']',
    '］': ']',
    '–': '-',
    '—': '-',
    '−': '-',
    '\u00a0': ' ',
    '\u2007': ' ',
    '\u202f': ' ',
    '\u3000': ' ',
    // A byte order mark at the start of a file; older text uses it as a no-break space of zero width.
    '\ufeff': ' ',
  }).map(([character, mark]) => [character.charCodeAt(0), mark]),
);

/** Most text is ASCII, and only four ASCII characters are significant here. */
const mayBeMark = (code: number) => code === 0x22 || code === 0x7c || code === 0x5b || code === 0x5d || code >= 0xa0;

const isSpace = (code: number) =>
  code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || MARKS.get(code) === ' ';

const HASH = 0x23;

/** Shared by all command texts without brackets, because a hostile text may have a million of them. */
const NO_BRACKETS: ReadonlyMap<number, Bracket> = new Map();

/** An open bracket with its open command text; the bottom level is the whole text. */
interface Level {
  /** Position of its `[`; -1 at the bottom. */
  readonly opened: number;
  readonly commandTexts: CommandText[];
  begin: number;
  isComment: boolean;
  textOpened: number;
  brackets: Map<number, Bracket> | undefined;
  /** True if a comment of this level has opened a bracket, which a `]` meant for the level may have closed. */
  hasBracketInComment: boolean;
}

class Splitter {
  readonly #text: string;
  readonly #pieces: string[] = [];
  readonly #warnings: QueryWarning[] = [];
  readonly #levels: Level[] = [];
  readonly #commentQuotes: CommentQuotes;
  #copied = 0;
  /** Open brackets of the comment at the cursor; a position is enough, because only the first is ever named. */
  #commentBrackets = 0;
  #firstCommentBracket = 0;

  constructor(text: string) {
    this.#text = text;
    this.#commentQuotes = new CommentQuotes(text);
    this.#openLevel(-1);
  }

  *run(): SlicedWork<SplitText> {
    const error = yield* this.#pass();
    if (error) this.#unwind(error);
    else this.#close(this.#text.length);
    this.#pieces.push(this.#text.slice(this.#copied));
    const found = { plain: this.#pieces.join(''), commandTexts: this.#level.commandTexts, warnings: this.#warnings };
    return error ? { ...found, error } : found;
  }

  *#pass(): SlicedWork<QueryError | undefined> {
    const text = this.#text;
    for (let at = 0, pause = SLICE_CHARACTERS; at < text.length; ) {
      if (at >= pause) {
        pause = at + SLICE_CHARACTERS;
        yield;
      }
      const code = text.charCodeAt(at);
      const mark = mayBeMark(code) ? MARKS.get(code) : undefined;
      const next = mark === undefined ? at + 1 : this.#takeMark(mark, at);
      if (typeof next !== 'number') return next;
      at = next;
    }
    if (this.#commentBrackets > 0) this.#warn(90905, this.#firstCommentBracket, this.#firstCommentBracket + 1);
    return this.#levels.length === 1 ? undefined : unclosed(this.#level);
  }

  /** Handles a mark and returns the next position. */
  #takeMark(mark: string, at: number): number | QueryError {
    if (mark === '"') return this.#string(this.#text.charAt(at), at);
    if (this.#level.isComment && this.#isOfComment(mark, at)) return at + 1;
    this.#replace(at, mark);
    if (mark === '|') this.#pipe(at);
    if (mark === '[') return this.#open(at) ?? at + 1;
    if (mark === ']') return this.#closeLevel(at) ?? at + 1;
    return at + 1;
  }

  /** Brackets of a comment are not those of the query; only a pipe outside of them ends the comment (2.3). */
  #isOfComment(mark: string, at: number): boolean {
    if (mark === '[') {
      if (this.#commentBrackets === 0) this.#firstCommentBracket = at;
      this.#commentBrackets += 1;
      this.#level.hasBracketInComment = true;
      return true;
    }
    if (this.#commentBrackets > 0) {
      if (mark === ']') this.#commentBrackets -= 1;
      return true;
    }
    return mark === ']' && this.#levels.length === 1;
  }

  #string(quote: string, at: number): number | QueryError {
    if (this.#level.isComment) return this.#quotedComment(quote, at);
    const end = closingQuote(this.#text, at, quote);
    if (end === -1) return new QueryError(90004, { begin: at, end: at + 1 });
    this.#replace(at, '"');
    this.#replace(end, '"');
    return end + 1;
  }

  #quotedComment(quote: string, at: number): number {
    const end = this.#commentQuotes.partner(at, quote);
    if (end === -1) return at + 1;
    if (/[|｜]/.test(this.#text.slice(at, end))) this.#warn(90903, at, end + 1);
    return end + 1;
  }

  #warn(code: 90903 | 90905, begin: number, end: number): void {
    if (this.#warnings.length < MAX_WARNINGS) this.#warnings.push({ code, begin, end, values: {}, suggestions: [] });
  }

  #pipe(at: number): void {
    this.#close(at);
    this.#openText(this.#level, at);
  }

  #open(at: number): QueryError | undefined {
    if (this.#levels.length > MAX_BRACKETS) {
      return new QueryError(
        90009,
        { begin: at, end: at + 1 },
        { what: { term: 'depth' }, n: this.#levels.length, max: MAX_BRACKETS },
      );
    }
    this.#openLevel(at);
    return undefined;
  }

  #openLevel(opened: number): void {
    const none = { begin: 0, isComment: false, brackets: undefined, hasBracketInComment: false };
    const level = { ...none, opened, commandTexts: [], textOpened: opened };
    this.#levels.push(level);
    this.#openText(level, opened);
  }

  #openText(level: Level, opened: number): void {
    let begin = opened + 1;
    while (begin < this.#text.length && isSpace(this.#text.charCodeAt(begin))) begin += 1;
    level.begin = begin;
    level.isComment = this.#text.charCodeAt(begin) === HASH;
    level.textOpened = opened;
    level.brackets = undefined;
  }

  #closeLevel(at: number, isCut = false): QueryError | undefined {
    if (this.#levels.length === 1) return new QueryError(90006, { begin: at, end: at + 1 });
    this.#close(at, isCut);
    const { opened, commandTexts } = this.#level;
    this.#levels.pop();
    const enclosing = this.#level;
    enclosing.brackets ??= new Map();
    enclosing.brackets.set(opened, { begin: opened, end: at + 1, commandTexts });
    return undefined;
  }

  get #level(): Level {
    const level = this.#levels.at(-1);
    if (!level) throw new Error('the bottom level must stay open');
    return level;
  }

  #close(at: number, isCut = false): void {
    const { commandTexts, begin, isComment, textOpened: opened, brackets = NO_BRACKETS } = this.#level;
    let end = at;
    while (end > begin && isSpace(this.#text.charCodeAt(end - 1))) end -= 1;
    const from = Math.min(begin, at);
    commandTexts.push({ begin: from, end: Math.max(end, from), isComment, isCut, opened, brackets });
  }

  /** Closes all open levels at the error, so that the command texts before it can be analysed. */
  #unwind(error: QueryError): void {
    while (this.#levels.length > 1) this.#closeLevel(error.begin, true);
    this.#close(error.begin, true);
  }

  #replace(at: number, mark: string): void {
    if (this.#text[at] === mark) return;
    this.#pieces.push(this.#text.slice(this.#copied, at), mark);
    this.#copied = at + 1;
  }
}

/** A comment may have taken the bracket that was meant to close the level. */
function unclosed({ opened, hasBracketInComment }: Level): QueryError {
  const hints = hasBracketInComment ? [{ code: 91007 as const }] : [];
  return new QueryError(90005, { begin: opened, end: opened + 1 }, {}, { hints });
}
