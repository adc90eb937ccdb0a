import { afterEach, describe, expect, it } from 'vitest';
import { WorkerEnded, type WorkerOptions, WorkerPool, WorkerThread } from './threads.ts';

type Order = 'echo' | 'fail' | 'hang' | 'spin' | 'count' | 'exit' | 'memory' | Uint8Array;

/** The side of the worker, with the helper that all workers use. */
const file = new URL('../../test/support/answering-worker.ts', import.meta.url);

const threads: WorkerThread<Order, unknown, number>[] = [];

function started(options: Partial<WorkerOptions> = {}) {
  const thread = new WorkerThread<Order, unknown, number>({ file, ...options });
  threads.push(thread);
  return thread;
}

afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close();
});

describe('A worker thread', () => {
  it('answers each order by its id, several at a time', async () => {
    const thread = started();
    const slow = thread.ask('spin');
    expect(await thread.ask('echo')).toBe('echo');
    expect(thread.waiting).toBe(1);
    expect(await slow).toBe('done');
    expect([thread.waiting, thread.isReusable]).toEqual([0, true]);
  });

  it('reports parts before its answer', async () => {
    const parts: number[] = [];
    expect(await started().ask('count', { onPart: (part) => parts.push(part) })).toBe(3);
    expect(parts).toEqual([0, 1, 2]);
  });

  it('rejects with the error of an order, and goes on', async () => {
    const thread = started();
    await expect(thread.ask('fail')).rejects.toThrow('not possible');
    expect(await thread.ask('echo')).toBe('echo');
  });

  it('takes over memory that is handed over, and hands over that of its answer', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(await started().ask(bytes, { handedOver: [bytes.buffer] })).toEqual(new Uint8Array([2, 3, 4]));
    expect(bytes.length).toBe(0);
  });

  it('rejects with the reason of an order that is no longer wanted, and may not be leased again', async () => {
    const thread = started();
    const gone = new AbortController();
    const hanging = thread.ask('hang', { gone: gone.signal });
    gone.abort(new Error('gone'));
    await expect(hanging).rejects.toThrow('gone');
    expect([thread.waiting, thread.isReusable]).toEqual([0, false]);
    await expect(thread.ask('echo', { gone: gone.signal })).rejects.toThrow('gone');
  });

  it('stops sliced work that is no longer wanted', async () => {
    const thread = started();
    const gone = new AbortController();
    const endless = thread.ask('spin', { gone: gone.signal });
    await thread.ready;
    gone.abort(new Error('gone'));
    await expect(endless).rejects.toThrow('gone');
    expect(await thread.ask('echo')).toBe('echo');
  });

  it('takes unanswered orders along when it ends, and answers no further one', async () => {
    const thread = started();
    const orders = [thread.ask('hang'), thread.ask('exit')];
    for (const order of orders) await expect(order).rejects.toThrow(WorkerEnded);
    await thread.ended;
    expect(thread.hasEnded).toBe(true);
    await expect(thread.ask('echo')).rejects.toThrow(WorkerEnded);
  });

  it('rejects unanswered orders when it is closed', async () => {
    const thread = started();
    const hanging = thread.ask('hang');
    const rejected = expect(hanging).rejects.toThrow(WorkerEnded);
    await thread.close();
    await rejected;
  });

  it('ends beyond its heap limit, and says so', async () => {
    const error = await started({ heapMegabytes: 16 })
      .ask('memory')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkerEnded);
    expect((error as WorkerEnded).isOutOfMemory).toBe(true);
  });

  it('is ready once its modules are loaded, and never if it ends before', async () => {
    await started().ready;
    const broken = started({ file: new URL('data:text/javascript,throw new Error("broken")') });
    await expect(broken.ready).rejects.toThrow(WorkerEnded);
  });
});

describe('A pool of worker threads', () => {
  const pool = (options: { max?: number; maxIdle?: number } = {}) =>
    new WorkerPool({ start: () => started(), ...options });

  it('gives the thread with the fewest orders, and starts a further one only while all are busy', async () => {
    const shared = pool({ max: 2 });
    const first = shared.next();
    expect(shared.next()).toBe(first);
    const busy = [first.ask('hang').catch(() => undefined)];
    const second = shared.next();
    expect(second).not.toBe(first);
    busy.push(
      second.ask('hang').catch(() => undefined),
      second.ask('hang').catch(() => undefined),
    );
    expect(shared.next()).toBe(first);
    await shared.close();
    await Promise.all(busy);
  });

  it('replaces a thread that has ended', async () => {
    const shared = pool();
    const first = shared.next();
    await expect(first.ask('exit')).rejects.toThrow(WorkerEnded);
    await first.ended;
    expect(shared.next()).not.toBe(first);
    expect(await shared.next().ask('echo')).toBe('echo');
  });

  it('keeps leased threads for the next lease, as many as may be idle', async () => {
    const leased = pool({ maxIdle: 1 });
    const one = leased.lease();
    const other = leased.lease();
    expect(one.thread).not.toBe(other.thread);
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    expect([one.thread.hasEnded, other.thread.hasEnded]).toEqual([false, true]);
    await using next = leased.lease();
    expect(next.thread).toBe(one.thread);
  });

  it('ends a leased thread that may still be at an order', async () => {
    const leased = pool({ maxIdle: 1 });
    const lease = leased.lease();
    const gone = new AbortController();
    const hanging = lease.thread.ask('hang', { gone: gone.signal });
    gone.abort(new Error('gone'));
    await expect(hanging).rejects.toThrow('gone');
    await lease[Symbol.asyncDispose]();
    expect(lease.thread.hasEnded).toBe(true);
  });

  it('ends all threads when it is closed, leased ones included', async () => {
    const both = pool({ maxIdle: 1 });
    const lease = both.lease();
    const shared = both.next();
    await both.close();
    await lease[Symbol.asyncDispose]();
    expect([lease.thread.hasEnded, shared.hasEnded]).toEqual([true, true]);
  });
});
