// Whether a text decides by itself which time it reads. Such a text cannot be run once for several times.

import { eventLoop } from '#runtime/event-loop.ts';
import { QueryErrorList } from './model/query-error.ts';
import { parseText } from './parse.ts';
import type { ParsedQuery } from './planning/command.ts';

/** Ranges and windows of commands that read records, also where they only look like them. The text of a procedure is not known here. */
const OWN_RANGE = /^proc |\b(?:duration|from|to|window)\s*=(?!=)/i;
const CURRENT_TIME = /\bnow\s*\(/i;

/** True if the text has a time range of its own, reads the current time, or may do so. */
export async function dependsOnTime(text: string): Promise<boolean> {
  const some = ({ commands }: ParsedQuery): boolean =>
    commands.some(
      (command) => OWN_RANGE.test(command.text) || CURRENT_TIME.test(command.text) || command.subqueries.some(some),
    );
  const errors = new QueryErrorList();
  const { query } = await eventLoop.runInSlots(parseText(text, errors));
  return errors.found.length > 0 || some(query);
}
