// A dashboard as the operations give it, and the right to change it.

import type { AnswerFor } from '#client/call.ts';
import type { Account } from '#console/client/session.ts';
import { parseStamp, toIso, toStamp } from '#console/time/moments.ts';
import { resolveRange, type TimeRange } from '#console/time/ranges.ts';
import { isAtLeast } from '#contract/values.ts';

export type Dashboard = NonNullable<AnswerFor<'GET /api/core/dashboards/:guid'>['dashboard']>;
export type Layout = Dashboard['layout'];
export type PanelData = Layout['panels'][number];
export type Span = Layout['span'];

export const CHARTS = ['table', 'number', 'line', 'area', 'bar', 'pie'] as const;

export const EMPTY_LAYOUT: Layout = { columns: 12, span: { last: 86_400 }, panels: [] };

/** Grants are shown as far as the reader sees their holders; the reader sees itself and its own groups. */
export const mayChange = (
  { owner_guid, shared_users, shared_groups }: Dashboard,
  { guid, role_name }: Pick<Account, 'guid' | 'role_name'>,
): boolean =>
  isAtLeast(role_name, 'ADMIN') ||
  owner_guid === guid ||
  shared_users.some((grant) => grant.guid === guid && !grant.read_only) ||
  shared_groups.some(({ read_only }) => !read_only);

const UNITS = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** An address has at most five digits of a unit. */
const MAX_COUNT = 99_999;

/**
 * A span as the address of a page holds it. Lengths stand in the largest unit that fits, or rounded to the smallest one that an
 * address can count; a day is 24 hours there.
 */
export function rangeOfSpan(span: Span): TimeRange {
  if (!('last' in span)) {
    const from = parseStamp(span.from);
    const to = parseStamp(span.to);
    return { from: from === undefined ? 'now' : toIso(from), to: to === undefined ? 'now' : toIso(to) };
  }
  const { last } = span;
  if (last === 86_400) return { from: 'now-24h', to: 'now' };
  const countable = UNITS.filter(([, one]) => Math.round(last / one) <= MAX_COUNT);
  const [unit, seconds] = countable.find(([, one]) => last % one === 0) ?? countable.at(-1) ?? UNITS[0];
  return { from: `now-${Math.round(last / seconds)}${unit}`, to: 'now' };
}

const RELATIVE = /^now-/;

export function spanOfRange(range: TimeRange): Span {
  const { from, to } = resolveRange(range);
  if (range.to === 'now' && RELATIVE.test(range.from)) return { last: Math.max(1, Math.round((to - from) / 1000)) };
  return { from: toStamp(from), to: toStamp(to) };
}
