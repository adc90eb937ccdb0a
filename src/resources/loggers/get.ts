// GET /loggers/:guid

import { grantee } from '#access/table-rights.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { orNull, record } from '#http/shapes.ts';
import { type LoggerViewDeps, loggerContextOf } from './collector-hooks.ts';
import { loggerRecord, toRecord } from './model.ts';
import { findLogger } from './store.ts';

export const get = endpoint({
  title: 'Get logger',
  notes: 'A logger the caller may not see is null, like one that does not exist.',
  method: 'GET',
  path: '/api/core/loggers/:guid',
  access: 'MEMBER',
  params: { guid: required(guid) },
  answer: record({ logger: orNull(loggerRecord) }),

  async run(input, needs: Call & LoggerViewDeps) {
    const { db, caller } = needs;
    const row = await findLogger(db, input.guid, grantee(caller));
    return { logger: row ? toRecord(row, loggerContextOf(row, needs)) : null };
  },
});
