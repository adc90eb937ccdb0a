// GET /loggers/:guid

import { grantee } from '#access/rights/table-rights.ts';
import { orNull, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { foundOrNull, guidOf } from '#operations/shared-fields.ts';
import { type LoggerViewDeps, loggerRecords } from './collector-hooks.ts';
import { loggerRecord } from './model.ts';
import { findLogger } from './store.ts';

export const get = endpoint({
  title: 'Get logger',
  notes: 'A logger the caller may not see is null, like one that does not exist.',
  method: 'GET',
  path: '/api/core/loggers/:guid',
  access: 'MEMBER',
  params: { guid: guidOf('logger') },
  answer: record({ logger: orNull(loggerRecord)(foundOrNull('logger')) }),

  async run(input, needs: Call & LoggerViewDeps) {
    const { db, caller } = needs;
    const row = await findLogger(db, input.guid, grantee(caller));
    const [logger = null] = await loggerRecords(row ? [row] : [], needs);
    return { logger };
  },
});
