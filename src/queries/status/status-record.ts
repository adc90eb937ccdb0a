// The status record of the contract: all fields from the first response on, and the error of a cancelled query.

import { maskSecrets } from '#contract/secret-names.ts';
import { toStamp } from '#contract/times.ts';
import type { Locale } from '#contract/values.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { Tags } from '#queries/query-request.ts';
import { maskedConstants, shownConstants } from '#queries/runs/constants.ts';
import type { CommandProgress } from './command-progress.ts';

export type StatusRecord = ReturnType<typeof statusRecord>;

/** The record in lists, which other accounts may read: secrets are masked. */
export function listedRecord(query: LiveQuery, context: StatusContext): StatusRecord {
  const { zone } = context;
  const record = statusRecord(query, context);
  const tags = maskSecrets(record.tags) as Tags; // Masking keeps the names, and a mask is a text.
  return { ...record, constants: maskedConstants(query.outline.constants, zone), tags };
}

interface StatusContext {
  readonly now: Temporal.Instant;
  /** That of the service. */
  readonly zone: string;
  /** Of the reader. */
  readonly locale: Locale;
}

/** Each call increases the stamp. */
export function statusRecord(query: LiveQuery, { now, zone, locale }: StatusContext) {
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
    ...warningsOf(query, locale),
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

/** The texts, and the same as objects with their hints; absent where there are none. */
function warningsOf({ outline }: LiveQuery, locale: Locale) {
  const { warnings: notices, hints } = outline.findings(locale);
  if (!notices) return {};
  return { warnings: notices.map(({ message }) => message), notices, ...(hints ? { hints } : {}) };
}
