// The commands of a query text, as far as an editor must know them: where each begins and ends. A pipe splits outside of strings,
// brackets and comments alone.

export interface CommandText {
  /** The word of the command; empty for a comment and for what is no command. */
  readonly name: string;
  /** Of its first and behind its last character that is no blank. */
  readonly begin: number;
  readonly end: number;
  readonly isComment: boolean;
}

const QUOTES = '"“”„＂';
const PIPES = '|｜';
const OPENING = '[［';
const CLOSING = ']］';
const COMMAND = /^[\p{L}\p{Nd}_-]+/u;

/** The commands outside of brackets, comments left out. */
export const commandsOf = (text: string): readonly CommandText[] =>
  commandTextsOf(text).filter(({ name }) => name !== '');

/** Every command and comment outside of brackets; an empty one at the beginning, before a pipe, is none. */
export function commandTextsOf(text: string): readonly CommandText[] {
  const commandTexts: CommandText[] = [];
  let begin = 0;
  while (begin <= text.length) {
    const end = endOf(text, begin);
    const commandText = trimmed(text, begin, end);
    if (commandTexts.length > 0 || commandText.begin < commandText.end || end === text.length)
      commandTexts.push(commandText);
    begin = end + 1;
  }
  return commandTexts;
}

/** The command text at a position of the text, and the text before its pipe. Undefined inside of a string or a comment. */
export function commandTextAt(
  text: string,
  position: number,
): { readonly begin: number; readonly before: string } | undefined {
  const inner = innermostBegin(text.slice(0, position));
  if (inner === undefined) return undefined;
  const typed = text.slice(inner, position);
  let begin = 0;
  for (let end = endOf(typed, begin); end < typed.length; end = endOf(typed, begin)) begin = end + 1;
  const blanks = /^\s*/.exec(typed.slice(begin))?.[0].length ?? 0;
  if (typed.charAt(begin + blanks) === '#') return undefined;
  return { begin: inner + begin + blanks, before: typed.slice(0, Math.max(0, begin - 1)) };
}

/** Behind the last bracket that is still open; undefined inside of a string. Brackets of a comment are not those of the text. */
function innermostBegin(typed: string): number | undefined {
  const opened: number[] = [];
  let isStart = true;
  let isComment = false;
  let commentBrackets = 0;
  let position = 0;
  while (position < typed.length) {
    const character = typed.charAt(position);
    if (isStart && character === '#') isComment = true;
    isStart &&= /\s/.test(character);
    if (QUOTES.includes(character)) {
      const end = isComment ? commentStringEnd(typed, position) : stringEnd(typed, position);
      if (end === undefined) return undefined;
      position = end;
      continue;
    }
    const depth = (OPENING.includes(character) ? 1 : 0) - (CLOSING.includes(character) ? 1 : 0);
    position += 1;
    if (isComment && (commentBrackets > 0 || depth === 1)) {
      commentBrackets += depth;
      continue;
    }
    if (depth === 1) opened.push(position);
    if (depth === 1 || PIPES.includes(character)) isStart = true;
    if (isStart || (depth === -1 && opened.pop() !== undefined)) isComment = false;
  }
  return opened.at(-1) ?? 0;
}

/** Of the pipe that ends the command, or of the text. */
function endOf(text: string, begin: number): number {
  const isComment = /^\s*#/.test(text.slice(begin, begin + MAX_BLANKS));
  let depth = 0;
  let position = begin;
  while (position < text.length) {
    const character = text.charAt(position);
    if (QUOTES.includes(character)) {
      position = isComment ? commentStringEnd(text, position) : (stringEnd(text, position) ?? text.length);
      continue;
    }
    if (depth === 0 && PIPES.includes(character)) return position;
    if (OPENING.includes(character)) depth += 1;
    if (CLOSING.includes(character)) depth = Math.max(0, depth - 1);
    position += 1;
  }
  return text.length;
}

const MAX_BLANKS = 10_000;

/** Behind the closing quote: a typographic one is closed by any, a plain one by its like alone. */
function stringEnd(text: string, begin: number): number | undefined {
  const closing = text.charAt(begin) === '"' ? '"' : QUOTES;
  for (let position = begin + 1; position < text.length; position += 1) {
    const character = text.charAt(position);
    if (character === '\\') position += 1;
    else if (closing.includes(character)) return position + 1;
  }
  return undefined;
}

/** In a comment a quote opens a string only where its partner stands on the same line. */
function commentStringEnd(text: string, begin: number): number {
  const line = text.indexOf('\n', begin);
  const end = stringEnd(text.slice(0, line === -1 ? text.length : line), begin);
  return end ?? begin + 1;
}

function trimmed(text: string, begin: number, end: number): CommandText {
  const body = text.slice(begin, end);
  const first = begin + (body.length - body.trimStart().length);
  const last = Math.max(first, begin + body.trimEnd().length);
  const isComment = text.charAt(first) === '#';
  return {
    name: isComment ? '' : (COMMAND.exec(text.slice(first, last))?.[0] ?? ''),
    begin: first,
    end: last,
    isComment,
  };
}
