// How much runs at once.

import { describe, expect, it } from 'vitest';
import { createLimiter } from './limiter.ts';

describe('A limiter', () => {
  it('runs few works at once, and a failed one lets the next begin', async () => {
    const limiter = createLimiter(2);
    let running = 0;
    let most = 0;
    const run = (fails: boolean) =>
      limiter(async () => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        if (fails) throw new Error('failed');
      });
    const ends = await Promise.allSettled([false, true, false, true, false].map(run));
    expect([most, ends.map(({ status }) => status === 'rejected')]).toEqual([2, [false, true, false, true, false]]);
    await expect(limiter(async () => 'again')).resolves.toBe('again');
  });
});
