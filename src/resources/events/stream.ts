// GET /events/stream

import type { Accounts } from '#access/accounts/accounts.ts';
import type { EventStreams } from '#access/limits/event-streams.ts';
import { eventRecord, toRecord } from '#detection/events/event-record.ts';
import { openEvent } from '#detection/events/sealing.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { record, shapeOf, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { inHeader, long } from '#operations/params/params.ts';
import type { EventRow } from '#store/schema/event-schema.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import { memberOf, untimedFilters } from './filters.ts';
import { type EventFilter, eventsAfter, newestAfter, newestEventId } from './store.ts';

const EVENT_STREAM = 'text/event-stream';
const PERIOD = Temporal.Duration.from({ seconds: 1 });
/** Proxies close idle connections. */
const MAX_SILENCE = Temporal.Duration.from({ seconds: 15 });
/** Key, session, account, role and trusted addresses are looked at so often; grants with every read. */
const MAX_UNCHECKED = Temporal.Duration.from({ seconds: 5 });
/** Events that a client gets which comes back. */
const MAX_MISSED = 1000;
const EVENTS_PER_READ = 100;

interface Needs extends Call {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly zone: string;
  readonly accounts: Accounts;
  readonly eventStreams: EventStreams;
  readonly stopping: AbortSignal;
}

const data = shapeOf<string>({
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema: eventRecord.schema,
});

/** One event of the stream. */
const streamedEvents = shapeOf<string>(
  record({
    event: string('Always `event`.', 'event'),
    id: string('The `id` of the event.', '42'),
    data: data('The record of the event as JSON.'),
  }).schema,
);

export const stream = endpoint({
  title: 'Stream events',
  notes:
    'Server-sent events `event`, one for each new event that the caller may see and that the filters let through; ' +
    'matches that join an event are none. Where `Last-Event-ID` is given, the newest 1,000 events after it come first. ' +
    'A comment every 15 seconds keeps the connection open. The stream ends with the key, the session or the account, ' +
    'and when the account no longer trusts the address; role and grants are looked at every 5 seconds. Opening the stream ' +
    'keeps a session alive like any request, its messages do not. More streams than `streams-per-account` allows are 429.',
  method: 'GET',
  path: '/api/core/events/stream',
  access: 'MEMBER',
  params: {
    ...untimedFilters,
    'last-event-id': inHeader(described(long, 'Id of the last event that the client has got.', 41)),
  },
  answer: streamedEvents,
  answerType: EVENT_STREAM,

  async run({ 'last-event-id': last, ...filters }, needs: Needs) {
    const { caller, db, eventStreams, gone, vault } = needs;
    const slot = eventStreams.acquire(caller.userGuid);
    // A generator that never started does not run its `finally` when the client disconnects.
    gone.addEventListener('abort', () => slot[Symbol.dispose]());
    const wanted = { ...filters, from: undefined, to: undefined, member: memberOf(caller) };
    const after = last === undefined ? await newestEventId(db) : await firstMissed(last, wanted, { db, vault });
    const { store, clock, zone, accounts, remoteIp, stopping } = needs;
    const ending = AbortSignal.any([gone, stopping]);
    const messages = messagesOf(wanted, after, { store, clock, zone, accounts, vault, caller, remoteIp, ending });
    return new Answer<never>(within(slot, messages), { headers: { 'content-type': EVENT_STREAM } });
  },
});

async function* within(slot: Disposable, messages: AsyncIterable<string>): AsyncGenerator<string> {
  using _ = slot;
  yield* messages;
}

/** The id before the first event that a client gets which comes back. */
async function firstMissed(
  last: number,
  wanted: EventFilter,
  { db, vault }: Pick<Needs, 'db' | 'vault'>,
): Promise<number> {
  const first = await newestAfter(db, { ...wanted, after: last }, { count: MAX_MISSED, sealing: vault.opening() });
  return first === undefined ? last : first - 1;
}

type Streaming = Pick<Needs, 'store' | 'clock' | 'zone' | 'accounts' | 'vault' | 'caller' | 'remoteIp'> & {
  /** The client has left, or the service stops. */
  readonly ending: AbortSignal;
};

/** Ids are given in the order of commits, because units of the store are serialized: no event comes behind a greater id. */
async function* messagesOf(wanted: EventFilter, first: number, streaming: Streaming): AsyncGenerator<string> {
  const { store, clock, accounts, caller, remoteIp, ending } = streaming;
  let after = first;
  let visible = wanted;
  let spoken = clock.now();
  let checked = clock.now();
  const isOver = (since: Temporal.Instant, most: Temporal.Duration) =>
    Temporal.Instant.compare(since.add(most), clock.now()) <= 0;
  // The headers leave at once.
  yield ': events\n\n';
  while (!ending.aborted) {
    if (isOver(checked, MAX_UNCHECKED)) {
      const present = await accounts.presentInSession(caller, { remoteIp, isAttended: false });
      if (!present) return;
      visible = { ...wanted, member: memberOf(present) };
      checked = clock.now();
    }
    const { events, seenTo } = await store.read(async (db) => {
      const newest = await newestEventId(db);
      if (newest <= after) return { events: [], seenTo: after };
      const found = await eventsAfter(db, { ...visible, after, limit: EVENTS_PER_READ }, streaming.vault.opening());
      return { events: found, seenTo: found.length < EVENTS_PER_READ ? newest : (found.at(-1)?.id ?? newest) };
    });
    for (const event of events) yield messageOf(event, streaming);
    if (events.length === 0 && isOver(spoken, MAX_SILENCE)) yield ': still there\n\n';
    if (events.length > 0 || isOver(spoken, MAX_SILENCE)) spoken = clock.now();
    after = Math.max(after, seenTo, events.at(-1)?.id ?? 0);
    if (events.length < EVENTS_PER_READ) await clock.sleep(PERIOD, ending);
  }
}

function messageOf(event: EventRow, { vault, zone }: Streaming): string {
  const told = toRecord(openEvent(event, vault.opening()), zone);
  return `event: event\nid: ${event.id}\ndata: ${JSON.stringify(told)}\n\n`;
}
