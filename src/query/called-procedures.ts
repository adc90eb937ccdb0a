// Which procedures, lookups and parsers a text names, by its words alone: for searching the references to one of them.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { procedureText } from './language/procedure-names.ts';
import { QueryErrorList } from './model/query-error.ts';
import { parseText } from './parse.ts';
import type { ParsedQuery } from './planning/command.ts';

/** Whether the text calls the procedure, in its subqueries too, as far as it can be read. */
export function* callsProcedure(text: string, name: string): SlicedWork<boolean> {
  const beginning = `proc ${procedureText(name.normalize())}(`;
  const calls = ({ commands }: ParsedQuery): boolean =>
    commands.some((command) => command.text.startsWith(beginning) || command.subqueries.some(calls));
  return calls((yield* parseText(text, new QueryErrorList())).query);
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
