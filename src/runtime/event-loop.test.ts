import { describe, expect, it } from 'vitest';
import { occupyThread } from '#test/support/processor-time.ts';
import { EventLoop, SliceTimer, yieldToEventLoop } from './event-loop.ts';

/** A connection is accepted in each iteration of the event loop. */
async function acceptEach(loop: EventLoop, count: number, onAccept: () => void): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    loop.connectionAccepted();
    onAccept();
    await yieldToEventLoop();
  }
}

describe('Slots of the event loop', () => {
  it('follow in the order of the requests, each in an iteration of its own', async () => {
    const loop = new EventLoop();
    const order: string[] = [];
    const working = ['a', 'b', 'c'].map((name) => loop.nextSlot().then(() => order.push(name)));
    expect(order).toEqual([]);
    await yieldToEventLoop();
    await yieldToEventLoop();
    expect(order.length).toBeLessThan(3);
    await Promise.all(working);
    expect(order).toEqual(['a', 'b', 'c']);
  });

  it('wait for connections that are being accepted, but not for ever', async () => {
    const loop = new EventLoop();
    const order: string[] = [];
    const accepting = acceptEach(loop, 20, () => order.push('accepted'));
    const work = loop.nextSlot().then(() => order.push('work'));
    await Promise.all([accepting, work]);
    expect(order.indexOf('work')).toBeGreaterThanOrEqual(20);
    order.length = 0;
    const flood = acceptEach(loop, 2000, () => order.push('accepted'));
    await loop.nextSlot();
    expect(order.length).toBeLessThan(1000);
    await flood;
  });

  it('are given to new connections one by one, and only while connections are being accepted', async () => {
    const loop = new EventLoop();
    expect(loop.slotAfterAccepts()).toBeUndefined();
    loop.connectionAccepted();
    const order: string[] = [];
    const begun = ['a', 'b'].map((name) => loop.slotAfterAccepts()?.then(() => order.push(name)));
    expect(begun).not.toContain(undefined);
    await Promise.all(begun);
    expect(order).toEqual(['a', 'b']);
    await yieldToEventLoop();
    expect(loop.slotAfterAccepts()).toBeUndefined();
  });

  it('are as many as a piece of work needs', async () => {
    function* steps() {
      for (let at = 0; at < 3; at += 1) {
        occupyThread(5);
        yield;
      }
      return 'done';
    }
    let iterations = 0;
    const count = () => {
      iterations += 1;
      if (iterations < 100) setImmediate(count);
    };
    setImmediate(count);
    expect(await new EventLoop().runInSlots(steps())).toBe('done');
    expect(iterations).toBeGreaterThan(2);
  });
});

describe('A slice', () => {
  it('is over after its time, and the next one begins after a pause', async () => {
    const long = new SliceTimer(600_000);
    expect([long.isDue, long.yieldIfDue(), long.slotIfDue()]).toEqual([false, undefined, undefined]);
    const timer = new SliceTimer(2);
    for (const pause of [() => timer.yieldIfDue(), () => timer.slotIfDue()]) {
      while (!timer.isDue) occupyThread(1);
      let isPaused = false;
      setImmediate(() => {
        isPaused = true;
      });
      await pause();
      expect(isPaused).toBe(true);
    }
  });
});
