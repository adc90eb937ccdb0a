import { expect, it } from 'vitest';
import { seededDice } from '#kernel/dice.ts';
import { FATES, type RecordLimits } from '#senders/decoded.ts';
import { Fates } from '#senders/fates.ts';
import { RecordLines } from '#senders/records/record-lines.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { countRejected, keptLines, rejectItems } from './table-lines.ts';

const LIMITS: RecordLimits = { bodyBytes: 64 * 1024 * 1024, bytes: 1e6, lineBytes: 1000, items: 10_000 };
const ITEMS = 3000;

it('keeps the lines whose items are kept, and counts the others, as a look at every item does', async () => {
  for (const dice of [0, 1, 2].map((further) => seededDice(FUZZ_SEED + further))) {
    const made = new RecordLines(LIMITS);
    for (let item = 0; item < ITEMS; item += 1) {
      if (dice.below(10) === 0) made.reject('invalid-time');
      else made.add(dice.below(2) === 0 ? 'web' : undefined, `{"n":${item}}`);
    }
    const decoded = made.decoded(undefined);
    const fates = new Fates(decoded);
    const seen = Array.from(decoded.fates, (fate) => FATES[fate]);
    const isSame = () => {
      expect(Array.from(seen, (_, item) => fates.of(item))).toEqual(seen);
      const first = seen.findIndex((fate) => fate !== 'kept');
      expect([fates.count, fates.rejected, fates.firstRejected]).toEqual([
        ITEMS,
        seen.filter((fate) => fate !== 'kept').length,
        first === -1 ? undefined : first,
      ]);
    };
    isSame();
    const chosen = Uint32Array.from({ length: 500 }, () => dice.below(ITEMS));
    await rejectItems(fates, chosen, 'not-kept');
    for (const item of chosen) if (seen[item] === 'kept') seen[item] = 'not-kept';
    isSame();
    for (const group of decoded.groups) {
      const kept = [...group.items].filter((item) => seen[item] === 'kept');
      expect(await countRejected(fates, group.items)).toBe(group.items.length - kept.length);
      const { lines, ends, items } = await keptLines(group, fates);
      expect([...items]).toEqual(kept);
      expect(Buffer.from(lines).toString()).toBe(kept.map((item) => `{"n":${item}}\n`).join(''));
      expect(ends.at(-1)).toBe(lines.length);
    }
  }
});

it('has no first rejected item where all are kept', async () => {
  const made = new RecordLines(LIMITS);
  made.add(undefined, '{}');
  const decoded = made.decoded(undefined);
  const fates = new Fates(decoded);
  expect([fates.rejected, fates.firstRejected]).toEqual([0, undefined]);
  const [group] = decoded.groups;
  expect(group && (await keptLines(group, fates))).toBe(group);
});
