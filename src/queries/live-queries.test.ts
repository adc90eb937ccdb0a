// The life of a query over an engine that does what a test tells it.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tableCorrupt } from '#contract/errors.ts';
import { Exhausted, NoSpace, TableGone } from '#logs/log-store.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { isCollected } from '#test/support/garbage.ts';
import { known } from '#test/support/known-plan-node.ts';
import type { DuckdbHome } from '#test/support/log-engine.ts';
import { CALLER, failing, giving, openScriptedQueries, type ScriptedQueries } from '#test/support/scripted-queries.ts';
import type { LiveQueries } from './live-queries.ts';

const ROW = '[1]';

describe('A live query', () => {
  let scripted: ScriptedQueries;
  let home: DuckdbHome;
  let queries: LiveQueries;
  let calls: readonly string[] = [];

  beforeEach(async () => {
    scripted = await openScriptedQueries();
    ({ home, queries, calls } = scripted);
  });
  afterEach(() => scripted[Symbol.asyncDispose]());

  const accepted = (text: string, keepsRows = true) =>
    queries.accept({
      caller: CALLER,
      source: 'rest-api',
      remoteIp: '127.0.0.1',
      text,
      background: true,
      keepsRows,
    });
  const ran = async (text: string) => {
    const query = await accepted(text);
    queries.start(query);
    await query.ended;
    return query;
  };
  const keptRows = async (query: Awaited<ReturnType<typeof ran>>) =>
    (await Array.fromAsync(queries.fetch(query, { offset: 0, limit: 100 }))).flat();

  it('is counted when its rows have been read, and ends when its work has stopped', async () => {
    scripted.script = giving([[ROW, ROW], [], [ROW]]);
    const query = await ran('json "{a:1}" | search a');
    expect(calls).toEqual(['begin', 'counted 3', 'disposed', 'ended well']);
    expect(queries.status(query)).toMatchObject({
      rows: 3,
      is_finished: true,
      is_cancelled: false,
      commands: [
        { push_count: 3, status: 'End' },
        { push_count: 3, status: 'End' },
      ],
    });
    expect(await keptRows(query)).toEqual([ROW, ROW, ROW]);
  });

  it('holds nothing of the request that has asked for it when it has ended', async () => {
    scripted.script = giving([[ROW]]);
    const streamed = async () => {
      const query = await accepted('json "{a:1}"', false);
      const asked = { record: async () => undefined };
      const gone = new AbortController().signal;
      await Array.fromAsync(await queries.stream(query, { page: undefined, gone, record: () => asked.record() }));
      return { id: query.id, asked: new WeakRef(asked) };
    };
    const { id, asked } = await streamed();
    expect(await isCollected(asked)).toBe(true);
    expect(queries.status(queries.find(id, CALLER))).toMatchObject({ rows: 1, is_finished: true });
  });

  it('keeps of its parameters what its status shows, as long as the status is kept', async () => {
    scripted.script = giving([[ROW]]);
    const begun = async () => {
      const params = { list: ['long'], other: 1 };
      const request = { caller: CALLER, source: 'rest-api', remoteIp: '127.0.0.1', text: 'json "{a:1}"' } as const;
      const query = await queries.accept({
        ...request,
        params,
        tags: { page: '1' },
        background: true,
        keepsRows: true,
      });
      queries.start(query);
      await query.ended;
      return { query, given: new WeakRef(params) };
    };
    const { query, given } = await begun();
    expect(await isCollected(given)).toBe(true);
    expect(queries.status(query)).toMatchObject({ constants: { list: ['long'] }, tags: { page: '1' } });
    home.clock.advance({ hours: 1 });
    await home.clock.settled();
    expect([query.outline.constants.size, query.tags, query.request.text]).toEqual([0, {}, '']);
    expect(await keptRows(query)).toEqual([ROW]);
  });

  it('is warned of what its last attempt has found, once', async () => {
    let attempts = 0;
    const missing = [[{ name: 'n2' }, { name: 'n3' }], [{ name: 'n3' }]];
    async function* others() {
      yield { queries: [], missing: missing[attempts] ?? [] };
    }
    await using nodes = await openScriptedQueries({
      remoteNodes: { living: async () => [], run: async () => 'unreachable', queries: others },
    });
    nodes.script = ({ parts }) => ({
      async *rows(plan) {
        const result = known(plan.result);
        if (result.kind !== 'system') throw new Error(`a plan of ${result.kind}`);
        // As two runs of a phase do.
        for (let run = 0; run < 2; run += 1) for await (const _ of parts.services.systemRows(result));
        attempts += 1;
        if (attempts === 1) throw new Exhausted('memory', { isMovable: true });
        yield [ROW];
      },
    });
    const request = { caller: CALLER, source: 'rest-api', remoteIp: '127.0.0.1', text: 'system queries' } as const;
    const query = await nodes.queries.accept({ ...request, background: true, keepsRows: true });
    nodes.queries.start(query);
    await query.ended;
    expect(nodes.calls).toContain('apart');
    const warnings = ['warning: node n3 does not answer; its rows are missing'];
    expect(nodes.queries.status(query)).toMatchObject({ warnings });
  });

  it.each([
    [new NoSpace('full'), 'LowDisk', 93003, 'memory or disk is exhausted', 0],
    [new TableGone('web'), 'CommandFailure', 10001, 'there is no table web', 0],
    [tableCorrupt('web', 'x'), 'CommandFailure', 93000, 'the engine failed: table is damaged: web [file: x]', 0],
    [new Error('secret detail'), 'CommandFailure', 93000, 'the engine failed: internal error', 1],
  ])(
    'that fails midway with %s never looks like success, and its rows stay',
    async (error, reason, code, detail, defect) => {
      scripted.script = giving([[ROW, ROW]], failing(error));
      const query = await ran('json "{a:1}"');
      expect(queries.status(query)).toMatchObject({
        rows: 2,
        is_finished: true,
        is_cancelled: true,
        cancel_reason: reason,
        error_code: code,
        error_detail: detail,
        commands: [{ push_count: 2, status: 'End' }],
      });
      expect(await keptRows(query)).toEqual([ROW, ROW]);
      expect(scripted.defects.length).toBe(defect);
      expect(calls.slice(-2)).toEqual(['disposed', `ended ${reason}`]);
    },
  );

  it('counts only rows that can be read, whatever the engine says of them', async () => {
    scripted.script = ({ parts }) => ({
      async *rows(plan) {
        parts.watch.reached(plan.result, 5000n);
        yield [ROW];
        throw new NoSpace('full');
      },
    });
    expect(queries.status(await ran('json "{a:1}"')).rows).toBe(1);
  });

  it('runs first what must be known before, in the order of the text, and plans again', async () => {
    const moved: PlanNode[] = [];
    scripted.script = ({ parts, calls: said }) => ({
      async firstRow(plan) {
        said.push(`first row of ${plan.commands.map(({ text }) => text).join(' | ')}`);
        parts.watch.moved(plan.result, 'Running');
        moved.push(plan.result);
        return new Map([['m', 7n]]);
      },
      async chartColumns(node) {
        said.push(`columns of ${node.text}`);
        return [{ name: 'x', type: 'long', cell: { key: 'x', aggregate: 0 } }];
      },
      async *rows(plan) {
        said.push(`rows of ${plan.result.rows.columns.map(({ name }) => name).join()}`);
        yield* [];
      },
    });
    const query = await ran('setq [ json "{m:1}" ] | json "{a:1}" | eval b = $("m") | pivot count rows b cols a');
    expect(calls.slice(1, 4)).toEqual([
      'first row of json "{m:1}"',
      'columns of pivot count rows b cols a',
      'rows of b,x',
    ]);
    expect(moved.length).toBe(1);
    expect(queries.status(query)).toMatchObject({
      constants: { m: expect.anything() },
      sub_queries: [{ id: query.id + 1, commands: [{ name: 0, command: 'json "{m:1}"', status: 'End' }] }],
    });
    expect(JSON.stringify(queries.status(query).constants)).toBe('{"m":7}');
  });

  it('waits for a place, can be cancelled there, and never begins then', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    scripted.script = giving([], () => held);
    const one = await accepted('json "{}"');
    const two = await accepted('json "{}"');
    const three = await accepted('json "{}"');
    for (const query of [one, two, three]) queries.start(query);
    expect([queries.running, queries.waiting]).toEqual([2, 1]);
    expect(queries.status(three)).toMatchObject({ is_finished: false, commands: [{ status: 'Waiting' }] });
    queries.cancel(three);
    expect(queries.status(three)).toMatchObject({ is_cancelled: true });
    await three.ended;
    expect(queries.status(three)).toMatchObject({ is_finished: true, cancel_reason: 'UserRequest' });
    letGo();
    await Promise.all([one.ended, two.ended]);
    expect(calls.filter((call) => call === 'begin').length).toBe(2);
    expect([queries.running, queries.waiting]).toEqual([0, 0]);
  });

  it('whose reader goes before it has begun to read is stopped all the same', async () => {
    scripted.script = giving([[ROW], [ROW]]);
    const query = await accepted('json "{}"', false);
    const gone = new AbortController();
    const rows = await queries.stream(query, { page: undefined, gone: gone.signal, record: async () => {} });
    gone.abort();
    await query.ended;
    expect(queries.status(query)).toMatchObject({ cancel_reason: 'NetworkFailure', is_finished: true });
    expect(calls.slice(-2)).toEqual(['disposed', 'ended NetworkFailure']);
    const reading = Array.fromAsync(rows);
    await expect(reading).rejects.toThrow('query has ended: connection closed');
  });

  it('writes down what it has stored, with its text and the number of rows', async () => {
    await home.createTable({ name: 'dst', layout: 'row', compression: 'snappy' });
    scripted.script = giving([[ROW, ROW]]);
    const { id } = await ran('json "{a:1}" | import dst');
    expect(scripted.entries).toEqual([
      {
        user_guid: CALLER.userGuid,
        user_name: 'kim',
        company_guid: CALLER.companyGuid,
        remote_ip: '127.0.0.1',
        module: 'query',
        method: 'import',
        params: { q: 'json "{a:1}" | import dst' },
        msg_params: { table: 'dst', rows: 2, query_id: id },
      },
    ]);
    scripted.script = giving([[ROW]], failing(new NoSpace('full')));
    await ran('json "{a:1}" | import dst');
    expect(scripted.entries.length).toBe(1);
  });

  it('is interrupted when the service stops, which waits for its work to end', async () => {
    scripted.script = ({ parts }) => ({
      async *rows() {
        yield [ROW];
        await new Promise((_, reject) => parts.signal.addEventListener('abort', () => reject(parts.signal.reason)));
      },
    });
    const query = await accepted('json "{}"');
    queries.start(query);
    while (query.rowCount === 0n) await new Promise((resolve) => setImmediate(resolve));
    await queries.close();
    expect(query.isFinished).toBe(true);
    expect(query.cancellation?.reason).toBe('Interrupted');
  });

  it.each([
    ['to its end', true],
    ['five seconds at most', false],
  ])('that was removed is waited for as well when the service stops, %s', async (_, ends) => {
    const { promise: stopped, resolve: letStop } = Promise.withResolvers<void>();
    scripted.script = giving([[ROW]], () => stopped);
    const query = await accepted('json "{}"');
    queries.start(query);
    while (query.rowCount === 0n) await new Promise((resolve) => setImmediate(resolve));
    await queries.remove(query);
    const order: string[] = [];
    const closing = queries.close().then(() => order.push('closed'));
    void query.ended.then(() => order.push('ended'));
    await home.clock.asleep({ seconds: 5 });
    expect(order).toEqual([]);
    if (ends) letStop();
    else home.clock.advance({ seconds: 5 });
    await closing;
    expect(order).toEqual(ends ? ['ended', 'closed'] : ['closed']);
    letStop();
  });
});
