// The name of the table for the name that a sender gives: mapped, taken as it is, or made valid.

import { MAX_TABLE_NAME, TABLE_NAME } from '#ingest/pushes/new-table.ts';

export interface TableMapping {
  /** `*` stands for any text, also for none. */
  readonly pattern: string;
  readonly table: string;
}

export const isTableName = (name: string): boolean => name.length <= MAX_TABLE_NAME && TABLE_NAME.test(name);

/** The table of the first pattern that fits; undefined where none does. */
export const mappedName = (name: string, mappings: readonly TableMapping[]): string | undefined =>
  mappings.find(({ pattern }) => fits(pattern, name))?.table;

/** With an underscore for each character that the name of a table cannot have. */
export const cleanedName = (name: string): string =>
  [...name.slice(0, 2 * MAX_TABLE_NAME)]
    .map((character) => (/^[A-Za-z0-9_]$/.test(character) ? character : '_'))
    .slice(0, MAX_TABLE_NAME)
    .join('');

/** Each part is sought behind the one before it, so that no pattern takes more than one pass for each of its parts. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...further] = pattern.split('*');
  const last = further.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of further) {
    const found = name.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
