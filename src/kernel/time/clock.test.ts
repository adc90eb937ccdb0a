import { describe, expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { systemClock, withTimeout } from './clock.ts';

const duration = (milliseconds: number) => Temporal.Duration.from({ milliseconds });

describe('The clock of the machine', () => {
  it('sleeps for the given length, or until aborted', async () => {
    const begun = performance.now();
    await systemClock.sleep(duration(20));
    expect(performance.now() - begun).toBeGreaterThanOrEqual(19);
    const alarm = new AbortController();
    const woken = systemClock.sleep(duration(60_000), alarm.signal);
    alarm.abort();
    await woken;
    await systemClock.sleep(duration(60_000), alarm.signal);
  });

  it('calls the work after every period until disposed', async () => {
    let count = 0;
    const working = systemClock.every(duration(5), () => {
      count += 1;
    });
    while (count < 3) await systemClock.sleep(duration(5));
    working[Symbol.dispose]();
    const stopped = count;
    let others = 0;
    using _ = systemClock.every(duration(5), () => {
      others += 1;
    });
    await expect.poll(() => others).toBeGreaterThan(3);
    expect(count).toBe(stopped);
  });
});

describe('Work within a time', () => {
  it('gives its result', async () => {
    const clock = new ManualClock('2024-03-01T00:00:00Z');
    expect(await withTimeout(clock, duration(1000), Promise.resolve('done'), 'late')).toBe('done');
  });

  it('gives the fallback after the timeout', async () => {
    const clock = new ManualClock('2024-03-01T00:00:00Z');
    const answer = withTimeout(clock, duration(1000), new Promise<string>(() => undefined), 'late');
    clock.advance({ seconds: 1 });
    expect(await answer).toBe('late');
  });

  it('fails when the work fails', async () => {
    const clock = new ManualClock('2024-03-01T00:00:00Z');
    await expect(withTimeout(clock, duration(1000), Promise.reject(new Error('broken')), 'late')).rejects.toThrow(
      'broken',
    );
  });
});

describe('The clock of the tests', () => {
  const begun = '2024-03-01T00:00:00Z';

  it('passes to the next moment only after the work of the last one has ended', async () => {
    const clock = new ManualClock(begun);
    const order: string[] = [];
    using _ = clock.every(duration(1000), async () => {
      const at = clock.now().toString();
      order.push(`begun ${at}`);
      await systemClock.sleep(duration(5));
      order.push(`ended ${at} at ${clock.now()}`);
    });
    await clock.pass({ seconds: 2 });
    expect(order).toEqual([
      'begun 2024-03-01T00:00:01Z',
      'ended 2024-03-01T00:00:01Z at 2024-03-01T00:00:01Z',
      'begun 2024-03-01T00:00:02Z',
      'ended 2024-03-01T00:00:02Z at 2024-03-01T00:00:02Z',
    ]);
  });

  it('settles when the work that a move has started has ended, and fails with it', async () => {
    const clock = new ManualClock(begun);
    let ended = 0;
    using _ = clock.every(duration(1000), async () => {
      await systemClock.sleep(duration(5));
      ended += 1;
      if (ended === 3) throw new Error('broken');
    });
    clock.advance({ seconds: 2 });
    expect(ended).toBe(0);
    await clock.settled();
    expect(ended).toBe(2);
    await expect(clock.pass({ seconds: 1 })).rejects.toThrow('broken');
  });

  it('waits for work in progress instead of timing it out', async () => {
    const clock = new ManualClock(begun);
    const answer = withTimeout(
      clock,
      duration(1000),
      systemClock.sleep(duration(5)).then(() => 'done'),
      'late',
    );
    await clock.pass({ minutes: 1 });
    expect([await answer, clock.now().toString()]).toEqual(['done', '2024-03-01T00:01:00Z']);
  });

  it('wakes a sleeper that has come between two moments', async () => {
    const clock = new ManualClock(begun);
    const woken: string[] = [];
    const sleepThrice = async () => {
      for (const _ of [1, 2, 3]) {
        await clock.sleep(duration(400));
        woken.push(clock.now().toString());
      }
    };
    void sleepThrice();
    await clock.pass({ seconds: 1 });
    expect(woken).toEqual(['2024-03-01T00:00:00.4Z', '2024-03-01T00:00:00.8Z']);
  });

  it('says when as many sleep as are expected', async () => {
    const clock = new ManualClock(begun);
    let isAsleep = false;
    const asleep = clock.asleep({ seconds: 1 }, 2).then(() => {
      isAsleep = true;
    });
    void clock.sleep(duration(1000));
    void clock.sleep(duration(2000));
    await clock.settled();
    expect(isAsleep).toBe(false);
    void clock.sleep(duration(1000));
    await asleep;
  });
});
