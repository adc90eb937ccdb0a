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
