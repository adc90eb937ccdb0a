// Wildcards and regular expressions as DuckDB takes them.

import type { Value } from '#query/model/values.ts';
import type { Writer } from './writer.ts';

/** Whether a text, given as SQL, fits the parts of a wildcard pattern; null for null. */
export function wildcardSql(text: string, parts: readonly string[], writer: Writer): string {
  const bind = (value: Value) => writer.bind(value).text;
  const [first = '', middle = '', last = ''] = parts;
  if (parts.length === 1) return `${text} = ${bind(first)}`;
  if (parts.every((part) => part === '')) return `(${text} is not null or null)`;
  if (parts.length === 2 && middle === '') return `starts_with(${text}, ${bind(first)})`;
  if (parts.length === 2 && first === '') return `ends_with(${text}, ${bind(middle)})`;
  if (parts.length === 3 && first === '' && last === '') return `contains(${text}, ${bind(middle)})`;
  // Without an escape DuckDB looks for the parts one after the other, which is several times as fast.
  if (!parts.some((part) => /[%_]/.test(part))) return `${text} like ${bind(parts.join('%'))}`;
  const pattern = parts.map((part) => part.replace(/[\\%_]/g, (mark) => `\\${mark}`)).join('%');
  return `${text} like ${bind(pattern)} escape '\\'`;
}

/** `(?<n>` is not known to DuckDB's RE2; `(?P<n>` is. Escapes, quoted parts and classes are passed over. */
export function namedGroupsRewritten(pattern: string): string {
  return pattern.replace(
    /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:[^\]]*:\]|[^\]\\])*\]|\(\?</g,
    (found) => (found === '(?<' ? '(?P<' : found),
  );
}

/** An anchor that is not the first or the last of its pattern, as far as a look tells: some that are fine look alike. */
const ODD_ANCHOR = /.(?:\^|\\A)|(?:\$|\\z)./s;

/**
 * A pattern of which only a match is asked. DuckDB makes a LIKE of simple ones and forgets where the anchors stood; a group
 * keeps it from that.
 */
export function searchedPattern(pattern: string): string {
  const rewritten = namedGroupsRewritten(pattern);
  return ODD_ANCHOR.test(pattern) ? `(${rewritten})` : rewritten;
}

/** DuckDB looks at bytes: inside a character it finds places that are no ends of words. Such patterns are the host's. */
export const isForHost = (pattern: string): boolean => pattern.includes('\\B');

/** `$0` to `$9` and `$$` as DuckDB writes them; a group that does not exist is empty. */
export function replacementRewritten(replacement: string, groups: number): string {
  return replacement.replace(/\$([0-9$])|\\/g, (found, what: string | undefined) => {
    if (what === undefined) return '\\\\';
    if (what === '$') return '$';
    return Number(what) <= groups ? `\\${what}` : found.slice(2);
  });
}
