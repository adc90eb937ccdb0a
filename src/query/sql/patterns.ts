// Wildcards and regular expressions in the syntax of DuckDB.

import type { Value } from '#query/model/values.ts';
import type { Writer } from './writer.ts';

/** SQL of the test whether a text, itself SQL, matches the parts of a wildcard pattern; null for null. */
export function wildcardSql(text: string, parts: readonly string[], writer: Writer): string {
  const bind = (value: Value) => writer.bind(value).text;
  const [first = '', middle = '', last = ''] = parts;
  if (parts.length === 1) return `${text} = ${bind(first)}`;
  if (parts.every((part) => part === '')) return `(${text} is not null or null)`;
  if (parts.length === 2 && middle === '') return `starts_with(${text}, ${bind(first)})`;
  if (parts.length === 2 && first === '') return `ends_with(${text}, ${bind(middle)})`;
  if (parts.length === 3 && first === '' && last === '') return `contains(${text}, ${bind(middle)})`;
  // Without an escape clause DuckDB searches the parts one after the other, which is several times as fast.
  if (!parts.some((part) => /[%_]/.test(part))) return `${text} like ${bind(parts.join('%'))}`;
  const pattern = parts.map((part) => part.replace(/[\\%_]/g, (mark) => `\\${mark}`)).join('%');
  return `${text} like ${bind(pattern)} escape '\\'`;
}

/** DuckDB's RE2 does not support `(?<n>`, only `(?P<n>`. Escapes, quoted parts and classes are skipped. */
export function namedGroupsRewritten(pattern: string): string {
  return pattern.replace(
    /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:[^\]]*:\]|[^\]\\])*\]|\(\?</g,
    (found) => (found === '(?<' ? '(?P<' : found),
  );
}

/** Finds an anchor that is not at the start or end of its pattern; it may also match harmless ones. */
const INNER_ANCHOR = /.(?:\^|\\A)|(?:\$|\\z)./s;

/**
 * A pattern that is only tested for a match. DuckDB turns simple patterns into a LIKE and loses the position of such
 * anchors; a group prevents that.
 */
export function searchedPattern(pattern: string): string {
  const rewritten = namedGroupsRewritten(pattern);
  return INNER_ANCHOR.test(pattern) ? `(${rewritten})` : rewritten;
}

/** DuckDB matches bytes, so \B also matches inside of a character. The local evaluator evaluates such patterns. */
export const isForLocal = (pattern: string): boolean => pattern.includes('\\B');

/** A replacement of the language in the syntax of DuckDB; a group that does not exist is empty. */
export function replacementRewritten(replacement: string, groups: number): string {
  return replacement.replace(/\$([0-9$])|\\[$\\]?/g, (found, what: string | undefined) => {
    if (what === undefined) return found === '\\$' ? '$' : '\\\\';
    if (what === '$') return '$';
    return Number(what) <= groups ? `\\${what}` : found.slice(2);
  });
}
