// GET /queries/:id/events

import type { Accounts } from '#access/accounts/accounts.ts';
import type { EventStreams } from '#access/limits/event-streams.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { record, shapeOf, string } from '#operations/answers/shapes.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { queryId } from '#operations/params/number-params.ts';
import { required } from '#operations/params/params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import { queryRecord } from './model.ts';

const EVENT_STREAM = 'text/event-stream';
const PERIOD = Temporal.Duration.from({ milliseconds: 250 });
/** Proxies close idle connections. */
const MAX_SILENCE = Temporal.Duration.from({ seconds: 15 });
/** Key, session, account and trusted addresses are looked at so often. */
const MAX_UNCHECKED = Temporal.Duration.from({ seconds: 5 });

interface Needs extends Call {
  readonly queries: LiveQueries;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly eventStreams: EventStreams;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

const data = shapeOf<string>({
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema: queryRecord.schema,
});

/** One event of the stream. */
const statusEvents = shapeOf<string>(
  record({
    event: string('Always `status`.', 'status'),
    id: string('The `stamp` of the status record.', '4'),
    data: data('The status record of the query as JSON.'),
  }).schema,
);

export const events = endpoint({
  title: 'Stream query status',
  notes:
    'Server-sent events `status` with the status record, the first at once, further ones when something has changed, at ' +
    'most four a second. The one with `is_finished` true is the last. The stream ends with the key, the session or the ' +
    'account, and when the account no longer trusts the address. When the service stops, the query is ended and its last ' +
    'status sent.',
  method: 'GET',
  path: '/api/core/queries/:id/events',
  access: 'MEMBER',
  ownedBy: 'query',
  params: { id: required(queryId, 'Id of the query.') },
  answer: statusEvents,
  answerType: EVENT_STREAM,

  async run(input, needs: Needs) {
    const { caller, queries, eventStreams, gone } = needs;
    const query = queries.find(input.id, caller);
    const slot = eventStreams.acquire(caller.userGuid);
    // A generator that never started does not run its `finally` when the client disconnects.
    gone.addEventListener('abort', () => slot[Symbol.dispose]());
    return new Answer<never>(within(slot, messages(query, needs)), { headers: { 'content-type': EVENT_STREAM } });
  },
});

async function* within(slot: Disposable, stream: AsyncIterable<string>): AsyncGenerator<string> {
  using _ = slot;
  yield* stream;
}

async function* messages(query: LiveQuery, { queries, accounts, caller, remoteIp, clock, gone, stopping }: Needs) {
  const either = AbortSignal.any([gone, stopping]);
  let said: string | undefined;
  let spoken = clock.now();
  let checked = clock.now();
  const isOver = (since: Temporal.Instant, most: Temporal.Duration) =>
    Temporal.Instant.compare(since.add(most), clock.now()) <= 0;
  while (!gone.aborted && !stopping.aborted) {
    if (isOver(checked, MAX_UNCHECKED)) {
      // Whoever watches a query is not idle.
      if (!(await accounts.presentInSession(caller, { remoteIp, isAttended: true }))) return;
      checked = clock.now();
    }
    const state = stateOf(query);
    const isSilent = isOver(spoken, MAX_SILENCE);
    if (state !== said) yield messageOf(queries.status(query, caller.locale));
    else if (isSilent) yield ': still there\n\n';
    if (state !== said || isSilent) spoken = clock.now();
    said = state;
    if (query.isFinished) return;
    await clock.sleep(PERIOD, either);
  }
  if (gone.aborted) return;
  // A stop ends the query; the stream has its last status before the connection is closed.
  await Promise.race([queries.endAtStop(query), aborted(gone)]);
  if (query.isFinished) yield messageOf(queries.status(query, caller.locale));
}

function aborted(signal: AbortSignal): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers();
  signal.addEventListener('abort', resolve, { once: true });
  return promise;
}

const messageOf = (record: ReturnType<LiveQueries['status']>) =>
  `event: status\nid: ${record.stamp}\ndata: ${JSON.stringify(record)}\n\n`;

/** The changing parts of a status except time and stamp. */
function stateOf(query: LiveQuery): string {
  query.refreshProgress();
  const cells = query.progress.pipelines.map((pipeline) =>
    pipeline.commands.map(({ status, pushCount }) => [status, String(pushCount)]),
  );
  return JSON.stringify([
    query.times.begun !== undefined,
    query.isFinished,
    query.cancellation?.reason,
    query.tags,
    cells,
  ]);
}
