// Records as they arrive: windows that follow each other, pages of them, and what is left out.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportConnection } from '#console/client/connection.ts';
import {
  answerConsole,
  refusal,
  rowLines,
  type SentRequest,
  unanswered,
  unreachable,
} from '#test/support/console-answers.ts';
import { LiveTail, WINDOW_SECONDS } from './live-tail.ts';

const CURSORS = 'POST /api/core/cursors';
const CURSOR = 'GET /api/core/cursors/:id';
const FINISHED = { 'x-query-finished': 'true' };
const recordsOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ _table: 'web', _id: from + index }));

const tails: LiveTail[] = [];
const begin = () => {
  const tail = new LiveTail('table window=600s web');
  tails.push(tail);
  return tail;
};
const idsOf = ({ state }: LiveTail) => state.get().rows.map(({ _id }) => _id);

/** A service with a number for every window, and the pages of each. */
function windows(pagesOf: (window: number) => (request: SentRequest) => Response | Promise<Response>) {
  let last = 0;
  const pages = new Map<number, ReturnType<typeof pagesOf>>();
  return answerConsole({
    [CURSORS]: () => {
      pages.set(++last, pagesOf(last));
      return { id: last };
    },
    [CURSOR]: (request) => pages.get(Number(request.params.id))?.(request) ?? unanswered(),
    'DELETE /api/core/cursors/:id': () => ({}),
  });
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

afterEach(() => {
  for (const tail of tails.splice(0)) tail.close();
  reportConnection('online');
  vi.useRealTimers();
});

describe('A live tail', () => {
  it('shows what has come, asks for more behind it, and does not keep the session alive', async () => {
    const answers = [rowLines(recordsOf(1, 2)), rowLines(recordsOf(3, 1))];
    const requests = windows(() => () => answers.shift() ?? unanswered());
    const tail = begin();
    await expect.poll(() => idsOf(tail)).toEqual([2, 1]);
    // A reader cannot follow faster.
    await expect.poll(() => vi.getTimerCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(250);
    await expect.poll(() => idsOf(tail)).toEqual([3, 2, 1]);
    expect(tail.state.get()).toMatchObject({ arrived: 3, dropped: 0 });
    const pages = requests.filter(({ operation }) => operation === CURSOR);
    expect(pages.map(({ params, isRefresh }) => [params.offset, params.wait, isRefresh])).toEqual([
      ['0', '20', true],
      ['2', '20', true],
    ]);
    const params = { q: 'table window=600s web', background: false, read_only: true };
    expect(requests[0]).toMatchObject({ params, isRefresh: false });
  });

  it('goes on with the next window before one ends, and shows records of both once', async () => {
    const requests = windows((window) => {
      const answers = window === 1 ? [rowLines(recordsOf(1, 2)), rowLines([], FINISHED)] : [rowLines(recordsOf(2, 2))];
      return () => answers.shift() ?? unanswered();
    });
    const tail = begin();
    await expect.poll(() => idsOf(tail)).toEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(250);
    await vi.advanceTimersByTimeAsync((WINDOW_SECONDS - 5) * 1000);
    await expect.poll(() => idsOf(tail)).toEqual([3, 2, 1]);
    const begun = requests.filter(({ operation }) => operation === CURSORS);
    expect(begun.map(({ isRefresh }) => isRefresh)).toEqual([false, true]);
  });

  it.each([
    [1400, 900, 400],
    [600, 500, 0],
  ])('leaves out what came too fast to be shown: of %d records it goes on at %d', async (total, next, dropped) => {
    const requests = windows(() => ({ params }) => {
      if (params.format === 'json-single') return Response.json({ total });
      return params.offset === '0' ? rowLines(recordsOf(0, 500)) : unanswered();
    });
    const tail = begin();
    await expect.poll(() => requests.some(({ params }) => params.format === 'json-single')).toBe(true);
    await expect.poll(() => vi.getTimerCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(250);
    await expect.poll(() => requests.at(-1)?.params.offset).toBe(String(next));
    expect(tail.state.get().dropped).toBe(dropped);
  });

  it('ends where the service refuses it, and says why', async () => {
    const requests = answerConsole({ [CURSORS]: () => refusal(400, 'invalid-query', 'wrong') });
    const tail = begin();
    await expect.poll(() => tail.state.get().error).toMatchObject({ message: 'wrong' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(requests).toHaveLength(1);
  });

  it('begins again after the connection was lost, and keeps what it has shown', async () => {
    const requests = windows((window) => {
      const answers = [rowLines(recordsOf(window, 1))];
      return () => answers.shift() ?? (window === 1 ? unreachable() : unanswered());
    });
    const tail = begin();
    await expect.poll(() => idsOf(tail)).toEqual([1]);
    await vi.advanceTimersByTimeAsync(250);
    await vi.advanceTimersByTimeAsync(2000);
    await expect.poll(() => idsOf(tail)).toEqual([2, 1]);
    expect(tail.state.get().error).toBeUndefined();
    const begun = () => requests.filter(({ operation }) => operation === CURSORS).map(({ isRefresh }) => isRefresh);
    expect(begun()).toEqual([false, true]);
    // The window that was to follow the lost one does not begin besides.
    await vi.advanceTimersByTimeAsync((WINDOW_SECONDS - 6) * 1000);
    expect(begun()).toEqual([false, true]);
  });

  it('is removed from the service when the page no longer shows it', async () => {
    const requests = windows(() => unanswered);
    const tail = begin();
    await expect.poll(() => requests.length).toBe(2);
    tail.close();
    expect(requests.at(-1)).toMatchObject({ operation: 'DELETE /api/core/cursors/:id', params: { id: '1' } });
    await new Promise(setImmediate);
    expect(requests).toHaveLength(3);
    expect(tail.state.get()).toEqual({ rows: [], arrived: 0, dropped: 0 });
  });

  it('that is closed before it has begun is removed as soon as it has', async () => {
    const started = Promise.withResolvers<object>();
    const requests = answerConsole({ [CURSORS]: () => started.promise, 'DELETE /api/core/cursors/:id': () => ({}) });
    begin().close();
    started.resolve({ id: 9 });
    await expect
      .poll(() => requests.at(-1))
      .toMatchObject({ operation: 'DELETE /api/core/cursors/:id', params: { id: '9' } });
  });
});
