// Whether a text decides by itself which time it reads. Such a text cannot be run once for several times.

import { QueryErrorList } from './model/query-error.ts';
import { parseText } from './parse.ts';
import type { ParsedQuery } from './planning/command.ts';

/** Ranges and windows of commands that read records. The text of a procedure is not known here. */
const OWN_RANGE = /^(?:proc )|^\w+ (?:[^"|]* )?(?:duration|from|to|window)=/;
const CURRENT_TIME = /\bnow\s*\(/i;

/** True if the text has a time range of its own, reads the current time, or may do so. */
export function dependsOnTime(text: string): boolean {
  const some = ({ commands }: ParsedQuery): boolean =>
    commands.some(
      (command) => OWN_RANGE.test(command.text) || CURRENT_TIME.test(command.text) || command.subqueries.some(some),
    );
  return some(parseText(text, new QueryErrorList()).query);
}
