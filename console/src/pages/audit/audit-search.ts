// The state of the page in its address, and the filters of the operation that it means.

import type { AnswerFor } from '#client/call.ts';
import { addressOf, choice, number, text, texts } from '#console/address/address.ts';
import { present } from '#console/client/present.ts';
import { toStamp } from '#console/time/moments.ts';
import { type Interval, rangeOf, type TimeRange } from '#console/time/ranges.ts';

export type AuditEntry = AnswerFor<'GET /api/core/audit-logs'>['audit_logs'][number];

export const AUDIT_VIEWS = ['entries', 'proof'] as const;

export const readAuditSearch = addressOf({
  view: choice(AUDIT_VIEWS),
  from: text,
  to: text,
  /** Codes of categories: an address means the same in every language. */
  categories: texts,
  /** Codes of actions. */
  actions: texts,
  /** A login name. */
  user: text,
  address: text,
  /** The GUID of a company. */
  company: text,
  keywords: text,
  /** The number of the entry whose detail is shown. */
  entry: number,
});
export type AuditSearch = ReturnType<typeof readAuditSearch>;

const LAST_WEEK: TimeRange = { from: 'now-7d', to: 'now' };

export const rangeIn = ({ from, to }: AuditSearch): TimeRange => rangeOf(from, to, LAST_WEEK);

/** User and address are texts to the operation, which finds all entries that mention them; `isOf` tells the others apart. */
export function filtersOf(search: AuditSearch, { from, to }: Interval) {
  const { categories, actions, user, address, company, keywords } = search;
  return {
    from: toStamp(from),
    to: toStamp(to),
    ...present({
      categories,
      actions,
      company_guids: company === undefined ? undefined : [company],
      keywords: [keywords, user, address].filter((text) => text !== undefined),
    }),
  };
}

/** True where the entry is of the user and from the address that are chosen. */
export const isOf = (entry: AuditEntry, { user, address }: AuditSearch): boolean =>
  (user === undefined || entry.user_name === user) && (address === undefined || entry.remote_ip === address);
