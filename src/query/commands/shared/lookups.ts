// Finds lookups by name: stored ones, those that the pipeline has built, and the built-in one.

import type { Name } from '#query/language/words.ts';
import type { KnownColumn } from '#query/model/columns.ts';
import { GEOIP, type KnownLookup } from '#query/model/lookups.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

/** A lookup that exists before the query runs (21200). */
export function lookupNamed(name: Name, planning: CommandPlanning<unknown>): KnownLookup {
  const { lookups } = planning.queryContext;
  const { built, made } = planning.pipeline;
  const known = lookups.get(name.text) ?? made.get(name.text);
  if (known) return known;
  const names = [...lookups.keys(), ...built.keys(), ...made.keys(), GEOIP.name];
  throw new QueryError(21200, name, { name: name.text }, { suggestions: suggestionsFor(name.text, names) });
}

export function columnOf(known: KnownLookup, name: Name): KnownColumn {
  const column = known.columns.find((one) => one.name === name.text);
  if (column) return column;
  const suggestions = suggestionsFor(
    name.text,
    known.columns.map((one) => one.name),
  );
  throw new QueryError(21201, name, { name: known.name, column: name.text }, { suggestions });
}
