// Rules and facts of a whole pipeline, from its parsed commands.

import { optionSpan } from './language/option-readers.ts';
import { QueryError } from './model/query-error.ts';
import type { ParsedCommand, ParsedQuery } from './planning/command.ts';

const CUTS = ['offset', 'limit'];

/** Records come one by one, so there is nothing to count. */
export function refuseLimit({ declaration, options }: ParsedCommand): void {
  const cut = declaration.name === 'search' ? options.find(({ name }) => CUTS.includes(name)) : undefined;
  if (cut) throw new QueryError(92002, optionSpan(cut), { name: cut.name });
}

/** `set _timezone` holds for the whole query with its subqueries, wherever it stands. */
export function zoneOf({ commands }: ParsedQuery): string | undefined {
  for (const command of commands) {
    const zone = command.zone ?? command.subqueries.map(zoneOf).find((found) => found !== undefined);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/** Not where a query only looks something up (11). */
export function refuseSinks({ commands }: ParsedQuery): void {
  for (const { declaration, nameSpan, subqueries } of commands) {
    if (declaration.class === 'sink') throw new QueryError(92002, nameSpan, { name: declaration.name });
    subqueries.forEach(refuseSinks);
  }
}

/** With those of subqueries. */
export const commandsIn = ({ commands, lost }: ParsedQuery): number =>
  commands.reduce(
    (count, { subqueries }) => count + subqueries.reduce((sum, one) => sum + commandsIn(one), 1),
    lost.length,
  );
