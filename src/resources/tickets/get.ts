// GET /tickets/:guid

import { orNull, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { foundOrNull, guidOf } from '#operations/shared-fields.ts';
import type { Vault } from '#vault/vault.ts';
import { ticketRecord, ticketRecords } from './model.ts';
import { memberGuidOf } from './rights.ts';
import { findTicket } from './store.ts';

export const get = endpoint({
  title: 'Get ticket',
  method: 'GET',
  path: '/api/core/tickets/:guid',
  access: 'MEMBER',
  params: { guid: guidOf('ticket') },
  answer: record({ ticket: orNull(ticketRecord)(foundOrNull('ticket')) }),

  async run(input, { db, caller, zone, vault }: Call & { zone: string; vault: Vault }) {
    const row = await findTicket(db, input.guid, memberGuidOf(caller));
    const [ticket = null] = await ticketRecords(db, row ? [row] : [], { zone, sealing: vault.opening() });
    return { ticket };
  },
});
