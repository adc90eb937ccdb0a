// GET /events

import { eventRecord, toRecord } from '#detection/events/event-record.ts';
import { openEvent } from '#detection/events/sealing.ts';
import { listOf } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { alongside, int, keywords, oneOf, orElse } from '#operations/params/params.ts';
import { time } from '#operations/params/time-params.ts';
import type { Vault } from '#vault/vault.ts';
import { FROM, furtherFilters, memberOf, requireRange, TO } from './filters.ts';
import { listEvents, SORT_COLUMNS } from './store.ts';

export const list = endpoint({
  title: 'List events',
  notes:
    'Matches of rules, newest first unless sorted otherwise; priorities are sorted by their rank, LOW first. ' +
    'A MEMBER sees events that name it. Keywords are searched in the newest ' +
    '10,000 of the matching sealed events. An event without `suppress_key` has none in its record.',
  method: 'GET',
  path: '/api/core/events',
  access: 'MEMBER',
  params: {
    offset: orElse(int(), 0, 'Number of matches before the page.'),
    limit: orElse(int(0n, 1000n), 1000, 'Largest number of matches on the page.'),
    keywords,
    from: described(time, FROM),
    to: described(alongside(time, requireRange), TO),
    ...furtherFilters,
    sort_type: orElse(oneOf(['ASC', 'DESC']), 'DESC', 'Order of the sort.'),
    sort_column: orElse(oneOf(SORT_COLUMNS), 'id', 'Field to sort by; equal ones by `id`.'),
  },
  answer: listOf('events', eventRecord),

  async run({ from, to, ...input }, { db, caller, zone, vault }: Call & { zone: string; vault: Vault }) {
    const range = { from: from?.epochMilliseconds, to: to?.epochMilliseconds };
    const sealing = vault.opening();
    const { total, rows } = await listEvents(db, { ...input, ...range, member: memberOf(caller) }, sealing);
    return { total_count: total, events: rows.map((row) => toRecord(openEvent(row, sealing), zone)) };
  },
});
