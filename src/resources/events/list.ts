// GET /events

import { wrongDateRange } from '#contract/errors.ts';
import { isAtLeast } from '#contract/values.ts';
import { eventRecord, toRecord } from '#detection/event-record.ts';
import { PRIORITIES, RULE_KINDS } from '#detection/rule-kinds.ts';
import { openEvent } from '#detection/sealing.ts';
import { someOf } from '#http/choice-params.ts';
import { described } from '#http/described.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { alongside, guid, guids, int, keywords, orElse } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import { time } from '#http/time-params.ts';
import type { Vault } from '#vault/vault.ts';
import { listEvents } from './store.ts';

export const list = endpoint({
  title: 'List events',
  notes:
    'Matches of rules, newest first. A MEMBER sees events that name it. Keywords are searched in the newest ' +
    '10,000 of the matching sealed events. An event without `suppress_key` has none in its record.',
  method: 'GET',
  path: '/api/core/events',
  access: 'MEMBER',
  params: {
    offset: orElse(int(), 0, 'Number of matches before the page.'),
    limit: orElse(int(0n, 1000n), 1000, 'Largest number of matches on the page.'),
    keywords,
    from: described(time, 'Earliest time of the last match, inclusive.'),
    to: described(
      alongside(time, (to, { from }) => {
        if (to && from instanceof Temporal.Instant && Temporal.Instant.compare(from, to) > 0) throw wrongDateRange();
      }),
      'Latest time of the last match, inclusive.',
    ),
    rule_guids: described(guids, 'GUIDs of the rules whose events are listed.'),
    rule_types: described(someOf(RULE_KINDS), 'Kinds of rules whose events are listed; both where absent.'),
    priorities: described(someOf(PRIORITIES), 'Priorities to list; all where absent.'),
    ticket_guid: described(guid, 'GUID of the ticket that joins the events.'),
  },
  answer: listOf('events', eventRecord),

  async run({ from, to, ...input }, { db, caller, zone, vault }: Call & { zone: string; vault: Vault }) {
    const member = isAtLeast(caller.role, 'ADMIN') ? undefined : caller.userGuid;
    const range = { from: from?.epochMilliseconds, to: to?.epochMilliseconds };
    const sealing = vault.opening();
    const { total, rows } = await listEvents(db, { ...input, ...range, member }, sealing);
    return { total_count: total, events: rows.map((row) => toRecord(openEvent(row, sealing), zone)) };
  },
});
