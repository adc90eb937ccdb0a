// GET /loggers/:guid

import { grantee } from '#access/table-rights.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { object, orNull } from '#http/shapes.ts';
import type { LoggerCounters } from '#ingest/counters.ts';
import { loggerRecord, toRecord } from './model.ts';
import { findLogger } from './store.ts';

export const get = endpoint({
  title: 'Get logger',
  notes: 'A logger the caller may not see is null, like one that does not exist.',
  method: 'GET',
  path: '/api/core/loggers/:guid',
  access: 'MEMBER',
  params: { guid: required(guid) },
  answer: object({ logger: orNull(loggerRecord) }),

  async run(input, { db, caller, counters, zone }: Call & { counters: LoggerCounters; zone: string }) {
    const row = await findLogger(db, input.guid, grantee(caller));
    return { logger: row ? toRecord(row, counters.pending(row.guid), zone) : null };
  },
});
