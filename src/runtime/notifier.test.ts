import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from './event-loop.ts';
import { Notifier } from './notifier.ts';

function waiters(notifier: Notifier) {
  const woken: string[] = [];
  const wait = (name: string, until?: AbortSignal) => notifier.wait(until).then(() => woken.push(name));
  return { woken, wait };
}

describe('A notifier', () => {
  it('wakes all waiters at once, each time', async () => {
    const notifier = new Notifier();
    const { woken, wait } = waiters(notifier);
    const both = [wait('a'), wait('b')];
    await yieldToEventLoop();
    expect(woken).toEqual([]);
    notifier.notify();
    await Promise.all(both);
    const again = wait('c');
    notifier.notify();
    await again;
    expect(woken).toEqual(['a', 'b', 'c']);
  });

  it('does not keep a notification for later waiters', async () => {
    const notifier = new Notifier();
    const { woken, wait } = waiters(notifier);
    notifier.notify();
    const waiting = wait('a');
    await yieldToEventLoop();
    expect(woken).toEqual([]);
    notifier.notify();
    await waiting;
  });

  it('ends the wait of an aborted waiter and of no other', async () => {
    const notifier = new Notifier();
    const { woken, wait } = waiters(notifier);
    const giveUp = new AbortController();
    const first = wait('a', giveUp.signal);
    const second = wait('b');
    giveUp.abort();
    await first;
    await yieldToEventLoop();
    expect(woken).toEqual(['a']);
    await wait('c', AbortSignal.abort());
    notifier.notify();
    await second;
    expect(woken).toEqual(['a', 'c', 'b']);
  });
});
