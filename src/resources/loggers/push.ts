// POST /loggers/:guid/logs

import { grantee, rightOn } from '#access/table-rights.ts';
import { notFound, notPushable, notRunning } from '#contract/errors.ts';
import { type AccessRule, type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { arrayOf, int32, object } from '#http/shapes.ts';
import type { LoggerCounters } from '#ingest/counters.ts';
import { decode, PUSHED_TYPES, type PushLimits } from '#ingest/decode.ts';
import type { Destination, Intake } from '#ingest/intake.ts';
import type { Readers } from '#ingest/reader.ts';
import { REASONS } from '#ingest/record.ts';
import { destinationOf, findTarget, type Target } from '#ingest/target.ts';
import type { Clock } from '#kernel/clock.ts';
import { isGuid } from '#kernel/guid.ts';

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
    'One JSON object per line, a JSON array of objects or one object, or plain text that the logger’s model parses; compressed with `Content-Encoding: gzip` if wanted. The answer comes when every accepted record is durable. A bad line never hinders its neighbours; the first 1,000 of them are named.',
  method: 'POST',
  path: '/api/core/loggers/:guid/logs',
  access: writers,
  auditedRefusal: 'loggers.push',
  params: { guid: required(guid) },
  rawBody: { types: PUSHED_TYPES, sample: '{"message":"hello"}' },
  isUnit: false,
  answer: object({
    accepted: int32,
    rejected: arrayOf(object({ line: int32, reason: { type: 'string', enum: REASONS } })),
    rejected_count: int32,
  }),

  async run(input, { db, caller, content, clock, zone, intake, readers, counters, pushLimits, gone }: Call & Needs) {
    const target = await findTarget(db, input.guid, grantee(caller));
    if (!target) throw notFound('logger', input.guid);
    const destination = readyToTake(target);
    const reader = await readers.readerFor(target);
    const arrival = { at: clock.now().epochMilliseconds, zone };
    const batch = await decode(content, { reader, arrival, limits: pushLimits, gone });
    await intake.take(destination, batch.records, { gone });
    counters.add(input.guid, {
      logs: batch.records.length,
      volume: batch.acceptedBytes,
      drops: batch.rejectedCount,
      dropVolume: batch.rejectedBytes,
    });
    return { accepted: batch.records.length, rejected: batch.rejected, rejected_count: batch.rejectedCount };
  },
});

interface Needs {
  readonly clock: Clock;
  readonly zone: string;
  readonly intake: Intake;
  readonly readers: Readers;
  readonly counters: LoggerCounters;
  readonly pushLimits: PushLimits;
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
