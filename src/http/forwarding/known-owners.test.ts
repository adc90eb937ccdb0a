// How long the owner of a query is remembered.

import { expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { KnownOwners } from './known-owners.ts';

it('The owner of a query is read once in ten seconds, and one that is not there each time', async () => {
  const clock = new ManualClock('2026-11-17T00:00:00Z');
  const rows = new Map([[7, 'n1']]);
  const asked: number[] = [];
  const owners = new KnownOwners({
    clock,
    async read(id) {
      asked.push(id);
      return rows.get(id);
    },
  });
  expect([await owners.find(7), await owners.find(7), await owners.find(8)]).toEqual(['n1', 'n1', undefined]);
  rows.set(8, 'n2').delete(7);
  clock.advance({ milliseconds: 9999 });
  expect([await owners.find(7), await owners.find(8)]).toEqual(['n1', 'n2']);
  clock.advance({ milliseconds: 1 });
  expect([await owners.find(7), await owners.find(7)]).toEqual([undefined, undefined]);
  expect(asked).toEqual([7, 8, 8, 7, 7]);
});
