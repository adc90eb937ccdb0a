// Regular expressions (4.7), always RE2's.

import { type RE2JS, RE2JS as Re2 } from 're2js';
import { Gauge } from './sizes.ts';

const KEPT_MOST = 1000;
const compiled = new Map<string, RE2JS>();

/** A pattern compiled once; it was checked when the query was parsed. */
export function regexOf(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  if (compiled.size >= KEPT_MOST) compiled.clear();
  const regex = Re2.compile(pattern);
  compiled.set(pattern, regex);
  return regex;
}

export const occurs = (text: string, pattern: string): boolean => regexOf(pattern).test(text);

/** Captures of the first match; null for a group that took no part or matched nothing. Undefined without a match. */
export function captures(text: string, regex: RE2JS): (string | null)[] | undefined {
  if (!regex.test(text)) return undefined;
  const matcher = regex.matcher(text);
  if (!matcher.find()) return undefined;
  return Array.from({ length: regex.groupCount() }, (_, index) => matcher.group(index + 1) || null);
}

/** All matches replaced; `$0` to `$9` are captures, `$$` a dollar, any other dollar itself. */
export function replacedAll(text: string, pattern: string, replacement: string): string {
  const regex = regexOf(pattern);
  if (!regex.test(text)) return text;
  const matcher = regex.matcher(text);
  const pieces: string[] = [];
  const gauge = new Gauge();
  let from = -1;
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    // As RE2 has it: nothing is not found once more right behind what was found.
    if (start === end && start === from) continue;
    const group = (at: number) => matcher.group(at);
    const put = filled(replacement, group, regex.groupCount());
    gauge.add(put);
    pieces.push(text.slice(Math.max(0, from), start), put);
    from = end;
  }
  return pieces.join('') + text.slice(Math.max(0, from));
}

const filled = (replacement: string, group: (at: number) => string | null, count: number): string =>
  replacement.replace(/\$([0-9$])/g, (_, what: string) => {
    if (what === '$') return '$';
    return Number(what) <= count ? (group(Number(what)) ?? '') : '';
  });
