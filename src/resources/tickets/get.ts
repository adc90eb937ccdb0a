// GET /tickets/:guid

import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { orNull, record } from '#http/shapes.ts';
import type { Vault } from '#vault/vault.ts';
import { ticketRecord, ticketRecords } from './model.ts';
import { memberGuidOf } from './rights.ts';
import { findTicket } from './store.ts';

export const get = endpoint({
  title: 'Get ticket',
  method: 'GET',
  path: '/api/core/tickets/:guid',
  access: 'MEMBER',
  params: { guid: required(guid) },
  answer: record({ ticket: orNull(ticketRecord) }),

  async run(input, { db, caller, zone, vault }: Call & { zone: string; vault: Vault }) {
    const row = await findTicket(db, input.guid, memberGuidOf(caller));
    const [ticket = null] = await ticketRecords(db, row ? [row] : [], { zone, sealing: vault.opening() });
    return { ticket };
  },
});
