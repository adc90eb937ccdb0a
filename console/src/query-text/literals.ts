// Names and values as a query text writes them.

const NAME = /^[\p{L}_@][\p{L}\p{Nd}\p{M}_@.:]*$/u;
/** Words that mean something else where a name may stand. */
const KEYWORDS = new Set([
  'and',
  'or',
  'true',
  'false',
  'null',
  'as',
  'by',
  'rows',
  'cols',
  'for',
  'output',
  'from',
  'not',
]);

/** The name of a field, bare where the language reads it so everywhere, otherwise `field("…")`. */
export const nameText = (name: string): string =>
  NAME.test(name) && !/[.:]$/.test(name) && !KEYWORDS.has(name) ? name : `field(${stringText(name)})`;

/** In double quotes. */
export const stringText = (text: string): string => `"${escaped(text)}"`;

/** In double quotes, for the right side of `==`, where a star would stand for any text. */
const patternText = (text: string): string => `"${escaped(text).replaceAll('*', '\\*')}"`;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\r': '\\r' };
const escaped = (text: string): string => text.replace(/[\\"\n\t\r]/g, (character) => ESCAPES[character] ?? character);

/** The condition that a field has a value; undefined for values that a text cannot name, as lists and maps. */
export function conditionText(field: string, value: unknown): string | undefined {
  const name = nameText(field);
  if (value === null || value === undefined) return `isnull(${name})`;
  if (typeof value === 'string') return `${name} == ${patternText(value)}`;
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint')
    return `${name} == ${value}`;
  return undefined;
}

/** Rows without the field stay: `!=` would leave them out. */
export const exclusionText = (field: string, value: unknown): string | undefined => {
  const condition = conditionText(field, value);
  if (condition === undefined) return undefined;
  return value === null || value === undefined ? `isnotnull(${nameText(field)})` : `not(${condition})`;
};
