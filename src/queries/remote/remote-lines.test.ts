// Queries that another node has asked for, over an engine that does what a test tells it.

import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnreachable } from '#store/unreachable.ts';
import { CALLER, failing, giving, openScriptedQueries, type ScriptedQueries } from '#test/support/scripted-queries.ts';
import { remoteLines } from './remote-lines.ts';

const ROW = '[1]';

describe('A query for another node', () => {
  let scripted: ScriptedQueries;
  let isAskerAlive = true;
  let isStoreThere = true;
  let defects: unknown[] = [];

  beforeEach(async () => {
    [isAskerAlive, isStoreThere, defects] = [true, true, []];
    const otherNodes = async () => {
      if (!isStoreThere) throw new StoreUnreachable(new Error('no answer'));
      return [];
    };
    scripted = await openScriptedQueries({ otherNodes });
  });
  afterEach(() => scripted[Symbol.asyncDispose]());

  const linesFor = (text: string) => {
    const request = { caller: CALLER, source: 'rest-api', remoteIp: '127.0.0.1', text } as const;
    const deps = {
      queries: scripted.queries,
      clock: scripted.home.clock,
      isAlive: async () => isAskerAlive,
      failed: (error: unknown) => void defects.push(error),
    };
    const asked = { ...request, askedBy: 'n1', background: true, keepsRows: false };
    return remoteLines(deps, asked, new AbortController().signal);
  };
  const all = async (lines: AsyncIterable<string>) =>
    (await Array.fromAsync(lines)).map((line) => line.trimEnd()).slice(1);
  const columns = '{"columns":[["a","long"]],"without":null}';
  /** Until the run and the watch of the node that has asked both sleep. */
  const asleep = () => scripted.home.clock.asleep({ seconds: 5 }, 2);

  it('ends where its rows are refused because they are stored encrypted', async () => {
    const { promise: held, resolve } = Promise.withResolvers<void>();
    scripted.script = (run) => ({ ...giving([[ROW], [ROW], [ROW]], () => held)(run), isSecret: true });
    const lines = await all(linesFor('json "{a:1}"'));
    expect(lines).toEqual([
      '{"end":"error","code":93000,"values":{"detail":"rows that are stored encrypted stay on their node"}}',
    ]);
    await expect.poll(() => scripted.calls.at(-1)).toBe('ended CommandFailure');
    expect(scripted.queries.running).toBe(0);
    resolve();
  });

  it('sends an empty line while it has none', async () => {
    const { promise: held, resolve } = Promise.withResolvers<void>();
    scripted.script = giving([], () => held);
    const lines = linesFor('json "{a:1}"');
    expect((await lines.next()).value).toMatch(/^{"query":/);
    for (const _ of [1, 2]) {
      const next = lines.next();
      await asleep();
      scripted.home.clock.advance({ seconds: 5 });
      expect(await next).toEqual({ done: false, value: '{}\n' });
    }
    resolve();
    expect(await Array.fromAsync(lines)).toEqual([`${columns}\n`, '{"end":"whole"}\n']);
  });

  it('is cancelled when the node that has asked for it has lost its lease', async () => {
    scripted.script = ({ parts }) => ({
      async *rows() {
        if (!parts.signal.aborted) await once(parts.signal, 'abort');
        yield [ROW];
      },
    });
    const lines = linesFor('json "{a:1}"');
    await lines.next();
    const rest = Array.fromAsync(lines);
    await asleep();
    isAskerAlive = false;
    scripted.home.clock.advance({ seconds: 5 });
    expect((await rest).at(-1)).toBe('{"end":"cancelled","reason":"NetworkFailure"}\n');
    expect(scripted.calls.at(-1)).toBe('ended NetworkFailure');
  });

  it.each([
    ['before its first row', []],
    ['after its first row', [[ROW]]],
  ])('reports a defect %s once, here', async (_, blocks) => {
    scripted.script = giving(blocks, failing(new Error('secret detail')));
    const lines = await all(linesFor('json "{a:1}"'));
    expect(lines.at(-1)).toBe('{"end":"refused","detail":"internal error"}');
    expect([...defects, ...scripted.defects]).toEqual([new Error('secret detail')]);
  });

  it('says that the database cannot be reached', async () => {
    isStoreThere = false;
    const [line] = await Array.fromAsync(linesFor('table n9:web'));
    expect([line, defects]).toEqual(['{"end":"refused","detail":"database is not reachable"}\n', []]);
  });
});
