// Which procedures, lookups and parsers a text names, by its words alone: for searching the references to one of them.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { QueryErrorList } from './model/query-error.ts';
import { commandWord, parseText } from './parse.ts';
import type { ParsedQuery } from './planning/command.ts';

/** Whether the text calls the procedure, in its subqueries too, as far as it can be read. */
export function* callsProcedure(text: string, name: string): SlicedWork<boolean> {
  const { procedures, words } = yield* calledNames(text);
  const own = name.normalize();
  return procedures.has(own) || words.has(own);
}

interface CalledNames {
  /** Called by `proc`. */
  readonly procedures: ReadonlySet<string>;
  /** Words that are no command of the language: without the procedures of an account one's own commands are unknown. */
  readonly words: ReadonlySet<string>;
}

/** In subqueries too, as far as the text can be read. */
export function* calledNames(text: string): SlicedWork<CalledNames> {
  const { query, plain } = yield* parseText(text, new QueryErrorList());
  const procedures = new Set<string>();
  const words = new Set<string>();
  const collect = ({ commands, lost }: ParsedQuery): void => {
    for (const { begin, declaration } of lost) if (!declaration) words.add(commandWord(plain, begin).normalize());
    for (const command of commands) {
      const name = procedureIn(command.text);
      if (name !== undefined) procedures.add(name);
      command.subqueries.forEach(collect);
    }
  };
  collect(query);
  return { procedures, words };
}

/** Of normalized text. */
function procedureIn(command: string): string | undefined {
  const [, quotedName, bareName] = /^proc (?:"([^"]*)"|([^("]+))\(/.exec(command) ?? [];
  return quotedName ?? bareName;
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
