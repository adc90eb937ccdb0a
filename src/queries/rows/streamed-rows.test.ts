import { describe, expect, it } from 'vitest';
import type { LiveQuery } from '#queries/live-query.ts';
import type { QueryEnd } from '#queries/status/query-ends.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';
import { awaitFirstRows } from './streamed-rows.ts';

const BLOCKS = [[['a']], [['a'], ['b']], [['a'], [], ['b'], ['c']], []];

/** A query that has ended when its rows are read and it is on record, and stops when it is cancelled. */
function queryOf(blocks: readonly string[][]) {
  const stopping = new AbortController();
  const told: { cancellation?: QueryEnd; hasEnded: boolean } = { hasEnded: false };
  const query = {
    request: { text: '', caller: { locale: 'en' } },
    signal: stopping.signal,
    get cancellation() {
      return told.cancellation;
    },
    cancel(end: QueryEnd) {
      if (told.hasEnded || told.cancellation) return;
      told.cancellation = end;
      stopping.abort(end.thrown);
    },
  };
  async function* run(record: () => Promise<void>) {
    yield* blocks;
    await record().catch((thrown) => {
      query.cancel({ reason: 'CommandFailure', thrown });
      throw thrown;
    });
    told.hasEnded = true;
  }
  // Rows need no more of a query.
  return { query: query as unknown as LiveQuery, run, told };
}

describe('Rows of a stream', () => {
  it.each(BLOCKS)('come when their query is on record, which goes on meanwhile', async (...blocks) => {
    const { query, run, told } = queryOf(blocks);
    const begun = Promise.withResolvers<void>();
    const recorded = Promise.withResolvers<void>();
    let calls = 0;
    let isAnswered = false;
    const record = () => {
      calls += 1;
      begun.resolve();
      return recorded.promise;
    };
    const stream = awaitFirstRows(query, record, run);
    void stream.then(() => {
      isAnswered = true;
    });
    await begun.promise;
    for (let turn = 0; turn < 20; turn += 1) await yieldToEventLoop();
    expect([isAnswered, told.hasEnded]).toEqual([false, false]);
    recorded.resolve();
    expect((await Array.fromAsync(await stream)).flat()).toEqual(blocks.flat());
    expect([calls, told.hasEnded]).toEqual([1, true]);
  });

  it.each(BLOCKS)('are none where the query cannot be put on record, and it fails', async (...blocks) => {
    const { query, run, told } = queryOf(blocks);
    const record = () => Promise.reject(new Error('no disk'));
    await expect(awaitFirstRows(query, record, run)).rejects.toThrow('no disk');
    expect([told.hasEnded, told.cancellation?.reason]).toEqual([false, 'CommandFailure']);
  });
});
