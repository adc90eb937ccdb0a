// Splits input into statements: queries, which may span lines, and commands of the shell, which begin with a backslash and
// are one line.

import { runToEnd } from '#kernel/sliced-work.ts';
import { type CommandText, split } from '#query/language/command-texts.ts';

export const isShellCommand = (text: string): boolean => /^\s*\\/.test(text);

/** False for a text that must continue: with an open bracket or string, or with a pipe or backslash at its end. */
export function isWhole(text: string): boolean {
  if (isShellCommand(text) || text.trim() === '') return true;
  if (endsInBackslash(text)) return false;
  const { commandTexts, plain, error } = runToEnd(split(text));
  if (error) return error.code !== 90004 && error.code !== 90005;
  const last = commandTexts.at(-1);
  const endsInPipe = last !== undefined && commandTexts.length > 1 && last.begin === last.end;
  return !endsInPipe && !commandTexts.some((commandText) => hasOpenParenthesis(commandText, plain));
}

/** A backslash at the end of a line continues the line, and is not part of it. */
export const endsInBackslash = (text: string): boolean => /\\[ \t]*$/.test(text) && !isShellCommand(text);

export const withoutBackslash = (text: string): string => text.replace(/\\[ \t]*$/, '');

/** A bracket closes the parentheses inside of it. */
function hasOpenParenthesis({ begin, end, isComment, brackets }: CommandText, plain: string): boolean {
  if (isComment) return false;
  const pieces: string[] = [];
  let at = begin;
  for (const bracket of brackets.values()) {
    pieces.push(plain.slice(at, bracket.begin));
    at = bracket.end;
  }
  pieces.push(plain.slice(at, end));
  return openParentheses(pieces.join(' ')) > 0;
}

/** The number of open parentheses at the end of a text whose strings are closed. */
export function openParentheses(text: string): number {
  let depth = 0;
  for (const [mark] of text.matchAll(/"(?:\\.|[^"\\])*"|[()]/gs)) {
    if (mark === '(') depth += 1;
    if (mark === ')' && depth > 0) depth -= 1;
  }
  return depth;
}

/** A line that begins with a pipe continues the line before it. */
export async function* statementsIn(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let held: string | undefined;
  for await (const line of lines) {
    const goesOn = held !== undefined && (!isWhole(held) || /^\s*[|｜]/.test(line));
    if (held !== undefined && !goesOn) yield held;
    const before = goesOn && held !== undefined ? `${withoutBackslash(held)}\n` : '';
    const next = before + line;
    held = next.trim() === '' ? undefined : next;
  }
  if (held !== undefined) yield endsInBackslash(held) ? withoutBackslash(held) : held;
}
