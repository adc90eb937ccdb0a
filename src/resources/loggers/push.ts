// POST /loggers/:guid/logs

import { grantee, rightOn } from '#access/rights/table-rights.ts';
import { notFound, notPushable, notRunning } from '#contract/errors.ts';
import type { LoggerCounters } from '#ingest/counts/counters.ts';
import type { Counts } from '#ingest/counts/counts.ts';
import type { Destination } from '#ingest/intake.ts';
import { PUSHED_BODY } from '#ingest/pushes/pushed-body.ts';
import { PUSH_NOTES, type Pushes, pushAnswer } from '#ingest/pushes/pushes.ts';
import type { Readers } from '#ingest/reading/reader.ts';
import { destinationOf, findTarget, type Target } from '#ingest/target.ts';
import { isGuid } from '#kernel/guid.ts';
import { type AccessRule, type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';

const writers: AccessRule = {
  text: 'ADMIN or higher, or a MEMBER that may write to the table of the logger',
  async allows(caller, { guid = '' }, store) {
    const user = grantee(caller);
    if (user === undefined || !isGuid(guid)) return true;
    return await store.read(async (db) => {
      const target = await findTarget(db, guid.toLowerCase(), user);
      // An invisible logger is answered as missing, not as forbidden.
      return !target?.table_id || (await rightOn(db, caller, target.table_id)) === 'write';
    });
  },
};

export const push = endpoint({
  title: 'Push logs',
  notes:
    `${PUSH_NOTES}\n\n` +
    'Text is read by the parser of the logger’s model. Pushing leaves no audit entry; a push refused for lack of ' +
    'permission is `loggers.push`. A MEMBER gets `logger not found` where it cannot read the table and ' +
    '`no-permission` where it cannot write to it.',
  method: 'POST',
  path: '/api/core/loggers/:guid/logs',
  access: writers,
  takesLogs: 'pushed',
  auditedRefusal: 'loggers.push',
  params: { guid: guidOf('logger') },
  rawBody: PUSHED_BODY,
  isUnit: false,
  answer: pushAnswer,

  async run(input, { db, caller, content, gone, pushes, readers, counters }: Call & Needs) {
    const target = await findTarget(db, input.guid, grantee(caller));
    if (!target) throw notFound('logger', input.guid);
    const destination = readyToTake(target);
    const pushed = {
      source: input.guid,
      table: destination.table,
      readerFor: () => readers.readerFor(target),
      destination: async () => destination,
      count: (counts: Counts) => counters.add(input.guid, counts),
    };
    return await pushes.take(content, pushed, gone);
  },
});

interface Needs {
  readonly pushes: Pushes;
  readonly readers: Readers;
  readonly counters: LoggerCounters;
}

function readyToTake(target: Target): Destination {
  const { guid, model_guid, parser_code, table_name } = target;
  if (parser_code === null) throw notFound('logger model', model_guid);
  if (target.logger_factory_name !== 'http') throw notPushable(guid);
  if (target.enabled === 0) throw notRunning(guid);
  const destination = destinationOf(target);
  if (!destination) throw notFound('table', table_name);
  return destination;
}
