// GET /tickets

import { wrongDateRange } from '#contract/errors.ts';
import { TICKET_STATUSES } from '#detection/ticket-values.ts';
import { someOf } from '#http/choice-params.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { alongside, anyText, guids, int, oneOf, orElse } from '#http/params.ts';
import { arrayOf, int32, record } from '#http/shapes.ts';
import { time } from '#http/time-params.ts';
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
    offset: orElse(int(), 0),
    limit: orElse(int(0n, 1000n), 1000),
    from: time,
    to: alongside(time, (to, { from }) => {
      if (to && from instanceof Temporal.Instant && Temporal.Instant.compare(from, to) > 0) throw wrongDateRange();
    }),
    statuses: someOf(TICKET_STATUSES),
    keywords: anyText,
    priorities: someOf(['3', '2', '1']),
    assignees: guids,
    approvers: guids,
    sort_type: orElse(oneOf(['ASC', 'DESC']), 'DESC'),
    sort_column: orElse(oneOf(SORT_COLUMNS), 'id'),
  },
  answer: record({ total: int32, tickets: arrayOf(ticketRecord) }),

  async run({ from, to, priorities, ...input }, { db, caller, zone, vault }: Call & { zone: string; vault: Vault }) {
    const sealing = vault.opening();
    const range = { from: from?.epochMilliseconds, to: to?.epochMilliseconds };
    const wanted = { ...input, ...range, member: memberGuidOf(caller), priorities: priorities?.map(Number) };
    const { total, rows } = await listTickets(db, wanted, sealing);
    return { total, tickets: await ticketRecords(db, rows, { zone, sealing }) };
  },
});
