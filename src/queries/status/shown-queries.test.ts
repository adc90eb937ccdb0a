// `system queries` of a node that keeps many: in small blocks, and in pages for other nodes.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LiveQuery } from '#queries/live-query.ts';
import { QueryRegistry } from '#queries/registry/query-registry.ts';
import type { SystemRequest } from '#queries/runs/system-rows.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';
import { CALLER, openScriptedQueries, type ScriptedQueries } from '#test/support/scripted-queries.ts';
import { queryObject, shownPage, shownQueries } from './shown-queries.ts';
import type { ShownPart } from './shown-query.ts';

const MANY = 20_000;
const BLOCK = 500;

describe('Many kept queries', () => {
  let scripted: ScriptedQueries;
  let registry: QueryRegistry;
  beforeEach(async () => {
    scripted = await openScriptedQueries();
    registry = new QueryRegistry({ perAccount: 2 * MANY, total: 2 * MANY }, () => undefined);
  });
  afterEach(() => scripted[Symbol.asyncDispose]());

  /** Queries with the ids 1 to `count`, begun a second apart. */
  async function keep(count: number, textOf = (_id: number): string => 'json "{a:1}"'): Promise<void> {
    const plan = await scripted.queries.checked({ caller: CALLER, text: 'json "{a:1}"' });
    for (let id = 1; id <= count; id += 1) {
      const request = { caller: CALLER, source: 'rest-api', remoteIp: '127.0.0.1', text: textOf(id) } as const;
      const now = Temporal.Instant.fromEpochMilliseconds(1000 * id);
      registry.add(new LiveQuery({ ...request, background: true, keepsRows: true }, { ...plan, ids: [id], now }));
    }
  }

  const shown = (part: ShownPart = {}) =>
    shownQueries({ kept: registry, clock: scripted.home.clock, isVisible: (query) => query.id !== 7 }, part);

  const requestFor = (range: SystemRequest['range'] = {}): SystemRequest => ({
    account: CALLER,
    named: { guid: CALLER.userGuid, isService: false },
    remoteIp: '127.0.0.1',
    isPassedOn: false,
    locale: 'en',
    isVerbose: false,
    range,
    signal: new AbortController().signal,
    missing: () => undefined,
  });

  it('become rows in blocks, and the event loop turns between two of them', async () => {
    await keep(MANY);
    const others = await Array.fromAsync(shown()).then((blocks) => blocks.flat());
    async function* pages() {
      yield { queries: others, missing: [] };
    }
    const { rows } = queryObject({ own: (_, part) => shown(part), remoteNodes: { queries: pages } });
    const blocks: { readonly rows: number; readonly turn: number }[] = [];
    let turn = 0;
    let isOver = false;
    const turning = (async () => {
      for (; !isOver; turn += 1) await yieldToEventLoop();
    })();
    for await (const block of rows(requestFor())) blocks.push({ rows: block.length, turn });
    isOver = true;
    await turning;
    expect(blocks.reduce((sum, block) => sum + block.rows, 0)).toBe(2 * (MANY - 1));
    expect(Math.max(...blocks.map((block) => block.rows))).toBe(BLOCK);
    expect(new Set(blocks.map((block) => block.turn)).size).toBe(blocks.length);
  });

  it('have typed values, and those of a time range are read alone', async () => {
    await keep(9);
    const second = (at: number) => Temporal.Instant.fromEpochMilliseconds(1000 * at);
    const { rows } = queryObject({ own: (_, part) => shown(part) });
    const found = (
      await Array.fromAsync(rows(requestFor({ from: second(8), to: second(8).add({ nanoseconds: 1 }) })))
    ).flat();
    const [row, ...more] = found.map((fields) => Object.fromEntries(fields));
    expect(more).toEqual([]);
    expect(row).toEqual({
      id: 8n,
      source: 'rest-api',
      login_name: 'kim',
      remote_ip: '127.0.0.1',
      rows: 0n,
      elapsed: expect.any(BigInt),
      is_finished: false,
      is_cancelled: false,
      is_scheduled_query: false,
      background: true,
      query_string: 'json "{a:1}"',
      start_time: second(8),
      finish_time: null,
      _time: second(8),
    });
  });

  /** Ids of all pages, as another node asks for them. */
  async function pages(): Promise<readonly (readonly number[])[]> {
    const found: (readonly number[])[] = [];
    let before: number | undefined;
    while (before !== 0) {
      const page = await shownPage(shown({ before }));
      found.push(page.queries.map(({ id }) => id));
      ({ before } = page);
    }
    return found;
  }

  it('are told to other nodes in pages, each once and the greatest id first', async () => {
    await keep(2501);
    const found = await pages();
    expect(found.map(({ length }) => length)).toEqual([1000, 1000, 500]);
    const ids = Array.from({ length: 2501 }, (_, index) => 2501 - index).filter((id) => id !== 7);
    expect(found.flat()).toEqual(ids);
  });

  it('are told in pages of a bounded length, or one by one', async () => {
    const long = 'x'.repeat(2 * 1024 * 1024);
    const half = 'x'.repeat(512 * 1024);
    await keep(6, (id) => (id === 3 ? long : half));
    expect(await pages()).toEqual([[6, 5], [4], [3], [2, 1]]);
  });

  it('are one page where there are none', async () => {
    expect(await shownPage(shown())).toEqual({ queries: [], before: 0 });
  });
});
