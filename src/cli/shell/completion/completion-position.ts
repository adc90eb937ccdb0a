// The position of the cursor in a query: the command, the kind of completion, and the pipeline before it, whose columns are
// the candidates for fields. The text behind the cursor is not read.

import { openParentheses } from '#cli/shell/statements.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import { commandNamed } from '#query/commands/index.ts';
import { split } from '#query/language/command-texts.ts';
import type { CommandDeclaration } from '#query/planning/command.ts';

export interface CompletionPosition {
  readonly begin: number;
  /** The typed part of the name. */
  readonly word: string;
  readonly wants: Want;
}

export type Want =
  | { readonly kind: 'command'; readonly isFirst: boolean }
  /** An argument of a word that the language does not have. */
  | { readonly kind: 'own-command'; readonly name: string }
  | { readonly kind: 'value'; readonly command: CommandDeclaration; readonly option: string; readonly before: string }
  | {
      readonly kind: 'object';
      readonly command: CommandDeclaration;
      /** Whether an option may follow. */
      readonly mayBeOption: boolean;
      readonly isInParentheses: boolean;
      /** The pipeline before this command, inside the same brackets; empty where there is none. */
      readonly before: string;
    };

const WORD = /[\p{L}\p{Nd}\p{M}_@.]*$/u;
/** Complete options, one after another. */
const OPTIONS = /^(?:[\p{L}_@][\p{L}\p{Nd}_@.]*=(?:"(?:\\.|[^"\\])*"|\$\([^)]*\)|[^\s"()[\]|]*)\s+)*/u;
const OPTION_BEGUN = /^([\p{L}_@][\p{L}\p{Nd}_@.]*)=([^\s"()[\]|]*)$/u;

/** Undefined where nothing can be completed: in a string or in a comment. */
export function positionAt(text: string, cursor: number): CompletionPosition | undefined {
  const typed = text.slice(0, cursor);
  const inner = innermost(typed);
  const { plain, commandTexts, error } = runToEnd(split(inner));
  const last = commandTexts.at(-1);
  if (error || !last || last.isComment) return undefined;
  const commandText = plain.slice(last.begin);
  const before = last.opened === -1 ? '' : inner.slice(0, last.opened);
  if (/^[\p{L}\p{Nd}\p{M}_-]*$/u.test(commandText)) {
    const isFirst =
      before.trim() === '' || commandTexts.slice(0, -1).every((one) => precedesDriver(plain.slice(one.begin)));
    const begin = cursor - commandText.length;
    return { begin, word: text.slice(begin, cursor), wants: { kind: 'command', isFirst } };
  }
  const name = /^[\p{L}_][\p{L}\p{Nd}\p{M}_-]*(?=\s)/u.exec(commandText)?.[0];
  if (name === undefined) return undefined;
  const command = commandNamed(name);
  if (!command) return ownPosition(name, commandText, typed);
  return positionIn(command, commandText.slice(name.length).trimStart(), { cursor, before });
}

function ownPosition(name: string, commandText: string, typed: string): CompletionPosition {
  const begin = typed.length - (/[^\s,]*$/.exec(commandText)?.[0] ?? '').length;
  return { begin, word: typed.slice(begin), wants: { kind: 'own-command', name } };
}

function positionIn(
  command: CommandDeclaration,
  objects: string,
  { cursor, before }: { cursor: number; before: string },
): CompletionPosition {
  const rest = objects.slice(OPTIONS.exec(objects)?.[0].length ?? 0);
  const [, option, value] = OPTION_BEGUN.exec(rest) ?? [];
  if (option !== undefined && value !== undefined && Object.hasOwn(command.optionWords, option)) {
    return { begin: cursor - value.length, word: value, wants: { kind: 'value', command, option, before } };
  }
  const word = WORD.exec(rest)?.[0] ?? '';
  const mayBeOption = rest === word;
  const isInParentheses = openParentheses(rest) > 0;
  return {
    begin: cursor - word.length,
    word,
    wants: { kind: 'object', command, mayBeOption, isInParentheses, before },
  };
}

/** The text behind the innermost bracket that is still open. */
function innermost(typed: string): string {
  const { error } = runToEnd(split(typed));
  return error?.code === 90005 ? typed.slice(error.begin + 1) : typed;
}

function precedesDriver(commandText: string): boolean {
  const name = /^[\p{L}_][\p{L}\p{Nd}_]*/u.exec(commandText)?.[0] ?? '';
  return commandText.startsWith('#') || (commandNamed(name)?.mayPrecedeDriver ?? false);
}
