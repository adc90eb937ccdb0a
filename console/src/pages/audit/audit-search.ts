// The state of the page in its address, and the filters of the operation that it means.

import type { AnswerFor } from '#client/call.ts';
import { choiceIn, numberIn, present, type RawSearch, textIn, textsIn } from '#console/pages/search-values.ts';
import { toStamp } from '#console/time/moments.ts';
import { type Interval, rangeOf, type TimeRange } from '#console/time/ranges.ts';

export type AuditEntry = AnswerFor<'GET /api/core/audit-logs'>['audit_logs'][number];

export const AUDIT_VIEWS = ['entries', 'proof'] as const;

export interface AuditSearch {
  readonly view?: (typeof AUDIT_VIEWS)[number] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Codes of categories: an address means the same in every language. */
  readonly categories?: readonly string[] | undefined;
  /** Codes of actions. */
  readonly actions?: readonly string[] | undefined;
  /** A login name. */
  readonly user?: string | undefined;
  readonly address?: string | undefined;
  /** The GUID of a company. */
  readonly company?: string | undefined;
  readonly keywords?: string | undefined;
  /** The number of the entry whose detail is shown. */
  readonly entry?: number | undefined;
}

export const readAuditSearch = (search: RawSearch): AuditSearch =>
  present({
    view: choiceIn(search, 'view', AUDIT_VIEWS),
    from: textIn(search, 'from'),
    to: textIn(search, 'to'),
    categories: textsIn(search, 'categories'),
    actions: textsIn(search, 'actions'),
    user: textIn(search, 'user'),
    address: textIn(search, 'address'),
    company: textIn(search, 'company'),
    keywords: textIn(search, 'keywords'),
    entry: numberIn(search, 'entry'),
  });

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
