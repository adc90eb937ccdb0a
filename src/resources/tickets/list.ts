// GET /tickets

import { wrongDateRange } from '#contract/errors.ts';
import { TICKET_STATUSES } from '#detection/tickets/ticket-values.ts';
import { arrayOf, int32, record } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { someOf } from '#operations/params/choice-params.ts';
import { alongside, guids, int, keywords, oneOf, orElse } from '#operations/params/params.ts';
import { time } from '#operations/params/time-params.ts';
import type { Vault } from '#vault/vault.ts';
import { ticketRecord, ticketRecords } from './model.ts';
import { memberGuidOf } from './rights.ts';
import { listTickets, SORT_COLUMNS } from './store.ts';

export const list = endpoint({
  title: 'List tickets',
  notes:
    'A MEMBER sees those of the repositories granted to it; an assignee without a grant does not see its ticket. ' +
    'Sorted by `closed_at`, open ones come after closed ones. Keywords are searched in the newest 10,000 of the ' +
    'matching sealed tickets. `count` of a ticket created by an account is 0.',
  method: 'GET',
  path: '/api/core/tickets',
  access: 'MEMBER',
  params: {
    offset: orElse(int(), 0, 'Number of matches before the page.'),
    limit: orElse(int(0n, 1000n), 1000, 'Largest number of matches on the page.'),
    from: described(time, 'Earliest time of creation, inclusive.'),
    to: described(
      alongside(time, (to, { from }) => {
        if (to && from instanceof Temporal.Instant && Temporal.Instant.compare(from, to) > 0) throw wrongDateRange();
      }),
      'Latest time of creation, inclusive.',
    ),
    statuses: described(someOf(TICKET_STATUSES), 'Statuses to list; all where absent.'),
    keywords,
    priorities: described(someOf(['3', '2', '1']), 'Priorities to list: 3 is high, 2 medium, 1 low; all where absent.'),
    assignees: described(guids, 'GUIDs of users of whom one is assigned.'),
    approvers: described(guids, 'GUIDs of users of whom one approves.'),
    sort_type: orElse(oneOf(['ASC', 'DESC']), 'DESC', 'Order of the sort.'),
    sort_column: orElse(oneOf(SORT_COLUMNS), 'id', 'Field to sort by.'),
  },
  answer: record({
    total: int32('Number of matches on all pages.'),
    tickets: arrayOf(ticketRecord)('The matches on this page.'),
  }),

  async run({ from, to, priorities, ...input }, { db, caller, zone, vault }: Call & { zone: string; vault: Vault }) {
    const sealing = vault.opening();
    const range = { from: from?.epochMilliseconds, to: to?.epochMilliseconds };
    const wanted = { ...input, ...range, member: memberGuidOf(caller), priorities: priorities?.map(Number) };
    const { total, rows } = await listTickets(db, wanted, sealing);
    return { total, tickets: await ticketRecords(db, rows, { zone, sealing }) };
  },
});
