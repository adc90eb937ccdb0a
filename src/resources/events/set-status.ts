// PUT /events/status

import { seenEvents, updateEvents } from '#detection/events/visible-events.ts';
import { EVENT_STATUSES } from '#detection/rules/rule-kinds.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { failures, int32, record } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { oneOf, required, text } from '#operations/params/params.ts';
import { guidsOf } from '#operations/shared-fields.ts';
import { memberOf } from './filters.ts';

export const setStatus = endpoint({
  title: 'Set event status',
  notes:
    'Each event gets the status, the reason, the caller and the time, also where it has the status already. Events ' +
    'that the caller may not see are failures with the reason `event-not-found`, like missing ones. Further matches ' +
    'that join an event leave its status as it is.',
  method: 'PUT',
  path: '/api/core/events/status',
  access: 'MEMBER',
  audit: 'events.status',
  params: {
    guids: guidsOf('events'),
    status: required(oneOf(EVENT_STATUSES), 'How far the events have been looked at.'),
    reason: described(text(2000), 'Reason of the status.', 'Test of the backup account.'),
  },
  answer: record({ succeeded: int32('Number of events that were changed.', 12), failures }),

  async run({ guids, status, reason = null }, { db, caller, clock }: Call & { clock: Clock }) {
    const wanted = [...new Set(guids)];
    const seen = await seenEvents(db, wanted, memberOf(caller));
    const now = clock.now().epochMilliseconds;
    const change = { status, status_reason: reason, status_user: caller.login, status_time: now };
    await updateEvents(db, [...seen.keys()], change, now);
    const missing = wanted.filter((guid) => !seen.has(guid));
    return { succeeded: seen.size, failures: missing.map((id) => ({ id, reason: 'event-not-found' })) };
  },
});
