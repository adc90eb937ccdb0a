// The identifiers of TypeScript source text, by TypeScript's own scanner: words of comments, strings and regular
// expressions are not among them.

import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner, type Scanner } from 'typescript/unstable/ast/scanner';

export interface Identifier {
  readonly name: string;
  readonly line: number;
}

export function identifiersIn(text: string): Identifier[] {
  const scanner = createScanner(true, undefined, text);
  const found: Identifier[] = [];
  const braces = new TemplateBraces();
  const lines = new LineCounter(text);
  let before = SyntaxKind.Unknown;
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFile; token = scanner.scan()) {
    const kind = braces.rescan(scanner, rescanSlash(scanner, token, before));
    if (kind === SyntaxKind.Identifier || kind === SyntaxKind.PrivateIdentifier) {
      found.push({ name: scanner.getTokenText().replace(/^#/, ''), line: lines.lineAt(scanner.getTokenStart()) });
    }
    before = kind;
  }
  return found;
}

const OPERAND_ENDS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.ThisKeyword,
]);

/** A slash after an operand divides; any other begins a regular expression. */
function rescanSlash(scanner: Scanner, token: SyntaxKind, before: SyntaxKind): SyntaxKind {
  const isSlash = token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken;
  return isSlash && !OPERAND_ENDS.has(before) ? scanner.reScanSlashToken() : token;
}

/** A brace that closes the substitution of a template continues the text of the template. */
class TemplateBraces {
  /** Open braces inside of each open substitution, innermost last. */
  readonly #depths: number[] = [];

  rescan(scanner: Scanner, token: SyntaxKind): SyntaxKind {
    const depth = this.#depths.at(-1);
    if (token === SyntaxKind.TemplateHead) this.#depths.push(0);
    else if (token === SyntaxKind.OpenBraceToken && depth !== undefined) this.#add(1);
    else if (token === SyntaxKind.CloseBraceToken && depth === 0) return this.#continue(scanner);
    else if (token === SyntaxKind.CloseBraceToken && depth !== undefined) this.#add(-1);
    return token;
  }

  #add(count: number): void {
    this.#depths.push((this.#depths.pop() ?? 0) + count);
  }

  #continue(scanner: Scanner): SyntaxKind {
    const token = scanner.reScanTemplateToken(false);
    if (token === SyntaxKind.TemplateTail) this.#depths.pop();
    return token;
  }
}

/** Offsets must be requested in ascending order. */
class LineCounter {
  readonly #text: string;
  #line = 1;
  #next: number;

  constructor(text: string) {
    this.#text = text;
    this.#next = text.indexOf('\n');
  }

  lineAt(offset: number): number {
    for (; this.#next !== -1 && this.#next < offset; this.#next = this.#text.indexOf('\n', this.#next + 1)) {
      this.#line += 1;
    }
    return this.#line;
  }
}
