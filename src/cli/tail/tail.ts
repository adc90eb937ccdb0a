// vigil tail: prints records as they arrive, until Ctrl-C.

import { once } from 'node:events';
import { type Client, clientFlags, connect } from '#cli/kit/client.ts';
import type { Command, Invocation, Stream } from '#cli/kit/command.ts';
import { errorText, WRONG_USE } from '#cli/kit/failures/failure.ts';
import { checkQuery, findingLines } from '#cli/kit/failures/findings.ts';
import { queryFailure } from '#cli/kit/failures/query-failure.ts';
import { Interruption } from '#cli/kit/interruption.ts';
import { timeTextFor } from '#cli/kit/output/time-text.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { FollowedRecords } from './followed-records.ts';
import { liveTextOf, queryTextOf } from './live-text.ts';
import { recordText } from './record-text.ts';

const WINDOW_SECONDS = 600;
const OVERLAP_SECONDS = 5;

export const tail: Command = {
  name: 'tail',
  takes: 'TABLE-or-QUERY',
  about: {
    en: 'print records of a table, or of a query that filters a table, as they arrive; Ctrl-C ends it',
    ko: '테이블이나 테이블을 거르는 쿼리의 레코드를 도착하는 대로 출력합니다. Ctrl-C로 끝냅니다',
  },
  flags: {
    json: {
      about: {
        en: 'print each record as a line of JSON, as the service gave it',
        ko: '레코드마다 한 줄씩, 서비스가 준 그대로 JSON으로 출력',
      },
    },
    ...clientFlags,
  },

  async run(invocation) {
    const { words, note, translator, streams } = invocation;
    const client = connect(invocation);
    const text = queryTextOf(words[0] ?? '');
    const checked = await checkQuery(client, { text, params: '{}' });
    findingLines(checked, text, translator).forEach(note);
    if (checked.mistakes.length > 0) return WRONG_USE;
    const live = liveTextOf(text, checked, WINDOW_SECONDS);
    const toText = await textOf(invocation, client, checked);
    using stop = new Interruption();
    using output = new Output(streams.stdout);
    const signal = AbortSignal.any([stop.signal, output.closed]);
    await using records = followed(invocation, { client, signal, text: live });
    note(translator.text('tail-waiting'));
    try {
      for await (const line of records.lines()) await output.write(`${toText(line)}\n`, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return stop.exitCode ?? 0;
  },
};

interface Following {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly text: string;
}

function followed({ note, translator }: Invocation, { client, signal, text }: Following): FollowedRecords {
  const deps = {
    client,
    clock: systemClock,
    signal,
    onLost: (error: unknown) => note(translator.text('tail-lost', { reason: errorText(error, translator) })),
    onFound: () => note(translator.text('tail-found')),
    onGap: () => note(translator.text('tail-gap')),
    failureOf: (status: Parameters<typeof queryFailure>[0]) => queryFailure(status, translator.language),
  };
  return new FollowedRecords(deps, { text, windowMs: WINDOW_SECONDS * 1000, overlapMs: OVERLAP_SECONDS * 1000 });
}

interface CheckedColumns {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly tables: readonly string[];
}

async function textOf(
  invocation: Invocation,
  client: Client,
  { columns, tables }: CheckedColumns,
): Promise<(line: string) => string> {
  if (invocation.flags.json) return (line) => line;
  const timeText = await timeTextFor(client, invocation);
  const dates = new Set(columns.filter(({ type }) => type === 'date').map(({ name }) => name));
  const options = { timeText, dates, hasTable: tables.length !== 1, isColoured: invocation.isColoured };
  return (line) => recordText(line, options);
}

/** Standard output, which another program may close. */
class Output implements Disposable {
  readonly #stream: Stream;
  readonly #closing = new AbortController();

  constructor(stream: Stream) {
    this.#stream = stream;
    stream.on('close', this.#close).on('error', this.#close);
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** Resolves when the stream takes more, so that records wait at the service and not here. */
  async write(text: string, signal: AbortSignal): Promise<void> {
    if (!this.#stream.write(text)) await once(this.#stream, 'drain', { signal });
  }

  [Symbol.dispose](): void {
    this.#stream.off('close', this.#close).off('error', this.#close);
  }

  readonly #close = (): void => this.#closing.abort();
}
