// `system queries`: those of this node that an account may see, and those that the other nodes show it.

import type { Rightful } from '#access/caller.ts';
import type { Value } from '#query/model/values.ts';
import type { LiveQuery } from './live-query.ts';
import type { RemoteNodes } from './remote/remote-queries.ts';
import type { QuerySource } from './sources.ts';
import { timesOf } from './status-record.ts';
import { recordRow, type SystemObject } from './system-rows.ts';

/** A query of any node, as nodes tell each other. */
export interface ShownQuery {
  readonly id: number;
  readonly source: QuerySource;
  readonly login_name: string;
  readonly remote_ip: string;
  readonly rows: number;
  readonly elapsed: number;
  readonly is_finished: boolean;
  readonly is_cancelled: boolean;
  readonly is_scheduled_query: boolean;
  readonly background: boolean;
  readonly query_string: string;
  /** Epoch milliseconds. */
  readonly start_time: number;
  /** 0 before the end. */
  readonly finish_time: number;
}

export function shownQuery(query: LiveQuery, now: Temporal.Instant): ShownQuery {
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
  /** Those of this node that the account may see. */
  own(account: Rightful): readonly ShownQuery[];
  /** Absent: this node is the only one. */
  readonly remoteNodes?: Pick<RemoteNodes, 'queries'> | undefined;
}

/** Rows of other nodes are as old as their answers; a node without an answer is named in a warning. */
export const queryObject = ({ own, remoteNodes }: ShownQueriesDeps): SystemObject => ({
  access: 'MEMBER',
  async *rows({ account, named, remoteIp, signal, unanswered }) {
    const others = await remoteNodes?.queries({ account: named, remoteIp }, signal);
    yield [...own(account), ...(others?.queries ?? [])].map(rowOf);
    unanswered(others?.unanswered ?? []);
  },
});

function rowOf(query: ShownQuery): Map<string, Value> {
  const started = Temporal.Instant.fromEpochMilliseconds(query.start_time);
  const finished = query.finish_time === 0 ? null : Temporal.Instant.fromEpochMilliseconds(query.finish_time);
  return recordRow(query, []).set('start_time', started).set('finish_time', finished).set('_time', started);
}
