// Runs a query for `vigil query` and the shell: starts it, follows its status, writes its rows and reports its end.

import { Readable } from 'node:stream';
import { brokenOff, type Client } from '#cli/kit/client.ts';
import type { Invocation } from '#cli/kit/command.ts';
import { codeOf, errorText, FAILED, WRONG_USE } from '#cli/kit/failures/failure.ts';
import { findingsBehind, inOrder, replacementFor, type TextFindings } from '#cli/kit/failures/findings.ts';
import { queryFailure } from '#cli/kit/failures/query-failure.ts';
import { countText } from '#cli/kit/output/numbers.ts';
import { writeOut } from '#cli/kit/output/output-file.ts';
import { printable } from '#cli/kit/output/text-table.ts';
import type { MessageCode } from '#cli/messages/index.ts';
import { translated } from '#query/model/translated-messages.ts';
import type { QueryOptions } from './options.ts';
import { QueryProgress } from './progress.ts';
import { QueryRun, type QueryStatus } from './query-run.ts';
import { type TablePage, tablePages, tableText } from './rows-table.ts';

const WARNINGS = [90901, 90902, 90903];

interface QueryExecution extends Pick<Invocation, 'translator' | 'streams' | 'note'> {
  readonly client: Client;
  readonly options: QueryOptions;
  readonly stop: Stop;
  /** Whether the number of rows and the elapsed time are reported. */
  readonly isTimed: boolean;
  /** Says how to get the rows of a table beyond the limit. */
  readonly partShown: MessageCode;
  reportFindings(findings: TextFindings): void;
  /** Shows what a refused text should read like, and resolves to whether that runs now. */
  offerReplacement(text: string): Promise<boolean>;
  /** Shows a table; without it a table is written like every other format. Each call of `pages` begins at the first row. */
  showTable?(pages: () => AsyncIterable<TablePage>): Promise<void>;
}

/** Cancels a running query. */
interface Stop {
  readonly signal: AbortSignal;
  /** False once the terminal is closed: nothing more can be written to it. */
  readonly hasTerminal: boolean;
}

/** Resolves to the exit code. A stopped query gets no closing report. */
export async function executeQuery(execution: QueryExecution): Promise<number> {
  const begun = await start(execution);
  if (typeof begun === 'string') {
    const { options, offerReplacement } = execution;
    if (!(await offerReplacement(begun))) return WRONG_USE;
    return await executeQuery({
      ...execution,
      options: { ...options, text: begun },
      offerReplacement: async () => false,
    });
  }
  if (!begun) return WRONG_USE;
  await using run = begun;
  if (inOrder(run.findings).length > 0) execution.reportFindings(run.findings);
  const status = await waitForEnd(run, execution);
  if (execution.stop.signal.aborted) return FAILED;
  reportLateWarnings(run, status, execution);
  await writeRows({ run, status }, execution);
  return execution.stop.signal.aborted ? FAILED : report(status, execution);
}

/** For a text with errors, once these are reported, the text as it should read; undefined where there is none. */
async function start({ client, options, reportFindings }: QueryExecution): Promise<QueryRun | string | undefined> {
  try {
    return await QueryRun.begin(client, options);
  } catch (error) {
    const findings = await findingsBehind(error, options, client);
    if ((findings.mistakes ?? []).length === 0) throw error;
    reportFindings(findings);
    return await replacementFor(findings, options, client);
  }
}

/** Resolves when the query has ended by itself or was cancelled. */
async function waitForEnd(run: QueryRun, execution: QueryExecution): Promise<QueryStatus> {
  using progress = new QueryProgress(execution);
  const { stop, note, translator } = execution;
  const end = run.end((status) => progress.saw(status));
  const isOver = new AbortController();
  const cancelled = aborted(stop.signal, isOver.signal).then(async () => {
    if (stop.hasTerminal) {
      progress[Symbol.dispose]();
      note(translator.text('query-cancelling'));
    } else progress.leave();
    await run.cancel();
    return await end;
  });
  try {
    // A refused cancel ends the wait too.
    return await Promise.race([end, cancelled]);
  } finally {
    isOver.abort();
  }
}

function aborted(signal: AbortSignal, until: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { signal: until });
  return promise;
}

interface Finished {
  readonly run: QueryRun;
  readonly status: QueryStatus;
}

async function writeRows(finished: Finished, execution: QueryExecution): Promise<void> {
  const { options, client, stop, translator, note, streams, showTable } = execution;
  const rows = Math.min(finished.status.rows, options.limit);
  try {
    if (showTable) await showTable(() => tablePages(client, { id: finished.run.id, rows, width: undefined }));
    else {
      const isWhole = queryFailure(finished.status, translator.language) === undefined;
      const text = Readable.from(await textOf(finished, rows, execution));
      await writeOut(text, { ...options, streams, note, translator }, { signal: stop.signal, isWhole });
    }
  } catch (error) {
    if (stop.signal.aborted) return;
    // Errors of the operating system have a code; errors of fetch about a lost connection have none.
    throw codeOf(error) === '' ? brokenOff(client.url, error) : error;
  }
  if (options.format === 'table' && rows < finished.status.rows) {
    note(translator.text(execution.partShown, { shown: countText(rows), total: countText(finished.status.rows) }));
  }
}

/**
 * A table is fetched page by page. Every other format is one answer, however long: only then has csv the columns of all
 * rows.
 */
async function textOf(
  { run: { id } }: Finished,
  rows: number,
  { options, client, streams: { stdout } }: QueryExecution,
): Promise<AsyncIterable<string | Uint8Array>> {
  if (options.format === 'table')
    return tableText(client, { id, rows, width: stdout.isTTY ? stdout.columns || undefined : undefined });
  return await client.stream('GET /api/core/cursors/:id', {
    id,
    format: options.format,
    times: 'millis',
    offset: 0,
    limit: rows,
  });
}

/** Warnings that the run has found; the others are reported before it. */
function reportLateWarnings(
  { findings }: QueryRun,
  { warnings = [], notices, hints }: QueryStatus,
  execution: QueryExecution,
) {
  const { translator, note, reportFindings } = execution;
  const told = new Set(findings.warnings?.map(({ message }) => message));
  const late = notices?.filter(({ message }) => !told.has(message));
  if (late && late.length > 0) reportFindings({ warnings: late, ...(hints ? { hints } : {}) });
  // A service of an earlier version has the texts alone.
  if (!notices) for (const text of warnings) note(printable(translated(text, WARNINGS, translator.language)));
}

function report(status: QueryStatus, { translator, isTimed, note }: QueryExecution): number {
  const failure = queryFailure(status, translator.language);
  if (failure) note(`vigil: ${errorText(failure, translator)}`);
  else if (isTimed) {
    const seconds = (status.elapsed / 1000).toFixed(2);
    note(translator.text('query-rows', { rows: countText(status.rows), seconds }));
  }
  return failure ? FAILED : 0;
}
