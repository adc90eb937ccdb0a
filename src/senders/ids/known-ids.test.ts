import { expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { KnownIds } from './known-ids.ts';

it('Ids of a table that nothing comes for are forgotten after the window, with the next of another table', async () => {
  const clock = new ManualClock('2024-03-01T00:00:00Z');
  const known = new KnownIds(clock, { windowMs: 60_000, maxIds: 1000 });
  const gone = new AbortController().signal;
  const store = async (tableId: number, ids: readonly string[]) => {
    const claim = await known.claim(tableId, ids, gone);
    await claim.settle(() => true);
    return claim.ids;
  };
  await store(1, ['a', 'b', 'c']);
  expect(await store(1, ['c', 'd', 'd'])).toEqual(['known', 'free', 'repeated']);
  const before = known.bytes;
  clock.advance({ seconds: 61 });
  await store(2, ['x']);
  expect(known.bytes).toBe(before / 4);
  expect(await store(1, ['a'])).toEqual(['free']);
});

it('A full table forgets its oldest ids, and finds them behind any number of forgotten ones at once', async () => {
  const MAX_IDS = 20_000;
  const clock = new ManualClock('2024-03-01T00:00:00Z');
  const known = new KnownIds(clock, { windowMs: 60_000, maxIds: MAX_IDS });
  const gone = new AbortController().signal;
  const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => `n${from + at}`);
  const claimed = async (ids: readonly string[]) => {
    const claim = await known.claim(1, ids, gone);
    await claim.settle(() => true);
    return [claim.ids.filter((one) => one === 'free').length, claim.ids.filter((one) => one === 'known').length];
  };
  for (let from = 0; from < 3 * MAX_IDS; from += MAX_IDS / 2) {
    expect(await claimed(range(from, MAX_IDS / 2))).toEqual([MAX_IDS / 2, 0]);
  }
  expect(known.bytes).toBeLessThan(MAX_IDS * 100);
  expect(await claimed(range(2 * MAX_IDS, MAX_IDS))).toEqual([0, MAX_IDS]);
  expect(await claimed(range(2 * MAX_IDS - 1, 2))).toEqual([1, 1]);
  // Known again, and so not the oldest any more.
  clock.advance({ seconds: 61 });
  expect(await claimed([`n${2 * MAX_IDS + 1}`, 'other'])).toEqual([2, 0]);
  expect(await claimed([`n${2 * MAX_IDS + 1}`, 'other'])).toEqual([0, 2]);
});

it('Long ids take no more memory than others, and are told apart', async () => {
  const known = new KnownIds(new ManualClock('2024-03-01T00:00:00Z'), { windowMs: 60_000, maxIds: 1000 });
  const gone = new AbortController().signal;
  const ids = Array.from({ length: 100 }, (_, at) => `${'x'.repeat(500)}${at}`);
  const claim = await known.claim(1, ids, gone);
  await claim.settle(() => true);
  expect(claim.ids.every((one) => one === 'free')).toBe(true);
  expect(known.bytes).toBeLessThan(100 * 200);
  expect((await known.claim(1, [ids[7] ?? '', `${'x'.repeat(500)}new`], gone)).ids).toEqual(['known', 'free']);
});
