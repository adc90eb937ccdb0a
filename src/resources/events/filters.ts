// Filters of events, the same for lists, histograms and streams.

import type { Rightful } from '#access/caller.ts';
import { wrongDateRange } from '#contract/errors.ts';
import { isAtLeast } from '#contract/values.ts';
import { EVENT_STATUSES, PRIORITIES, RULE_KINDS } from '#detection/rules/rule-kinds.ts';
import { described } from '#operations/described.ts';
import { someOf } from '#operations/params/choice-params.ts';
import { type Earlier, guid, guids, keywords } from '#operations/params/params.ts';

/** Those that stand behind a range of times. */
export const furtherFilters = {
  rule_guids: described(guids, 'GUIDs of the rules whose events are meant.'),
  rule_types: described(someOf(RULE_KINDS), 'Kinds of rules whose events are meant; both where absent.'),
  priorities: described(someOf(PRIORITIES), 'Priorities that are meant; all where absent.'),
  ticket_guid: described(guid, 'GUID of the ticket that joins the events.'),
  statuses: described(someOf(EVENT_STATUSES), 'Statuses that are meant; all where absent.'),
} as const;

/** All but the range of times. */
export const untimedFilters = { keywords, ...furtherFilters } as const;

export const FROM = 'Earliest time of the last match, inclusive.';
export const TO = 'Latest time of the last match, inclusive.';

/** For the parameter `to`. */
export function requireRange(to: Temporal.Instant | undefined, { from }: Earlier): void {
  if (to && from instanceof Temporal.Instant && Temporal.Instant.compare(from, to) > 0) throw wrongDateRange();
}

/** GUID of a MEMBER, which sees some events; undefined for administrators, who see all. */
export const memberOf = ({ role, userGuid }: Rightful): string | undefined =>
  isAtLeast(role, 'ADMIN') ? undefined : userGuid;
