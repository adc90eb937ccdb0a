// POST /loggers/:guid/logs

import { grantee, rightOn } from '#access/table-rights.ts';
import { notFound, notPushable, notRunning } from '#contract/errors.ts';
import { type AccessRule, type Call, endpoint } from '#http/endpoint.ts';
import { arrayOf, choice, int32, record } from '#http/shapes.ts';
import { guidOf } from '#http/shared-fields.ts';
import type { LoggerCounters } from '#ingest/counters.ts';
import { decode, PUSHED_TYPES, type PushLimits } from '#ingest/decode.ts';
import type { Destination, Intake } from '#ingest/intake.ts';
import type { LineDecoder } from '#ingest/line-decoder.ts';
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
    'One JSON object per line, a JSON array of objects or one object, or plain text that the parser of the ' +
    'logger’s model reads; gzip is accepted with `Content-Encoding: gzip`. The answer is sent when every accepted ' +
    'record is durable. A bad line never affects others; the first 1,000 are named. Empty lines are no logs, but ' +
    'count as lines. Lines, and elements of an array, have at most 1 MiB.\n\n' +
    '`_time` is epoch milliseconds or time text, without an offset in the zone of the service, from year 1 to ' +
    '9999, cut to milliseconds; null counts as absent. `_id`, `_table` and `_node` are dropped. Of a name given twice the ' +
    'last value counts. Whole numbers of any size keep their digits, fractions are doubles, -0 is 0. In a ' +
    'columnar table with more than 300 fields the others are stored in the overflow of their record and read like ' +
    'any field.\n\n' +
    'A body that is no JSON as a whole is 400 `malformed request body`. Pushing leaves no audit entry; a push ' +
    'refused for lack of permission is `loggers.push`. A MEMBER gets `logger not found` where it cannot read the ' +
    'table and `no-permission` where it cannot write to it. A full disk is 500 `no space left: <table>`, or `no ' +
    'space left: metadata`, and nothing of the request is stored. An encrypted table without memory is 500 `no ' +
    'memory left: <table>`.',
  method: 'POST',
  path: '/api/core/loggers/:guid/logs',
  access: writers,
  auditedRefusal: 'loggers.push',
  params: { guid: guidOf('logger') },
  rawBody: { types: PUSHED_TYPES, sample: '{"message":"hello"}' },
  isUnit: false,
  answer: record({
    accepted: int32('Number of records that are stored.', 2),
    rejected: arrayOf(
      record({ line: int32('Number of the line, from 1.', 3), reason: choice(REASONS)('Code of the reason.') }),
    )('The first rejected lines, as many as the setting `rejected-limit` allows.'),
    rejected_count: int32('Number of all rejected lines.', 1),
  }),

  async run(input, call: Call & Needs) {
    const { caller, content, gone, clock, zone, intake, readers, lineDecoder, counters, pushLimits: limits } = call;
    const target = await findTarget(call.db, input.guid, grantee(caller));
    if (!target) throw notFound('logger', input.guid);
    const destination = readyToTake(target);
    const reader = await readers.readerFor(target);
    const arrival = { at: clock.now().epochMilliseconds, zone };
    const how = { source: input.guid, table: destination.table, reader, lineDecoder, arrival, limits };
    using batch = await decode(content, { ...how, gone });
    await intake.take(destination, batch, { gone });
    counters.add(input.guid, {
      logs: batch.accepted,
      volume: batch.acceptedBytes,
      drops: batch.rejectedCount,
      dropVolume: batch.rejectedBytes,
    });
    return { accepted: batch.accepted, rejected: batch.rejected, rejected_count: batch.rejectedCount };
  },
});

interface Needs {
  readonly clock: Clock;
  readonly zone: string;
  readonly intake: Intake;
  readonly readers: Readers;
  readonly lineDecoder: LineDecoder;
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
