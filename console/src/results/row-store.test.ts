// The rows of a cursor as a view needs them: fetched when they come into view, forgotten when there are too many.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { reportConnection } from '#console/client/connection.ts';
import { answerConsole, refusal, rowLines, type SentRequest } from '#test/support/console-answers.ts';
import { RowStore } from './row-store.ts';

const CURSOR = 'GET /api/core/cursors/:id';
const described = { field_order: ['n', 'x'], field_types: { n: 'long' } };

/** A cursor over rows that are numbered. */
const cursorOf =
  (total: number, rowAt: (n: number) => object = (n) => ({ n })) =>
  ({ params }: SentRequest) => {
    if (params.format === 'json-single') return described;
    const offset = Number(params.offset);
    const limit = Number(params.limit);
    return rowLines(
      Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, at) => rowAt(offset + at)),
    );
  };
const pages = (requests: readonly SentRequest[]) =>
  requests.filter(({ params }) => params.format === 'json').map(({ params }) => params);

const stores: RowStore[] = [];
const open = () => {
  const store = new RowStore(7);
  stores.push(store);
  return store;
};

afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  reportConnection('online');
  vi.useRealTimers();
});

describe('The rows of a result', () => {
  it('have the columns that the service declares; one without a type may hold anything', async () => {
    answerConsole({ [CURSOR]: cursorOf(0) });
    const { state } = open();
    await expect
      .poll(() => state.get().columns)
      .toEqual([
        { name: 'n', type: 'long' },
        { name: 'x', type: 'any' },
      ]);
  });

  it('are waited for at the beginning, and fetched in pages as they come into view', async () => {
    const requests = answerConsole({ [CURSOR]: cursorOf(1000) });
    const store = open();
    store.want(0, 1);
    await expect.poll(() => store.rowAt(199)).toEqual({ n: 199 });
    expect(pages(requests)).toEqual([
      { id: '7', offset: '0', limit: '200', format: 'json', times: 'millis', wait: '30', wait_rows: '50' },
    ]);
    store.grow(1000);
    store.want(390, 410);
    await expect.poll(() => store.rowAt(409)).toEqual({ n: 409 });
    expect(pages(requests).slice(1)).toEqual([
      { id: '7', offset: '390', limit: '200', format: 'json', times: 'millis' },
    ]);
    expect(store.state.get().seen).toBe(590);
    expect(store.rowAt(300)).toBeUndefined();
  });

  it('that are not there yet are not asked for', async () => {
    const requests = answerConsole({ [CURSOR]: cursorOf(5) });
    const store = open();
    store.grow(5);
    await expect.poll(() => store.rowAt(4)).toEqual({ n: 4 });
    store.want(3, 100);
    store.want(5, 100);
    expect(pages(requests)).toHaveLength(1);
  });

  it('that the service does not have after all are asked for once', async () => {
    const requests = answerConsole({ [CURSOR]: cursorOf(5) });
    const store = open();
    store.grow(10);
    await expect.poll(() => pages(requests).length).toBe(2);
    await expect.poll(() => store.state.get().seen).toBe(5);
    await new Promise(setImmediate);
    expect(pages(requests)).toHaveLength(2);
  });

  it('that are far from the view are forgotten where all would take too much memory', async () => {
    const long = 'x'.repeat(9_000_000);
    answerConsole({ [CURSOR]: cursorOf(9, (n) => ({ n, long })) });
    const store = open();
    store.grow(9);
    for (let n = 0; n < 9; n += 1) {
      store.want(n, n + 1);
      await expect.poll(() => store.rowAt(n)?.n).toBe(n);
    }
    const kept = Array.from({ length: 9 }, (_, n) => store.rowAt(n)).filter((row) => row !== undefined);
    expect(kept.length).toBeLessThan(9);
    expect(store.rowAt(8)?.n).toBe(8);
  });

  it('show the error of the service in their place', async () => {
    answerConsole({ [CURSOR]: () => refusal(404, 'not-found', 'cursor not found') });
    const store = open();
    store.want(0, 1);
    await expect.poll(() => store.state.get().error).toMatchObject({ message: 'cursor not found' });
  });

  it('that were missed while the connection was lost are fetched after it is back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let isLost = true;
    const cursor = cursorOf(3);
    answerConsole({
      [CURSOR]: (request) => (isLost ? Promise.reject(new TypeError('fetch failed')) : cursor(request)),
      'GET /healthz': () => ({}),
    });
    const store = open();
    store.want(0, 1);
    await expect.poll(() => store.state.get().error).toBeDefined();
    isLost = false;
    await vi.advanceTimersByTimeAsync(1000);
    await expect.poll(() => store.rowAt(0)).toEqual({ n: 0 });
  });

  it('change nothing any more once the page has closed them', async () => {
    const answered = Promise.withResolvers<object>();
    const requests = answerConsole({ [CURSOR]: () => answered.promise });
    const store = open();
    store.want(0, 1);
    await expect.poll(() => requests.length).toBe(2);
    store.close();
    answered.resolve(rowLines([{ n: 0 }]));
    await new Promise(setImmediate);
    expect(store.state.get()).toEqual({ version: 0, columns: [], seen: 0 });
  });
});
