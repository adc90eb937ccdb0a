// `system queries`: those of this node that an account may see, and those that the other nodes show it.

import type { Rightful } from '#access/caller.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { RemoteNodes } from '#queries/remote/remote-queries.ts';
import type { SystemObject } from '#queries/runs/system-rows.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { ShownPart, ShownQuery } from './shown-query.ts';
import { timesOf } from './status-record.ts';

/** Queries that are looked at, or made rows, in one slot of the main thread. */
const BLOCK = 500;

/** Of one answer to another node, which is read at once on its main thread; more of them are asked for again. */
const MAX_QUERIES = 1000;
const MAX_CHARACTERS = 1024 * 1024;

interface KeptQueries {
  readonly kept: { ids(): Iterable<number>; get(id: number): LiveQuery | undefined };
  isVisible(query: LiveQuery): boolean;
  readonly clock: Clock;
}

/** The greatest ids first, some at a time. A query that ends to be kept meanwhile is left out. */
export async function* shownQueries(
  { kept, isVisible, clock }: KeptQueries,
  { before = Number.POSITIVE_INFINITY, from = 0, to = Number.POSITIVE_INFINITY }: ShownPart,
): AsyncGenerator<readonly ShownQuery[]> {
  const ids = [...kept.ids()].filter((id) => id < before).sort((one, other) => other - one);
  for await (const block of inSlots(ids)) {
    const now = clock.now();
    const visible = block.flatMap((id) => kept.get(id) ?? []).filter(isVisible);
    const shown = visible.map((query) => shownQuery(query, now));
    yield shown.filter(({ start_time }) => start_time >= from && start_time <= to);
  }
}

async function* inSlots<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += BLOCK) {
    await eventLoop.nextSlot();
    yield items.slice(at, at + BLOCK);
  }
}

export interface ShownPage {
  readonly queries: readonly ShownQuery[];
  /** `before` of the next page; 0 after the last one. */
  readonly before: number;
}

/** As many as one answer to another node has: at least one, if there is any. */
export async function shownPage(shown: AsyncIterable<readonly ShownQuery[]>): Promise<ShownPage> {
  const queries: ShownQuery[] = [];
  let characters = 0;
  let before = 0;
  for await (const block of shown) {
    for (const query of block) {
      characters += query.query_string.length;
      const isFull = queries.length === MAX_QUERIES || characters > MAX_CHARACTERS;
      if (isFull && before > 0) return { queries, before };
      queries.push(query);
      before = query.id;
    }
  }
  return { queries, before: 0 };
}

function shownQuery(query: LiveQuery, now: Temporal.Instant): ShownQuery {
  query.refreshProgress();
  const { request } = query;
  const { elapsed, start_time, finish_time } = timesOf(query, now, 'UTC');
  return {
    id: query.id,
    source: request.source,
    login_name: request.caller.login,
    remote_ip: request.remoteIp,
    rows: Number(query.rowCount),
    elapsed,
    is_finished: query.isFinished,
    is_cancelled: query.cancellation !== undefined,
    is_scheduled_query: request.source === 'scheduled-query',
    background: request.background,
    query_string: request.text,
    start_time,
    finish_time,
  };
}

interface ShownQueriesDeps {
  /** Those of this node that the account may see, some at a time. */
  own(account: Rightful, part: ShownPart): AsyncIterable<readonly ShownQuery[]>;
  /** Absent: this node is the only one. */
  readonly remoteNodes?: Pick<RemoteNodes, 'queries'> | undefined;
}

/** Rows of other nodes are as old as their answers; a node whose rows are missing is named in a warning. */
export const queryObject = ({ own, remoteNodes }: ShownQueriesDeps): SystemObject => ({
  access: 'MEMBER',
  async *rows({ account, named, remoteIp, range, isPassedOn, signal, missing }) {
    const part = partWithin(range);
    for await (const block of own(account, part)) yield block.map(rowOf);
    if (isPassedOn || !remoteNodes) return;
    for await (const others of remoteNodes.queries({ account: named, remoteIp, part }, signal)) {
      for await (const block of inSlots(others.queries)) yield block.map(rowOf);
      others.missing.forEach(missing);
    }
  },
});

/** Starts have milliseconds, bounds have nanoseconds; no query is older than 1970. */
const partWithin = ({ from, to }: TimeRange): ShownPart => ({
  ...(from ? { from: Math.max(0, from.epochMilliseconds) } : {}),
  ...(to ? { to: Math.max(0, to.epochMilliseconds) } : {}),
});

function rowOf(query: ShownQuery): MapValue {
  const started = Temporal.Instant.fromEpochMilliseconds(query.start_time);
  return new Map<string, Value>([
    ['id', BigInt(query.id)],
    ['source', query.source],
    ['login_name', query.login_name],
    ['remote_ip', query.remote_ip],
    ['rows', BigInt(query.rows)],
    ['elapsed', BigInt(query.elapsed)],
    ['is_finished', query.is_finished],
    ['is_cancelled', query.is_cancelled],
    ['is_scheduled_query', query.is_scheduled_query],
    ['background', query.background],
    ['query_string', query.query_string],
    ['start_time', started],
    ['finish_time', query.finish_time === 0 ? null : Temporal.Instant.fromEpochMilliseconds(query.finish_time)],
    ['_time', started],
  ]);
}
