// A query from its text to its rows, the same for `vigil query` and the shell: begun, followed, written, reported on.

import { Readable } from 'node:stream';
import { Mistake } from '#kernel/mistake.ts';
import { translated } from '#query/translated.ts';
import { brokenOff, type Client } from './client.ts';
import type { Invocation } from './command.ts';
import { codeOf, FAILED, WRONG_USE, worded } from './failure.ts';
import type { MessageCode } from './messages/en.ts';
import { writeOut } from './output-file.ts';
import { type FoundMistake, mistakesBehind } from './query-mistake.ts';
import { countText, QueryProgress } from './query-progress.ts';
import { QueryRun, type QueryStatus } from './query-run.ts';
import { type TablePage, tablePages, tableText } from './query-table.ts';
import type { Wish } from './query-wish.ts';
import { harmless } from './table.ts';

const WARNINGS = [90901, 90902, 90903];

export interface Asking extends Pick<Invocation, 'speech' | 'streams' | 'note'> {
  readonly client: Client;
  readonly wish: Wish;
  readonly stop: Stop;
  /** Whether the number of rows and the time are told. */
  readonly isTimed: boolean;
  /** How the rest of a table is had of which only a part is shown. */
  readonly partShown: MessageCode;
  mistaken(mistakes: readonly FoundMistake[]): void;
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
    const mistakes = await mistakesBehind(error, wish, client);
    if (mistakes.length === 0) throw error;
    mistaken(mistakes);
    return undefined;
  }
}

/** Once it has stopped, by itself or because that was asked for. */
async function ended(run: QueryRun, asking: Asking): Promise<QueryStatus> {
  using progress = new QueryProgress(asking);
  const { stop, note, speech } = asking;
  const end = run.end((status) => progress.saw(status));
  const isOver = new AbortController();
  const cancelled = aborted(stop.signal, isOver.signal).then(async () => {
    if (stop.isHeard) {
      progress[Symbol.dispose]();
      note(speech.say('query-cancelling'));
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
  const { wish, client, stop, speech, note, streams, show } = asking;
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
    note(speech.say(asking.partShown, { shown: countText(rows), total: countText(finished.status.rows) }));
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

function report(status: QueryStatus, { speech, isTimed, note }: Asking): number {
  for (const text of status.warnings ?? []) note(harmless(translated(text, WARNINGS, speech.language)));
  const failure = failureOf(status, speech.language);
  if (failure) note(`vigil: ${worded(failure, speech)}`);
  else if (isTimed) {
    const seconds = (status.elapsed / 1000).toFixed(2);
    note(speech.say('query-rows', { rows: countText(status.rows), seconds }));
  }
  return failure ? FAILED : 0;
}

function failureOf(
  { rows, is_cancelled, error_code, error_detail = '', cancel_reason = '' }: QueryStatus,
  language: Invocation['speech']['language'],
): Mistake | undefined {
  if (!is_cancelled && error_code === undefined) return undefined;
  const count = countText(rows);
  if (error_code === undefined) return new Mistake('query-ended', { reason: cancel_reason, rows: count });
  const reason = `${translated(error_detail, [error_code], language)} (${error_code})`;
  return new Mistake('query-failed', { reason, rows: count });
}
