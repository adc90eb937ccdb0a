// GET /events/:guid

import { eventRecord, toRecord } from '#detection/events/event-record.ts';
import { openEvent } from '#detection/events/sealing.ts';
import { orNull, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { foundOrNull, guidOf } from '#operations/shared-fields.ts';
import type { Vault } from '#vault/vault.ts';
import { memberOf } from './filters.ts';
import { findEvent } from './store.ts';

export const get = endpoint({
  title: 'Get event',
  method: 'GET',
  path: '/api/core/events/:guid',
  access: 'MEMBER',
  params: { guid: guidOf('event') },
  answer: record({ event: orNull(eventRecord)(foundOrNull('event')) }),

  async run(input, { db, caller, zone, vault }: Call & { zone: string; vault: Vault }) {
    const row = await findEvent(db, input.guid, memberOf(caller));
    return { event: row ? toRecord(openEvent(row, vault.opening()), zone) : null };
  },
});
