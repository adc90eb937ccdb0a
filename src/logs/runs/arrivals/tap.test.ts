// How long a tap stays open; what windows give is in the conformance suite of engines.

import { describe, expect, it } from 'vitest';
import { NOW } from '#test/support/engine-conformance/samples.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { Tap } from './tap.ts';

describe('A window over a table', () => {
  it('lasts for as long as it says, beyond what a timer can count', async () => {
    const clock = new ManualClock(NOW);
    const tap = new Tap([]);
    let isOver = false;
    const { signal } = new AbortController();
    const arrivals = Array.fromAsync(tap.until(clock.now().add({ hours: 24 * 40 }), clock, signal)).then((all) => {
      isOver = true;
      return all;
    });
    for (let day = 0; day < 40; day += 1) {
      await new Promise((resolve) => void setImmediate(resolve));
      expect(isOver).toBe(false);
      clock.advance({ hours: 24 });
    }
    expect(await arrivals).toEqual([]);
  });
});
