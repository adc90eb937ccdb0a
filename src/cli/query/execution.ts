// A query from its text to its rows, the same for `vigil query` and the shell: begun, followed, written, reported on.

import { Readable } from 'node:stream';
import { brokenOff, type Client } from '#cli/kit/client.ts';
import type { Invocation } from '#cli/kit/command.ts';
import { codeOf, FAILED, WRONG_USE, worded } from '#cli/kit/failure.ts';
import { writeOut } from '#cli/kit/output-file.ts';
import { harmless } from '#cli/kit/text-table.ts';
import type { MessageCode } from '#cli/messages/en.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { translated } from '#query/model/translated-messages.ts';
import type { QueryOptions } from './options.ts';
import { countText, QueryProgress } from './progress.ts';
import { type FoundQueryError, queryErrorsBehind } from './query-errors.ts';
import { type TablePage, tablePages, tableText } from './rows-table.ts';
import { QueryRun, type QueryStatus } from './run.ts';

const WARNINGS = [90901, 90902, 90903];

export interface Asking extends Pick<Invocation, 'translator' | 'streams' | 'note'> {
  readonly client: Client;
  readonly wish: QueryOptions;
  readonly stop: Stop;
  /** Whether the number of rows and the time are told. */
  readonly isTimed: boolean;
  /** How the rest of a table is had of which only a part is shown. */
  readonly partShown: MessageCode;
  mistaken(mistakes: readonly FoundQueryError[]): void;
  /** Shows a table; without it tables are written like everything else. */
  show?(pages: AsyncIterable<TablePage>, rows: number): Promise<void>;
}

/** How somebody ends a query that runs. */
export interface Stop {
  readonly signal: AbortSignal;
  /** Whether there is still somebody to talk to. */
  readonly isHeard: boolean;
}

/** The exit code. After a stop nothing is said of the end. */
export async function executed(asking: Asking): Promise<number> {
  const begun = await begin(asking);
  if (!begun) return WRONG_USE;
  await using run = begun;
  const status = await ended(run, asking);
  if (asking.stop.signal.aborted) return FAILED;
  await writeRows({ run, status }, asking);
  return asking.stop.signal.aborted ? FAILED : report(status, asking);
}

/** Undefined where the text is wrong, and that has been said. */
async function begin({ client, wish, mistaken }: Asking): Promise<QueryRun | undefined> {
  try {
    return await QueryRun.begin(client, wish);
  } catch (error) {
    const mistakes = await queryErrorsBehind(error, wish, client);
    if (mistakes.length === 0) throw error;
    mistaken(mistakes);
    return undefined;
  }
}

/** Once it has stopped, by itself or because that was asked for. */
async function ended(run: QueryRun, asking: Asking): Promise<QueryStatus> {
  using progress = new QueryProgress(asking);
  const { stop, note, translator } = asking;
  const end = run.end((status) => progress.saw(status));
  const isOver = new AbortController();
  const cancelled = aborted(stop.signal, isOver.signal).then(async () => {
    if (stop.isHeard) {
      progress[Symbol.dispose]();
      note(translator.text('query-cancelling'));
    } else progress.leave();
    await run.cancel();
    return await end;
  });
  try {
    // A cancel that is refused ends the waiting, too.
    return await Promise.race([end, cancelled]);
  } finally {
    isOver.abort();
  }
}

function aborted(signal: AbortSignal, until: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { signal: until });
  });
}

interface Finished {
  readonly run: QueryRun;
  readonly status: QueryStatus;
}

async function writeRows(finished: Finished, asking: Asking): Promise<void> {
  const { wish, client, stop, translator, note, streams, show } = asking;
  const rows = Math.min(finished.status.rows, wish.limit);
  try {
    if (show) await show(tablePages(client, { id: finished.run.id, rows, width: undefined }), rows);
    else await writeOut(Readable.from(await textOf(finished, rows, asking)), { ...wish, streams }, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return;
    // What the machine here refuses has a code; what fetch reports of a lost connection has none.
    throw codeOf(error) === '' ? brokenOff(client.url, error) : error;
  }
  if (wish.format === 'table' && rows < finished.status.rows) {
    note(translator.text(asking.partShown, { shown: countText(rows), total: countText(finished.status.rows) }));
  }
}

/**
 * A table needs its pages one by one. Anything else comes in one answer, however long: only so are the columns of csv
 * those of all rows.
 */
async function textOf(
  { run: { id } }: Finished,
  rows: number,
  { wish, client, streams: { stdout } }: Asking,
): Promise<AsyncIterable<string | Uint8Array>> {
  if (wish.format === 'table')
    return tableText(client, { id, rows, width: stdout.isTTY ? stdout.columns || undefined : undefined });
  return await client.stream(`/cursors/${id}`, {
    format: wish.format,
    times: 'millis',
    offset: '0',
    limit: String(rows),
  });
}

function report(status: QueryStatus, { translator, isTimed, note }: Asking): number {
  for (const text of status.warnings ?? []) note(harmless(translated(text, WARNINGS, translator.language)));
  const failure = failureOf(status, translator.language);
  if (failure) note(`vigil: ${worded(failure, translator)}`);
  else if (isTimed) {
    const seconds = (status.elapsed / 1000).toFixed(2);
    note(translator.text('query-rows', { rows: countText(status.rows), seconds }));
  }
  return failure ? FAILED : 0;
}

function failureOf(
  { rows, is_cancelled, error_code, error_detail = '', cancel_reason = '' }: QueryStatus,
  language: Invocation['translator']['language'],
): UsageError | undefined {
  if (!is_cancelled && error_code === undefined) return undefined;
  const count = countText(rows);
  if (error_code === undefined) return new UsageError('query-ended', { reason: cancel_reason, rows: count });
  const reason = `${translated(error_detail, [error_code], language)} (${error_code})`;
  return new UsageError('query-failed', { reason, rows: count });
}
