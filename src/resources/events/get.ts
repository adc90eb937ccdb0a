// GET /events/:guid

import { isAtLeast } from '#contract/values.ts';
import { eventRecord, toRecord } from '#detection/event-record.ts';
import { openEvent } from '#detection/sealing.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { orNull, record } from '#http/shapes.ts';
import { foundOrNull, guidOf } from '#http/shared-fields.ts';
import type { Vault } from '#vault/vault.ts';
import { findEvent } from './store.ts';

export const get = endpoint({
  title: 'Get event',
  method: 'GET',
  path: '/api/core/events/:guid',
  access: 'MEMBER',
  params: { guid: guidOf('event') },
  answer: record({ event: orNull(eventRecord)(foundOrNull('event')) }),

  async run(input, { db, caller, zone, vault }: Call & { zone: string; vault: Vault }) {
    const member = isAtLeast(caller.role, 'ADMIN') ? undefined : caller.userGuid;
    const row = await findEvent(db, input.guid, member);
    return { event: row ? toRecord(openEvent(row, vault.opening()), zone) : null };
  },
});
