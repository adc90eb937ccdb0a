// Names of lookups in commands, and the lookups behind them: those that the text has made, those in memory, stored ones.

import { quoted, unescaped } from '#query/language/strings.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { KnownColumn } from '#query/model/columns.ts';
import { GEOIP, type KnownLookup, PLAIN_LOOKUP_NAME } from '#query/model/lookups.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { MemoryBuild } from '#query/plan-nodes/memlookup.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

/** Wider than a plain name: names of lookups in memory were once written like fields. */
const WORD = /[\p{L}\p{M}\p{Nd}_@.:-]+/uy;

/** A word or a STRING. */
export function takeLookupName(words: Words): Name {
  const text = words.takeString();
  if (text) return { begin: text.begin, end: text.end, text: unescaped(text).text };
  if (words.startsWith('field(')) return words.takeName([], () => words.tooFew({ term: 'name' }));
  const word = words.match(WORD);
  if (!word) throw words.tooFew({ term: 'name' });
  const begin = words.at;
  words.moveTo(begin + word.length);
  return { begin, end: begin + word.length, text: word.normalize() };
}

export const lookupText = ({ text }: Name): string => (PLAIN_LOOKUP_NAME.test(text) ? text : quoted(text));

export interface FoundLookup {
  readonly known: KnownLookup;
  /** Where a command before it in the same phase builds the lookup. */
  readonly built?: MemoryBuild;
}

/** Of the account whose rights the text has (21200). */
export function lookupNamed(name: Name, planning: CommandPlanning<unknown>): FoundLookup {
  const found = findLookup(name.text, planning);
  if (found) return found;
  const { lookups, memoryLookups } = planning.queryContext;
  const { built, made, madeStored } = planning.pipeline;
  const known = [memoryLookups, lookups, built, made, madeStored].flatMap((some) => [...some.keys()]);
  const names = [...new Set([...known, GEOIP.name])];
  throw new QueryError(21200, name, { name: name.text }, { suggestions: suggestionsFor(name.text, names) });
}

/** A lookup in memory hides a stored one from its own account, but not inside of a procedure. */
function findLookup(name: string, planning: CommandPlanning<unknown>): FoundLookup | undefined {
  const isInProcedure = planning.queryContext.account !== undefined;
  const stored = () => storedLookup(name, planning);
  const inMemory = () => memoryLookup(name, planning);
  const known = isInProcedure ? (stored() ?? inMemory()) : (inMemory() ?? stored());
  return known && ('known' in known ? known : { known });
}

/** One that exists, or that an earlier phase of the text makes. */
export function storedLookup(name: string, { queryContext, pipeline }: CommandPlanning<unknown>) {
  return queryContext.lookups.get(name) ?? pipeline.madeStored.get(name);
}

/** One that exists, or that the text makes before. */
export function memoryLookup(
  name: string,
  { queryContext, pipeline }: CommandPlanning<unknown>,
): FoundLookup | undefined {
  const built = pipeline.built.get(name);
  if (built) return { known: asKnown(built), built };
  const known = queryContext.memoryLookups.get(name) ?? pipeline.made.get(name);
  return known && { known };
}

/** How a node names a lookup. */
export const nameOfLookup = ({ name, guid }: KnownLookup, { account }: CommandPlanning<unknown>) => ({
  lookup: name,
  ...account,
  ...(guid === undefined ? {} : { stored: guid }),
});

export const asKnown = ({ lookup: name, key, records }: MemoryBuild): KnownLookup => ({
  name,
  key,
  columns: records.rows.columns,
});

export function columnOf(known: KnownLookup, name: Name): KnownColumn {
  const column = known.columns.find((one) => one.name === name.text);
  if (column) return column;
  const suggestions = suggestionsFor(
    name.text,
    known.columns.map((one) => one.name),
  );
  throw new QueryError(21201, name, { name: known.name, column: name.text }, { suggestions });
}
