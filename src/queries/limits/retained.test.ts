import { expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { Retained } from './retained.ts';

const seconds = (count: number) => Temporal.Duration.from({ seconds: count });

it('Rows are kept from the end or the last fetch, whichever is later, and a status from the end', () => {
  const clock = new ManualClock('2026-11-15T00:00:00Z');
  const at = (count: number) => Temporal.Instant.from('2026-11-15T00:00:00Z').add(seconds(count));
  const retained = new Retained({ clock, retention: { status: seconds(100), rows: seconds(10) } });
  const kept = (finished: number | undefined, fetched: number | undefined) => {
    const times = {
      accepted: at(0),
      ...(finished === undefined ? {} : { finished: at(finished) }),
      ...(fetched === undefined ? {} : { fetched: at(fetched) }),
    };
    return [retained.areRowsKept({ times }), retained.isStatusKept({ times })];
  };
  clock.advance(seconds(50));
  expect(kept(undefined, undefined)).toEqual([true, true]);
  expect(kept(undefined, 1)).toEqual([true, true]);
  // Fetched while it ran, long before its end.
  expect(kept(45, 1)).toEqual([true, true]);
  expect(kept(1, 45)).toEqual([true, true]);
  expect(kept(41, undefined)).toEqual([true, true]);
  expect(kept(40, 40)).toEqual([false, true]);
  clock.advance(seconds(51));
  expect(kept(1, undefined)).toEqual([false, false]);
});
