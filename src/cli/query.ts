// vigil query: runs a query at the service, shows how far it is, and writes its rows.

import { Readable } from 'node:stream';
import { Mistake } from '#kernel/mistake.ts';
import { translated } from '#query/translated.ts';
import { brokenOff, type Client, clientFlags, connect } from './client.ts';
import type { Command, Invocation } from './command.ts';
import { codeOf, FAILED, WRONG_USE, worded } from './failure.ts';
import { Interruption } from './interruption.ts';
import { writeOut } from './output-file.ts';
import { mistakeLines } from './query-mistake.ts';
import { countText, QueryProgress } from './query-progress.ts';
import { QueryRun, type QueryStatus } from './query-run.ts';
import { tableText } from './query-table.ts';
import { queryFlags, type Wish, wishOf } from './query-wish.ts';
import { jsonFlag } from './records.ts';
import { harmless } from './table.ts';

const WARNINGS = [90901, 90902, 90903];

export const query: Command = {
  name: 'query',
  takes: 'TEXT',
  about: {
    en: 'run a query and write its rows; Ctrl-C cancels it',
    ko: '질의를 실행하고 결과를 출력합니다. Ctrl-C로 취소합니다',
  },
  flags: { ...queryFlags, ...jsonFlag, ...clientFlags },

  async run(invocation) {
    const wish = wishOf(invocation);
    const client = connect(invocation);
    using interruption = new Interruption();
    const begun = await begin(client, wish, invocation);
    if (!begun) return WRONG_USE;
    await using run = begun;
    const status = await ended(run, interruption, invocation);
    if (interruption.exitCode === undefined) await writeRows({ run, status, wish, client, interruption }, invocation);
    return interruption.exitCode ?? report(status, invocation);
  },
};

/** Undefined where the text is wrong, and that has been said. */
async function begin(client: Client, wish: Wish, { speech, note }: Invocation): Promise<QueryRun | undefined> {
  try {
    return await QueryRun.begin(client, wish);
  } catch (error) {
    const lines = await mistakeLines(error, wish, { client, speech });
    if (!lines) throw error;
    for (const line of lines) note(line);
    return undefined;
  }
}

/** Once it has stopped, by itself or because that was asked for. */
async function ended(run: QueryRun, interruption: Interruption, invocation: Invocation): Promise<QueryStatus> {
  using progress = new QueryProgress(invocation);
  const end = run.end((status) => progress.saw(status));
  const isOver = new AbortController();
  const cancelled = interrupted(interruption.signal, isOver.signal).then(async () => {
    if (interruption.isHeard) {
      progress[Symbol.dispose]();
      invocation.note(invocation.speech.say('query-cancelling'));
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

function interrupted(interruption: AbortSignal, until: AbortSignal): Promise<void> {
  if (interruption.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    interruption.addEventListener('abort', () => resolve(), { signal: until });
  });
}

interface Finished {
  readonly run: QueryRun;
  readonly status: QueryStatus;
  readonly wish: Wish;
  readonly client: Client;
  readonly interruption: Interruption;
}

async function writeRows(finished: Finished, invocation: Invocation): Promise<void> {
  const { status, wish, client, interruption } = finished;
  const { speech, note } = invocation;
  const rows = Math.min(status.rows, wish.limit);
  try {
    await writeOut(Readable.from(await textOf(finished, rows, invocation.streams)), invocation, interruption.signal);
  } catch (error) {
    if (interruption.exitCode !== undefined) return;
    // What the machine here refuses has a code; what fetch reports of a lost connection has none.
    throw codeOf(error) === '' ? brokenOff(client.url, error) : error;
  }
  if (wish.format === 'table' && rows < status.rows) {
    note(speech.say('query-part-shown', { shown: countText(rows), total: countText(status.rows) }));
  }
}

/**
 * A table needs its pages one by one. Anything else comes in one answer, however long: only so are the columns of csv
 * those of all rows.
 */
async function textOf(
  { run: { id }, wish, client }: Finished,
  rows: number,
  { stdout }: Invocation['streams'],
): Promise<AsyncIterable<string | Uint8Array>> {
  if (wish.format === 'table') return tableText(client, { id, rows, width: stdout.isTTY ? stdout.columns : undefined });
  return await client.stream(`/cursors/${id}`, { format: wish.format, offset: '0', limit: String(rows) });
}

function report(status: QueryStatus, { speech, streams, note }: Invocation): number {
  for (const text of status.warnings ?? []) note(harmless(translated(text, WARNINGS, speech.language)));
  const failure = failureOf(status, speech.language);
  if (failure) note(`vigil: ${worded(failure, speech)}`);
  else if (streams.stderr.isTTY) {
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
