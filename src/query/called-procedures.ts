// Which procedures, lookups and parsers a text names, by its words alone: for searching the references to one of them.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { procedureText } from './language/procedure-names.ts';
import { QueryErrorList } from './model/query-error.ts';
import { commandWord, parseText } from './parse.ts';
import type { LostCommand, ParsedQuery } from './planning/command.ts';

/** Whether the text calls the procedure, in its subqueries too, as far as it can be read. */
export function* callsProcedure(text: string, name: string): SlicedWork<boolean> {
  const own = name.normalize();
  const beginning = `proc ${procedureText(own)}(`;
  const { query, plain } = yield* parseText(text, new QueryErrorList());
  // Without the procedures of an account the word of a command of its own is unknown.
  const isCommand = ({ begin, declaration }: LostCommand) =>
    !declaration && commandWord(plain, begin).normalize() === own;
  const calls = ({ commands, lost }: ParsedQuery): boolean =>
    lost.some(isCommand) ||
    commands.some((command) => command.text.startsWith(beginning) || command.subqueries.some(calls));
  return calls(query);
}

const LOOKUP_COMMAND = /^(?:lookup|lookuptable|outputlookup) ([^ ]+)/;

/** Whether the text reads or writes the stored lookup. */
export function namesLookup(text: string, name: string): SlicedWork<boolean> {
  return someCommand(text, (command) => LOOKUP_COMMAND.exec(command)?.[1] === name);
}

/** Whether the text runs the parser. */
export const namesParser = (text: string, code: string): SlicedWork<boolean> =>
  someCommand(text, (command) => command.startsWith('parse ') && command.endsWith(` ${code}`));

function* someCommand(text: string, isSo: (command: string) => boolean): SlicedWork<boolean> {
  const some = ({ commands }: ParsedQuery): boolean =>
    commands.some((command) => isSo(command.text) || command.subqueries.some(some));
  return some((yield* parseText(text, new QueryErrorList())).query);
}
