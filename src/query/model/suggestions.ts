// Names to suggest for an unknown one (14): equal without regard to case, else within a small edit distance, nearest
// first.

import { editDistance } from '#kernel/text/near-miss.ts';

const MAX_SUGGESTIONS = 3;
const SHORT_NAME = 4;
/** The edit distance is expensive: for a longer name only names that differ in case are suggested. */
const MAX_NAME_LENGTH = 40;
const MAX_CANDIDATES = 500;

export function suggestionsFor(name: string, known: Iterable<string>): string[] {
  const names = [...new Set(known)];
  const folded = name.toLowerCase();
  const alike = names.filter((candidate) => candidate.toLowerCase() === folded);
  if (alike.length > 0) return alike.slice(0, MAX_SUGGESTIONS);
  if (name.length > MAX_NAME_LENGTH) return [];
  const limit = name.length <= SHORT_NAME ? 1 : 2;
  return names
    .filter((candidate) => Math.abs(candidate.length - name.length) <= limit)
    .slice(0, MAX_CANDIDATES)
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}
