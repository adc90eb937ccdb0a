// What may stand at a position of a query text, read from the text before it and the syntax lines of the language.

import type { AnswerFor } from '#client/call.ts';
import { commandTextAt } from '#console/query-text/command-texts.ts';

export type Catalogue = AnswerFor<'GET /api/core/query-language'>;
export type CommandHelp = Catalogue['commands'][number];
export type OptionHelp = CommandHelp['options'][number];

export type Wanted =
  | { readonly kind: 'command'; readonly isFirst: boolean }
  | { readonly kind: 'value'; readonly option: OptionHelp }
  | {
      readonly kind: 'object';
      readonly command: CommandHelp;
      /** Options that may still be written here. */
      readonly options: readonly OptionHelp[];
      readonly takesTables: boolean;
      readonly takesFields: boolean;
      readonly takesFunctions: boolean;
      readonly takesAggregates: boolean;
      readonly words: readonly string[];
    };

export interface CompletionPosition {
  /** Of the name that is being typed. */
  readonly begin: number;
  /** The pipeline before this command. */
  readonly before: string;
  readonly wanted: Wanted;
}

const WORD = /[\p{L}\p{Nd}\p{M}_@.:]*$/u;
const OPTIONS = /^(?:[\p{L}_]+=(?:"(?:\\.|[^"\\])*"|\$\([^)]*\)|[^\s"()[\]|]*)\s+)*/u;
const OPTION_BEGUN = /^([\p{L}_]+)=([^\s"()[\]|]*)$/u;

/** Undefined where nothing is completed: in a string, in a comment, behind an unknown command. */
export function positionAt(text: string, cursor: number, { commands }: Catalogue): CompletionPosition | undefined {
  const at = commandTextAt(text, cursor);
  if (!at) return undefined;
  const { begin, before } = at;
  const commandText = text.slice(begin, cursor);
  if (/^[\p{L}\p{Nd}_-]*$/u.test(commandText)) {
    return { begin, before, wanted: { kind: 'command', isFirst: /^(\s*(set|setq)\b[^|]*\|?)*\s*$/.test(before) } };
  }
  const name = /^[\p{L}\p{Nd}_-]+(?=\s)/u.exec(commandText)?.[0];
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) return undefined;
  return { before, ...wantedIn(command, commandText.slice(command.name.length).trimStart(), cursor) };
}

function wantedIn(command: CommandHelp, objects: string, cursor: number): Pick<CompletionPosition, 'begin' | 'wanted'> {
  const written = OPTIONS.exec(objects)?.[0] ?? '';
  const rest = objects.slice(written.length);
  const [, key, value] = OPTION_BEGUN.exec(rest) ?? [];
  const option = command.options.find((candidate) => candidate.name === key);
  if (option && value !== undefined) return { begin: cursor - value.length, wanted: { kind: 'value', option } };
  const word = WORD.exec(rest)?.[0] ?? '';
  const isInCall = parentheses(rest) > 0;
  const options = rest === word ? command.options.filter((one) => !written.includes(`${one.name}=`)) : [];
  return { begin: cursor - word.length, wanted: { kind: 'object', command, options, ...takenBy(command, isInCall) } };
}

function parentheses(text: string): number {
  const outside = text.replace(/"(?:\\.|[^"\\])*"?/g, '');
  return outside.split('(').length - outside.split(')').length;
}

/** Capitals of a syntax line are placeholders, small words stand as they are. */
function takenBy({ name, syntax }: CommandHelp, isInCall: boolean) {
  const objects = syntax.replace(/\[?\b\w+=(?:"[^"]*"|[^\s\]]*)\]?/g, '').replaceAll(` or ${name} `, ' ');
  const has = (notation: RegExp) => notation.test(objects);
  const words = (objects.replace(/"[^"]*"/g, '').match(/\b[a-z]+\b/g) ?? []).filter(
    (word) => ![name, 'names', 'keys', 'x'].includes(word),
  );
  const takesExpressions = has(/\bEXPR\b/);
  return {
    takesTables: has(/\bNAME\[\?\]|\bTABLE\b/),
    takesFields: isInCall || takesExpressions || has(/\bnames\b|\bkeys\b|\bF\b|\bTERMS\b/),
    takesFunctions: isInCall || takesExpressions,
    takesAggregates: !isInCall && has(/\bAGG\b/),
    words: isInCall ? [] : [...new Set([...words, ...(takesExpressions ? ['and', 'or'] : [])])],
  };
}
