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
