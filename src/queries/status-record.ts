// The status record of the contract: all fields from the first response on, and the error of a cancelled query.

import { maskSecrets } from '#contract/secret-names.ts';
import { toStamp } from '#contract/times.ts';
import { messageOf } from '#query/model/messages.ts';
import type { CommandProgress } from './command-progress.ts';
import { maskedConstants, shownConstants } from './constants.ts';
import type { LiveQuery, Tags } from './live-query.ts';

export type StatusRecord = ReturnType<typeof statusRecord>;

/** The record in lists, which other accounts may read: secrets are masked. */
export function listedRecord(query: LiveQuery, now: Temporal.Instant, zone: string): StatusRecord {
  const record = statusRecord(query, now, zone);
  const tags = maskSecrets(record.tags) as Tags; // Masking keeps the names, and a mask is a text.
  return { ...record, constants: maskedConstants(query.outline.constants, zone), tags };
}

/** Each call increases the stamp. */
export function statusRecord(query: LiveQuery, now: Temporal.Instant, zone: string) {
  query.refreshProgress();
  const { request } = query;
  const [own, ...subqueries] = query.progress.pipelines;
  return {
    id: query.id,
    source: request.source,
    login_name: request.caller.login,
    remote_ip: request.remoteIp,
    rows: Number(query.rowCount),
    ...timesOf(query, now, zone),
    is_finished: query.isFinished,
    is_cancelled: query.cancellation !== undefined,
    is_scheduled_query: request.source === 'scheduled-query',
    constants: shownConstants(query.outline.constants, zone),
    query_string: request.text,
    background: request.background,
    commands: own?.commands.map(commandOf) ?? [],
    sub_queries: subqueries.map(({ id, commands }) => ({
      id,
      commands: commands.map((command, name) => ({ name, ...commandOf(command) })),
    })),
    stamp: query.nextStamp(),
    tags: query.tags,
    ...queryEndOf(query),
    ...warningsOf(query),
  };
}

/** Execution starts when the query has a slot; until then the time of acceptance is shown. */
export function timesOf({ times }: LiveQuery, now: Temporal.Instant, zone: string) {
  const start = times.begun ?? times.accepted;
  return {
    elapsed: Math.max(0, (times.finished ?? now).epochMilliseconds - start.epochMilliseconds),
    start_time: start.epochMilliseconds,
    finish_time: times.finished?.epochMilliseconds ?? 0,
    last_started: toStamp(start, zone),
  };
}

const commandOf = ({ command, status, pushCount }: CommandProgress) => ({
  command,
  status,
  push_count: Number(pushCount),
});

function queryEndOf({ cancellation }: LiveQuery) {
  if (!cancellation) return {};
  const { reason, code, detail } = cancellation;
  return {
    ...(code === undefined ? {} : { error_code: code }),
    ...(detail === undefined ? {} : { error_detail: detail }),
    cancel_reason: reason,
  };
}

function warningsOf({ outline }: LiveQuery) {
  const warnings = outline.warnings.map(({ code, values }) => messageOf(code, values, 'en'));
  return warnings.length === 0 ? {} : { warnings };
}
