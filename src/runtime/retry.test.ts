import { describe, expect, it } from 'vitest';
import type { Clock } from '#kernel/time/clock.ts';
import { retry, sameDelay } from './retry.ts';

/** A clock that notes how long it would have slept. */
function notingClock(onSleep: () => void = () => undefined) {
  const slept: number[] = [];
  const clock: Pick<Clock, 'sleep'> = {
    async sleep(length) {
      slept.push(length.total('milliseconds'));
      onSleep();
    },
  };
  // No other member is used.
  return { slept, clock: clock as Clock };
}

/** Fails so many times, then returns the number of attempts. */
function failing(times: number) {
  let attempts = 0;
  return async () => {
    attempts += 1;
    if (attempts <= times) throw new Error(`failure ${attempts}`);
    return attempts;
  };
}

describe('retry', () => {
  it('resolves with the first attempt that succeeds, after the delays in their order', async () => {
    const { clock, slept } = notingClock();
    expect(await retry(failing(2), { clock, delays: { ms: [10, 20, 40] } })).toBe(3);
    expect(slept).toEqual([10, 20]);
  });

  it('rejects with the last error once no delay is left', async () => {
    const { clock, slept } = notingClock();
    await expect(retry(failing(5), { clock, delays: { ms: [10, 20] } })).rejects.toThrow('failure 3');
    expect(slept).toEqual([10, 20]);
  });

  it('repeats the last delay where the delays are endless', async () => {
    const { clock, slept } = notingClock();
    expect(await retry(failing(4), { clock, delays: { ms: [10, 20], isEndless: true } })).toBe(5);
    expect(slept).toEqual([10, 20, 20, 20]);
  });

  it('waits for no timer where the delay is zero', async () => {
    const { clock, slept } = notingClock();
    expect(await retry(failing(3), { clock, delays: sameDelay(0, 3) })).toBe(4);
    expect(slept).toEqual([]);
  });

  it('rejects at once with an error that is not worth a further attempt', async () => {
    const { clock, slept } = notingClock();
    const mayRetry = (error: unknown) => error instanceof Error && error.message === 'failure 1';
    await expect(retry(failing(3), { clock, delays: sameDelay(10), mayRetry })).rejects.toThrow('failure 2');
    expect(slept).toEqual([10]);
  });

  it('does not ask about the error of the last attempt', async () => {
    const asked: unknown[] = [];
    const mayRetry = (error: unknown) => asked.push(error) > 0;
    await expect(retry(failing(3), { clock: notingClock().clock, delays: { ms: [10] }, mayRetry })).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });

  it('reports each failed attempt, the last one too', async () => {
    const reported: string[] = [];
    const failed = (error: unknown) => void reported.push(String(error));
    const { clock } = notingClock();
    await expect(retry(failing(3), { clock, delays: { ms: [10] }, failed })).rejects.toThrow();
    expect(reported).toEqual(['Error: failure 1', 'Error: failure 2']);
  });

  it('begins again with the first delay after progress', async () => {
    const { clock, slept } = notingClock();
    let attempts = 0;
    const done = retry(
      async ({ startOver }) => {
        attempts += 1;
        if (attempts === 3) startOver();
        if (attempts < 5) throw new Error('lost');
      },
      { clock, delays: { ms: [10, 20] } },
    );
    await done;
    expect(slept).toEqual([10, 20, 10, 20]);
  });

  it('makes the first attempt under an aborted signal, and no further one', async () => {
    const signal = AbortSignal.abort();
    const { clock } = notingClock();
    expect(await retry(failing(0), { clock, delays: sameDelay(10), signal })).toBe(1);
    await expect(retry(failing(3), { clock, delays: sameDelay(10), signal })).rejects.toThrow('failure 1');
  });

  it('rejects with the last error when the signal is aborted during a delay', async () => {
    const stopping = new AbortController();
    const { clock, slept } = notingClock(() => stopping.abort());
    const options = { clock, delays: sameDelay(10), signal: stopping.signal };
    await expect(retry(failing(3), options)).rejects.toThrow('failure 1');
    expect(slept).toEqual([10]);
  });
});
