import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from './event-loop.ts';
import { Semaphore } from './semaphore.ts';

function requests(semaphore: Semaphore) {
  const granted: string[] = [];
  const permits = new Map<string, Disposable>();
  return {
    granted,
    async request(name: string, signal?: AbortSignal): Promise<void> {
      semaphore.acquire(signal).then(
        (permit) => {
          granted.push(name);
          permits.set(name, permit);
        },
        (reason) => granted.push(`${name} ${reason}`),
      );
      await yieldToEventLoop();
    },
    async release(name: string): Promise<void> {
      permits.get(name)?.[Symbol.dispose]();
      await yieldToEventLoop();
    },
  };
}

describe('A semaphore', () => {
  it('grants its permits, and each released one to the oldest waiter', async () => {
    const { granted, request, release } = requests(new Semaphore(2));
    for (const name of ['a', 'b', 'c', 'd']) await request(name);
    expect(granted).toEqual(['a', 'b']);
    await release('b');
    await release('a');
    expect(granted).toEqual(['a', 'b', 'c', 'd']);
    await release('c');
    await request('e');
    expect(granted.at(-1)).toBe('e');
  });

  it('skips a waiter that gave up, and loses no permit', async () => {
    const { granted, request, release } = requests(new Semaphore(1));
    const giveUp = new AbortController();
    await request('a');
    await request('b', giveUp.signal);
    await request('c');
    giveUp.abort('gave up');
    await release('a');
    expect(granted).toEqual(['a', 'b gave up', 'c']);
    await release('c');
    await request('d');
    expect(granted.at(-1)).toBe('d');
  });

  it('grants nothing to an aborted request', async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.acquire(AbortSignal.abort('late'))).rejects.toBe('late');
    using _ = await semaphore.acquire();
  });
});
