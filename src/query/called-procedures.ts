// Which procedures a text calls, by its words alone: for searching the references to a procedure.

import { procedureText } from './language/procedure-names.ts';
import { QueryErrorList } from './model/query-error.ts';
import { parseText } from './parse.ts';
import type { ParsedQuery } from './planning/command.ts';

/** Whether the text calls the procedure, in its subqueries too, as far as it can be read. */
export function callsProcedure(text: string, name: string): boolean {
  const beginning = `proc ${procedureText(name.normalize())}(`;
  const calls = ({ commands }: ParsedQuery): boolean =>
    commands.some((command) => command.text.startsWith(beginning) || command.subqueries.some(calls));
  return calls(parseText(text, new QueryErrorList()).query);
}
