// The state of the page in its address, and the parameters of operations that it means.

import type { AnswerFor } from '#client/call.ts';
import type { Sorting } from '#console/components/row-order.ts';
import { choiceIn, choicesIn, present, type RawSearch, textIn } from '#console/pages/search-values.ts';
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

export interface EventsSearch {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly priorities?: readonly (typeof PRIORITIES)[number][] | undefined;
  readonly statuses?: readonly Status[] | undefined;
  readonly type?: (typeof RULE_TYPES)[number] | undefined;
  /** The GUID of a rule. */
  readonly rule?: string | undefined;
  readonly keywords?: string | undefined;
  /** By the last match, newest first, where absent. */
  readonly sort?: (typeof SORTS)[number] | undefined;
  readonly order?: (typeof ORDERS)[number] | undefined;
  /** The GUID of the event whose detail is shown. */
  readonly event?: string | undefined;
}

export const readEventsSearch = (search: RawSearch): EventsSearch =>
  present({
    from: textIn(search, 'from'),
    to: textIn(search, 'to'),
    priorities: choicesIn(search, 'priorities', PRIORITIES),
    statuses: choicesIn(search, 'statuses', STATUSES),
    type: choiceIn(search, 'type', RULE_TYPES),
    rule: textIn(search, 'rule'),
    keywords: textIn(search, 'keywords'),
    sort: choiceIn(search, 'sort', SORTS),
    order: choiceIn(search, 'order', ORDERS),
    event: textIn(search, 'event'),
  });

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
    (keywords === undefined || texts.some((text) => text?.toLowerCase().includes(keywords.toLowerCase())))
  );
}
