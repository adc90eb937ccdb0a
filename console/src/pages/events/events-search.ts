// The state of the page in its address, and the parameters of operations that it means.

import type { AnswerFor } from '#client/call.ts';
import { addressOf, choice, choices, text } from '#console/address/address.ts';
import { present } from '#console/client/present.ts';
import type { Sorting } from '#console/components/row-order.ts';
import { contains } from '#console/filters/text-filter.ts';
import { toStamp } from '#console/time/moments.ts';
import { type Interval, LAST_DAY, rangeOf, type TimeRange } from '#console/time/ranges.ts';

export const PRIORITIES = ['HIGH', 'MEDIUM', 'LOW'] as const;
export const STATUSES = ['new', 'seen', 'closed', 'false-positive'] as const;
export const RULE_TYPES = ['stream', 'batch'] as const;
/** Columns of the list that the service sorts by. */
export const SORTS = ['last_time', 'priority', 'status', 'rule_name', 'count'] as const;
export const ORDERS = ['ascending', 'descending'] as const;

export type EventRecord = AnswerFor<'GET /api/core/events'>['events'][number];
export type Status = (typeof STATUSES)[number];

export const readEventsSearch = addressOf({
  from: text,
  to: text,
  priorities: choices(PRIORITIES),
  statuses: choices(STATUSES),
  type: choice(RULE_TYPES),
  /** The GUID of a rule. */
  rule: text,
  keywords: text,
  /** By the last match, newest first, where absent. */
  sort: choice(SORTS),
  order: choice(ORDERS),
  /** The GUID of the event whose detail is shown. */
  event: text,
});
export type EventsSearch = ReturnType<typeof readEventsSearch>;

export const rangeIn = ({ from, to }: EventsSearch): TimeRange => rangeOf(from, to, LAST_DAY);

/** The order of the list; that of the time it shows where the address has none. */
export const sortingIn = ({ sort = 'last_time', order = 'descending' }: EventsSearch): Sorting => ({
  column: sort,
  direction: order,
});

/** The order of the list, as the operation has it. */
export const orderOf = ({ sort = 'last_time', order = 'descending' }: EventsSearch) =>
  ({ sort_column: sort, sort_type: order === 'ascending' ? 'ASC' : 'DESC' }) as const;

/** The address of an order; the usual one needs none. */
export function searchOfSorting({ column, direction }: Sorting): EventsSearch {
  const sort = SORTS.find((one) => one === column);
  const isUsual = sort === 'last_time' && direction === 'descending';
  return { sort: isUsual ? undefined : sort, order: isUsual ? undefined : direction };
}

/** The filters of list and histogram. */
export function filtersOf(search: EventsSearch, { from, to }: Interval) {
  const { priorities, statuses, type, rule, keywords } = search;
  return {
    from: toStamp(from),
    to: toStamp(to),
    ...present({
      priorities,
      statuses,
      rule_types: type === undefined ? undefined : [type],
      rule_guids: rule === undefined ? undefined : [rule],
      keywords,
    }),
  };
}

/** True where a new event belongs to what is shown; keywords are compared as the service does. */
export function fits(event: EventRecord, { priorities, statuses, type, rule, keywords }: EventsSearch): boolean {
  const texts = [event.rule_name, event.msg, event.suppress_key];
  return (
    (!priorities || priorities.some((priority) => priority === event.priority)) &&
    (!statuses || statuses.some((status) => status === event.status)) &&
    (type === undefined || type === event.rule_type) &&
    (rule === undefined || rule === event.rule_guid) &&
    (keywords === undefined || texts.some((one) => one && contains(one, keywords)))
  );
}
