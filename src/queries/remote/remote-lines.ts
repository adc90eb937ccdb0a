// The rows of a query for the node that has asked for it, a line each, as the engine writes them. The first line leaves before the
// query runs, the second names the columns, and the last says how it ended: an answer without one was broken off.

import { ApiError, databaseUnreachable } from '#contract/errors.ts';
import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import type { RowText } from '#logs/run.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { QueryRequest } from '#queries/query-request.ts';
import type { StreamOptions } from '#queries/rows/streamed-rows.ts';
import { type CancelReason, queryEndOf } from '#queries/status/query-ends.ts';
import type { Rows } from '#query/model/columns.ts';
import type { HoleValues, QueryErrorCode } from '#query/model/messages.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { ColumnType } from '#query/model/values.ts';
import { StoreUnreachable } from '#store/unreachable.ts';

export interface ColumnsLine {
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  /** Names that do not count in the overflow; null without one. */
  readonly without: readonly string[] | null;
}

/** How a query ended: without more it has given all rows. */
export type EndLine =
  | { readonly end: 'whole' }
  | { readonly end: 'error'; readonly code: QueryErrorCode; readonly values: HoleValues }
  | { readonly end: 'cancelled'; readonly reason: CancelReason; readonly code?: number; readonly detail?: string }
  | { readonly end: 'refused'; readonly detail: string };

/** Of one piece of the answer. */
const MAX_CHARACTERS = 64 * 1024;

/** After so long without a line an empty one is sent, and the node that has asked is looked up. */
const HEARTBEAT = Temporal.Duration.from({ seconds: 5 });

interface StreamedQueries {
  /** Refuses a text with an error. */
  accept(request: QueryRequest): Promise<LiveQuery>;
  stream(query: LiveQuery, options: StreamOptions): Promise<AsyncIterable<readonly RowText[]>>;
}

export interface RemoteLinesDeps {
  readonly queries: StreamedQueries;
  readonly clock: Clock;
  /** Whether the node holds its lease. */
  isAlive(node: string): Promise<boolean>;
  /** Called for unexpected errors. */
  failed(error: unknown): void;
}

/**
 * Never throws. A machine that vanishes closes no connection: an empty line finds that out where it is up again, its lease where it is
 * not, and both cancel the query.
 */
export async function* remoteLines(
  deps: RemoteLinesDeps,
  request: QueryRequest,
  gone: AbortSignal,
): AsyncGenerator<string> {
  const over = new AbortController();
  const ended = AbortSignal.any([gone, over.signal]);
  const lines = queryLines(deps, request, ended);
  void watchAsker(deps, request.askedBy, ended, () => over.abort());
  try {
    let next = lines.next();
    for (;;) {
      const line = await withTimeout(deps.clock, HEARTBEAT, next, undefined);
      if (line?.done) return;
      yield line ? line.value : lineOf({});
      if (line) next = lines.next();
    }
  } finally {
    over.abort();
  }
}

async function watchAsker(
  { clock, isAlive }: RemoteLinesDeps,
  node: string | undefined,
  ended: AbortSignal,
  lose: () => void,
): Promise<void> {
  while (node !== undefined && !ended.aborted) {
    await clock.sleep(HEARTBEAT, ended);
    // A database that does not answer says nothing of the node.
    if (!ended.aborted && !(await isAlive(node).catch(() => true))) lose();
  }
}

async function* queryLines(
  { queries, failed }: RemoteLinesDeps,
  request: QueryRequest,
  gone: AbortSignal,
): AsyncGenerator<string> {
  let query: LiveQuery | undefined;
  try {
    query = await queries.accept(request);
    yield lineOf({ query: query.id });
    // The query around it is on record.
    const rows = await queries.stream(query, { page: undefined, gone, record: async () => undefined });
    if (query.isSecret) throw new QueryError(93000, { begin: 0, end: 0 }, { detail: SECRET });
    yield lineOf(columnsLine(query.outline.rows));
    for await (const block of rows) yield* pieces(block);
    yield lineOf({ end: 'whole' } satisfies EndLine);
  } catch (error) {
    const end = endOf(error, query);
    // A run that has given rows reports its defects itself.
    if (!end && !(query?.cancellation?.isDefect && !query.isUnread)) failed(error);
    // The run goes on where its rows are refused.
    query?.cancel(queryEndOf(error, request.text, request.caller.locale));
    yield lineOf(end ?? ({ end: 'refused', detail: 'internal error' } satisfies EndLine));
  }
}

const SECRET = 'rows that are stored encrypted stay on their node';

const lineOf = (line: object): string => `${JSON.stringify(line)}\n`;

const columnsLine = ({ columns, overflow }: Rows): ColumnsLine => ({
  columns: columns.map(({ name, type }) => [name, type]),
  without: overflow?.without ?? null,
});

function* pieces(rows: readonly string[]): Generator<string> {
  let piece = '';
  for (const row of rows) {
    piece += `${row}\n`;
    if (piece.length < MAX_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Undefined for an unexpected error. */
function endOf(error: unknown, query: LiveQuery | undefined): EndLine | undefined {
  const mistake = error instanceof QueryError ? error : error instanceof Error ? error.cause : undefined;
  if (mistake instanceof QueryError) return { end: 'error', code: mistake.code, values: mistake.values };
  const { cancellation } = query ?? {};
  if (cancellation && !cancellation.isDefect) {
    const { reason, code, detail } = cancellation;
    return {
      end: 'cancelled',
      reason,
      ...(code === undefined ? {} : { code }),
      ...(detail === undefined ? {} : { detail }),
    };
  }
  const refusal = error instanceof StoreUnreachable ? databaseUnreachable() : error;
  return refusal instanceof ApiError ? { end: 'refused', detail: refusal.message } : undefined;
}
