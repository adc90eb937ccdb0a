// Calls of operations: what is sent, and what becomes of errors.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerConsole, refusal, unanswered, unreachable } from '#test/support/console-answers.ts';
import { createQueryClient, keyOf } from './answers.ts';
import { ask, call, callWith } from './call.ts';
import { isOffline, onReconnected, reportConnection } from './connection.ts';
import { ServiceError, Unreachable } from './service-error.ts';
import { type Account, beginSession, isSignedIn, leaveSession } from './session.ts';

const ACCOUNT = { guid: 'kim' } as Account; // Nothing else is read.

afterEach(() => {
  leaveSession();
  reportConnection('online');
  vi.useRealTimers();
});

describe('A call', () => {
  it('has its parameters in the path and the query string where it reads', async () => {
    const requests = answerConsole({ 'GET /api/core/tables/:table': () => ({ table: null }) });
    expect(await call('GET /api/core/tables/:table', { table: '웹/로그' })).toEqual({ table: null });
    expect(requests[0]?.params).toEqual({ table: '%EC%9B%B9%2F%EB%A1%9C%EA%B7%B8' });
    expect(requests[0]?.headers.get('content-type')).toBeNull();
  });

  it('has its parameters in the body where it changes something', async () => {
    const requests = answerConsole({ 'POST /api/core/tables': () => ({}) });
    await call('POST /api/core/tables', { table: 'web', retention: 0 });
    expect(requests[0]).toMatchObject({ params: { table: 'web', retention: 0 }, isRefresh: false });
    expect(requests[0]?.headers.get('content-type')).toBe('application/json');
  });

  it('that the reader did not cause says so', async () => {
    const requests = answerConsole({ 'GET /api/core/tables': () => ({ tables: [] }) });
    await callWith({ isRefresh: true }, 'GET /api/core/tables', {});
    expect(requests[0]?.isRefresh).toBe(true);
  });

  it('with a content of its own has its parameters in the address', async () => {
    const LOAD = 'PUT /api/core/lookups/:guid/rows';
    const requests = answerConsole({ [LOAD]: () => ({}) });
    await ask(LOAD, { guid: 'l', mode: 'merge' }, { content: { type: 'text/csv', body: 'a,b\n1,2\n' } });
    expect(requests[0]).toMatchObject({ operation: LOAD, params: { guid: 'l', mode: 'merge' }, content: 'a,b\n1,2\n' });
    expect(requests[0]?.headers.get('content-type')).toBe('text/csv');
  });

  it('follows no redirect', async () => {
    answerConsole({ 'GET /api/core/tables': () => ({ tables: [] }) });
    await call('GET /api/core/tables', {});
    expect(vi.mocked(fetch).mock.lastCall?.[1]?.redirect).toBe('error');
  });
});

describe('A refused call', () => {
  it('rejects with code, message, request and further fields of the answer', async () => {
    answerConsole({ 'GET /api/core/tables': () => refusal(400, 'invalid', 'wrong table', { name: '웹' }) });
    const error = await call('GET /api/core/tables', {}).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid',
      message: 'wrong table',
      requestId: 'r1',
      details: { name: '웹' },
    });
  });

  it.each(['<html>Bad gateway</html>', 'null', '{"error_code":"x"}', ''])(
    'by a proxy that answers %j means that the service is unavailable',
    async (body) => {
      answerConsole({ 'GET /api/core/tables': () => new Response(body, { status: 502 }) });
      const error = await call('GET /api/core/tables', {}).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ status: 502, code: 'unavailable', message: 'HTTP 502', requestId: '' });
    },
  );

  it('without a session ends it in the console, unless it was the attempt to open one', async () => {
    answerConsole({
      'GET /api/core/tables': () => refusal(401, 'unauthorized', 'no session'),
      'POST /api/core/sessions': () => refusal(401, 'unauthorized', 'wrong key'),
    });
    beginSession(ACCOUNT);
    await expect(call('POST /api/core/sessions', { api_key: 'x' })).rejects.toThrow('wrong key');
    expect(isSignedIn()).toBe(true);
    await expect(call('GET /api/core/tables', {})).rejects.toThrow('no session');
    expect(isSignedIn()).toBe(false);
  });
});

describe('A lost connection', () => {
  it('is looked after until the service answers again, at growing distances', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const health = [unreachable, () => new Response('', { status: 503 }), () => ({})];
    const requests = answerConsole({
      'GET /api/core/tables': unreachable,
      'GET /healthz': () => health.shift()?.() ?? {},
    });
    let reconnected = 0;
    const stop = onReconnected(() => {
      reconnected += 1;
    });
    await expect(call('GET /api/core/tables', {})).rejects.toBeInstanceOf(Unreachable);
    for (const [wait, probes] of [
      [999, 0],
      [1, 1],
      [1999, 1],
      [1, 2],
      [3999, 2],
      [1, 3],
    ] as const) {
      await vi.advanceTimersByTimeAsync(wait);
      expect(requests.filter(({ operation }) => operation === 'GET /healthz')).toHaveLength(probes);
    }
    expect(reconnected).toBe(1);
    stop();
  });

  it('that is back before it is looked after is left alone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const requests = answerConsole({ 'GET /healthz': () => ({}) });
    reportConnection('offline');
    reportConnection('offline');
    reportConnection('online');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(requests).toEqual([]);
  });

  it('stays lost when an answer comes that was on its way', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    answerConsole({ 'GET /api/core/tables': () => promise });
    const asked = call('GET /api/core/tables', {});
    reportConnection('offline');
    resolve({ tables: [] });
    await asked;
    expect(isOffline()).toBe(true);
    answerConsole({ 'GET /api/core/tables': () => ({ tables: [] }) });
    await call('GET /api/core/tables', {});
    expect(isOffline()).toBe(false);
  });

  it('is not what a page has ended itself', async () => {
    let changes = 0;
    const stop = onReconnected(() => {
      changes += 1;
    });
    answerConsole({ 'GET /api/core/tables': unanswered });
    const ending = new AbortController();
    const answer = callWith({ signal: ending.signal }, 'GET /api/core/tables', {});
    ending.abort();
    await expect(answer).rejects.toThrow('aborted');
    answerConsole({ 'GET /api/core/tables': () => ({ tables: [] }) });
    await call('GET /api/core/tables', {});
    expect(changes).toBe(0);
    stop();
  });
});

describe('Answers that components share', () => {
  it('are known by operation and parameters, and by the operation alone', () => {
    expect(keyOf('GET /api/core/tables', { limit: 5 })).toEqual(['GET /api/core/tables', { limit: 5 }]);
    expect(keyOf('GET /api/core/tables')).toEqual(['GET /api/core/tables']);
  });

  it('are asked for again a few times while the service is unavailable, and until it is reached', () => {
    const retry = createQueryClient().getDefaultOptions().queries?.retry;
    if (typeof retry !== 'function') throw new Error('the client decides on retries');
    const failed = (code: string) => new ServiceError(500, 'r', { error_code: code, error_msg: code });
    expect(retry(0, failed('unavailable'))).toBe(true);
    expect(retry(3, failed('unavailable'))).toBe(false);
    expect(retry(0, failed('internal-error'))).toBe(false);
    expect(retry(100, new Unreachable())).toBe(true);
  });
});
