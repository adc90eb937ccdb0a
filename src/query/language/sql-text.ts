// SQL for the database of a connection profile, as far as the language must read it: values `:name` outside of the SQL's own
// strings, quoted names and comments, the end of the first statement, and its first word. One walk over the text, so that
// its cost grows with its length alone. The database itself has the last word on everything else.

export type SqlDialect = 'postgresql' | 'mysql';

export interface SqlValue {
  readonly name: string;
  /** Of the colon, in the SQL. */
  readonly at: number;
}

export interface SqlText {
  /** Texts with a value between each two of them: always one more than there are values. */
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];
  /** In lower case, behind comments and opening parentheses; empty where there is none. */
  readonly firstWord: string;
  /** Where a second statement begins. */
  readonly secondAt: number | undefined;
}

const VALUE = /:([A-Za-z_][A-Za-z0-9_]*)/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const DOLLAR_QUOTE = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
const BLANK = /\s+/y;
/** MySQL and MariaDB execute its content. */
const EXECUTED_COMMENT = /\/\*M?!/y;
/** Text in which nothing begins that must be looked at. */
const PLAIN: Readonly<Record<SqlDialect, RegExp>> = {
  postgresql: /(?:[^'"$:;/-]|\/(?!\*)|-(?!-))+/y,
  mysql: /(?:[^'"`:;#/-]|\/(?!\*)|-(?!-))+/y,
};
const COMMENT_MARK = /\/\*|\*\//g;
const IDENTIFIER = /[\p{L}\p{N}_$]/u;

export function readSql(text: string, dialect: SqlDialect): SqlText {
  return new SqlScanner(text, dialect).read();
}

/** Whether a text begins with a statement that reads. */
export const READING_WORDS: readonly string[] = ['select', 'with', 'values', 'table', 'show'];

/** The statement with the marks of the dialect in the places of its values; equal names share a mark where they can. */
export function markedSql({ texts, values }: SqlText, dialect: SqlDialect): { text: string; names: readonly string[] } {
  const names: string[] = [];
  const indexes = new Map<string, number>();
  const mark = (name: string): string => {
    const index = dialect === 'mysql' ? undefined : indexes.get(name);
    if (index !== undefined) return `$${index}`;
    indexes.set(name, names.push(name));
    return dialect === 'mysql' ? '?' : `$${names.length}`;
  };
  const parts = values.map(({ name }, index) => `${texts[index]}${mark(name)}`);
  return { text: parts.join('') + (texts.at(-1) ?? ''), names };
}

class SqlScanner {
  readonly #text: string;
  readonly #dialect: SqlDialect;
  readonly #texts: string[] = [];
  readonly #values: SqlValue[] = [];
  #at = 0;
  /** Behind the last value. */
  #from = 0;

  constructor(text: string, dialect: SqlDialect) {
    this.#text = text;
    this.#dialect = dialect;
  }

  read(): SqlText {
    const firstWord = this.#readFirstWord();
    while (this.#at < this.#text.length && this.#text.charAt(this.#at) !== ';') this.#step();
    this.#texts.push(this.#text.slice(this.#from, this.#at));
    this.#at += 1;
    this.#skipBlanks();
    const secondAt = this.#at < this.#text.length ? this.#at : undefined;
    return { texts: this.#texts, values: this.#values, firstWord, secondAt };
  }

  #readFirstWord(): string {
    this.#skipBlanks();
    while (this.#text.charAt(this.#at) === '(') {
      this.#at += 1;
      this.#skipBlanks();
    }
    return this.#matchAt(WORD)?.toLowerCase() ?? '';
  }

  /** White space and comments. */
  #skipBlanks(): void {
    for (let end = this.#blankEnd(); end !== undefined; end = this.#blankEnd()) this.#at = end;
  }

  #blankEnd(): number | undefined {
    const blank = this.#matchAt(BLANK);
    return blank === undefined ? this.#commentEnd() : this.#at + blank.length;
  }

  #step(): void {
    const plain = this.#matchAt(PLAIN[this.#dialect]);
    if (plain !== undefined) this.#at += plain.length;
    else if (this.#text.charAt(this.#at) === ':') this.#colon();
    else this.#at = this.#commentEnd() ?? this.#quotedEnd() ?? this.#at + 1;
  }

  #colon(): void {
    const at = this.#at;
    const found = this.#text.charAt(at + 1) === ':' ? undefined : this.#matchAt(VALUE);
    if (found === undefined) {
      this.#at = at + (this.#text.charAt(at + 1) === ':' ? 2 : 1);
      return;
    }
    this.#texts.push(this.#text.slice(this.#from, at));
    this.#values.push({ name: found.slice(1), at });
    this.#at = at + found.length;
    this.#from = this.#at;
  }

  /** Undefined where no comment begins. */
  #commentEnd(): number | undefined {
    const here = this.#text.charAt(this.#at);
    if (this.#isLineComment(here)) {
      const end = this.#text.indexOf('\n', this.#at);
      return end === -1 ? this.#text.length : end + 1;
    }
    if (here !== '/' || this.#text.charAt(this.#at + 1) !== '*') return undefined;
    return this.#isMysql && this.#matchAt(EXECUTED_COMMENT) ? undefined : this.#blockEnd();
  }

  get #isMysql(): boolean {
    return this.#dialect === 'mysql';
  }

  #isLineComment(here: string): boolean {
    if (here === '#') return this.#isMysql;
    if (here !== '-' || this.#text.charAt(this.#at + 1) !== '-') return false;
    const next = this.#text.charAt(this.#at + 2);
    return !this.#isMysql || next <= ' ';
  }

  /** Comments of PostgreSQL stand in one another. */
  #blockEnd(): number {
    COMMENT_MARK.lastIndex = this.#at + 2;
    let depth = 1;
    while (depth > 0) {
      const mark = COMMENT_MARK.exec(this.#text);
      if (!mark) return this.#text.length;
      if (mark[0] === '*/') depth -= 1;
      else if (!this.#isMysql) depth += 1;
    }
    return COMMENT_MARK.lastIndex;
  }

  #quotedEnd(): number | undefined {
    const here = this.#text.charAt(this.#at);
    if (here === "'") return this.#closing(here, this.#isMysql || this.#isEscapeString());
    if (here === '"') return this.#closing(here, this.#isMysql);
    if (here === '`') return this.#closing(here, false);
    return here === '$' && !this.#isBehindName(this.#at) ? this.#dollarEnd() : undefined;
  }

  #dollarEnd(): number | undefined {
    const tag = this.#matchAt(DOLLAR_QUOTE);
    if (tag === undefined) return undefined;
    const end = this.#text.indexOf(tag, this.#at + tag.length);
    return end === -1 ? this.#text.length : end + tag.length;
  }

  /** Of PostgreSQL: in `E'…'` alone a backslash protects a quote. */
  #isEscapeString(): boolean {
    const before = this.#text.charAt(this.#at - 1);
    return (before === 'e' || before === 'E') && !this.#isBehindName(this.#at - 1);
  }

  #isBehindName(at: number): boolean {
    return at > 0 && IDENTIFIER.test(this.#text.charAt(at - 1));
  }

  /** A doubled quote is none. */
  #closing(quote: string, hasEscapes: boolean): number {
    const isQuote = (offset: number) => this.#text.charAt(offset) === quote;
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      if (hasEscapes && this.#text.charAt(at) === '\\') at += 1;
      else if (isQuote(at) && !isQuote(at + 1)) return at + 1;
      else if (isQuote(at)) at += 1;
    }
    return this.#text.length;
  }

  #matchAt(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }
}
