// One run of a query: begun, followed, cancelled, removed.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportConnection } from '#console/client/connection.ts';
import { ServiceError } from '#console/client/service-error.ts';
import {
  answerConsole,
  refusal,
  rowLines,
  type SentRequest,
  unanswered,
  unreachable,
} from '#test/support/console-answers.ts';
import { QueryRun } from './query-run.ts';

const REQUEST = { text: 'table web', interval: { from: 0, to: 60_000 } };
const RUNNING = { is_finished: false, is_cancelled: false, rows: 0 };
const FINISHED = { is_finished: true, is_cancelled: false, rows: 1 };
const cursor = ({ params }: SentRequest) =>
  params.format === 'json-single' ? { field_order: ['a'], field_types: { a: 'long' } } : rowLines([{ a: 1 }]);
const SERVICE = {
  'POST /api/core/cursors': () => ({ id: 7 }),
  'GET /api/core/cursors/:id': cursor,
  'DELETE /api/core/cursors/:id': () => ({}),
  'POST /api/core/queries/:id/cancel': () => ({}),
};

const runs: QueryRun[] = [];
const begin = () => {
  const run = new QueryRun(REQUEST);
  runs.push(run);
  return run;
};
const phase = (run: QueryRun) => expect.poll(() => run.state.get().phase);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

afterEach(() => {
  answerConsole(SERVICE);
  for (const run of runs.splice(0)) run.close();
  reportConnection('online');
  vi.useRealTimers();
});

describe('A run', () => {
  it('sends its text and its range, and has its rows and its counts at the end', async () => {
    const states = [RUNNING, FINISHED];
    const requests = answerConsole({ ...SERVICE, 'GET /api/core/queries/:id': () => states.shift() ?? {} });
    const run = begin();
    expect(run.state.get()).toEqual({ phase: 'starting' });
    await phase(run).toBe('finished');
    expect(run.state.get()).toMatchObject({ id: 7, status: { rows: 1 } });
    expect(requests[0]?.params).toEqual({
      q: 'table web',
      from: '1970-01-01 00:00:00+0000',
      to: '1970-01-01 00:01:00+0000',
      background: false,
      read_only: true,
    });
    // The reader has caused the first look at the query, and none of the later ones.
    const looks = requests.filter(({ operation }) => operation === 'GET /api/core/queries/:id');
    expect(looks.map(({ isRefresh }) => isRefresh)).toEqual([false, true]);
    await expect.poll(() => run.rows?.rowAt(0)).toEqual({ a: 1 });
    await expect.poll(() => run.rows?.state.get().columns).toEqual([{ name: 'a', type: 'long' }]);
  });

  it.each([
    ['finished', FINISHED],
    ['cancelled', { ...FINISHED, is_cancelled: true, error_code: 93001, cancel_reason: 'UserRequest' }],
    // As the service answers: the failure has cancelled the query.
    ['failed', { ...FINISHED, is_cancelled: true, error_code: 93003, cancel_reason: 'LowDisk' }],
    ['failed', { ...FINISHED, is_cancelled: true, cancel_reason: 'NetworkFailure' }],
  ])('is %s as its last status says', async (expected, status) => {
    answerConsole({ ...SERVICE, 'GET /api/core/queries/:id': () => status });
    const run = begin();
    await phase(run).toBe(expected);
    expect(run.state.get()).toMatchObject({ status });
  });

  it('may change something only where the reader has said so', () => {
    const requests = answerConsole({ ...SERVICE, 'GET /api/core/queries/:id': () => FINISHED });
    runs.push(new QueryRun({ ...REQUEST, mayChange: true }));
    expect(requests[0]?.params).toMatchObject({ read_only: false });
  });

  it('is refused where the service does not begin it', async () => {
    const requests = answerConsole({ 'POST /api/core/cursors': () => refusal(400, 'invalid-query', '90001') });
    const run = begin();
    await phase(run).toBe('refused');
    expect(run.state.get()).toMatchObject({ error: expect.any(ServiceError) });
    run.close();
    expect(requests).toHaveLength(1);
  });

  it('has failed where the service no longer knows it', async () => {
    answerConsole({ ...SERVICE, 'GET /api/core/queries/:id': () => refusal(404, 'not-found', 'query not found') });
    const run = begin();
    await phase(run).toBe('failed');
    expect(run.state.get()).toMatchObject({ status: undefined, error: { message: 'query not found' } });
  });

  it('goes on after the connection was lost', async () => {
    let looks = 0;
    answerConsole({ ...SERVICE, 'GET /api/core/queries/:id': () => (++looks === 1 ? unreachable() : FINISHED) });
    const run = begin();
    await expect.poll(() => looks).toBe(1);
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(1);
    expect(run.state.get().phase).toBe('running');
    await vi.advanceTimersByTimeAsync(1000);
    await phase(run).toBe('finished');
  });

  it('is cancelled by the reader while it runs, and only then', async () => {
    let status: object = RUNNING;
    const requests = answerConsole({
      ...SERVICE,
      'GET /api/core/queries/:id': async () => {
        await new Promise(setImmediate);
        return status;
      },
    });
    const run = begin();
    await run.cancel();
    await phase(run).toBe('running');
    await run.cancel();
    status = { ...FINISHED, is_cancelled: true, cancel_reason: 'UserRequest' };
    await phase(run).toBe('cancelled');
    await run.cancel();
    const cancels = requests.filter(({ operation }) => operation === 'POST /api/core/queries/:id/cancel');
    expect(cancels.map(({ params }) => params)).toEqual([{ id: '7' }]);
  });

  it('is removed with its rows when the page no longer shows it', async () => {
    const requests = answerConsole({ ...SERVICE, 'GET /api/core/queries/:id': unanswered });
    const run = begin();
    await phase(run).toBe('running');
    run.close();
    expect(requests.at(-1)).toMatchObject({ operation: 'DELETE /api/core/cursors/:id', params: { id: '7' } });
    expect(run.state.get().phase).toBe('running');
  });

  it('that is closed before it has begun is removed as soon as it has', async () => {
    const started = Promise.withResolvers<object>();
    const requests = answerConsole({ ...SERVICE, 'POST /api/core/cursors': () => started.promise });
    const run = begin();
    run.close();
    started.resolve({ id: 8 });
    await expect
      .poll(() => requests.at(-1))
      .toMatchObject({ operation: 'DELETE /api/core/cursors/:id', params: { id: '8' } });
    expect(run.rows).toBeUndefined();
  });
});
