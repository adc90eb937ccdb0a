// PUT /tickets/:guid/priority and /tickets/:guid/incident

import type { Clock } from '#kernel/time/clock.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { flag, int, required } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { requireChangeable } from './rights.ts';
import { updateTicket } from './store.ts';

type Needs = Call & { readonly clock: Clock };

export const setPriority = endpoint({
  title: 'Set ticket priority',
  method: 'PUT',
  path: '/api/core/tickets/:guid/priority',
  access: 'MEMBER',
  audit: 'tickets.set-priority',
  params: { guid: guidOf('ticket'), priority: required(int(1n, 3n), 'Priority: 3 is high, 2 medium, 1 low.') },
  answer: nothing,

  async run(input, { db, caller, clock }: Needs) {
    await requireChangeable(db, input.guid, caller);
    await updateTicket(db, input.guid, { priority: input.priority }, clock.now().epochMilliseconds);
    return {};
  },
});

export const setIncident = endpoint({
  title: 'Set ticket incident',
  method: 'PUT',
  path: '/api/core/tickets/:guid/incident',
  access: 'MEMBER',
  audit: 'tickets.set-incident',
  params: { guid: guidOf('ticket'), incident: required(flag, 'Whether the ticket is an incident.') },
  answer: nothing,

  async run(input, { db, caller, clock }: Needs) {
    await requireChangeable(db, input.guid, caller);
    await updateTicket(db, input.guid, { incident: input.incident ? 1 : 0 }, clock.now().epochMilliseconds);
    return {};
  },
});
