import { expect, it } from 'vitest';
import { type LearntColumns, NOTHING_LEARNT } from '#logs/stores/shared/columns.ts';
import type { Store } from '#store/store.ts';
import { joinedColumns, SharedColumns } from './shared-columns.ts';

const learnt = (about: Partial<LearntColumns>): LearntColumns => ({ ...NOTHING_LEARNT, ...about });

it('Columns that two places have learnt keep their numbers, and are as wide as in either', () => {
  const one = learnt({
    columns: [
      { name: 'a', type: 'BIGINT' },
      { name: 'b', type: 'VARCHAR', isMixed: true },
    ],
    others: ['x'],
  });
  const other = learnt({
    columns: [
      { name: 'a', type: 'DOUBLE' },
      { name: 'b', type: 'VARCHAR' },
      { name: 'c', type: 'BOOLEAN' },
    ],
    others: ['y', 'x'],
    hasNulls: true,
    nulls: ['z'],
  });
  const expected = {
    columns: [
      { name: 'a', type: 'DOUBLE' },
      { name: 'b', type: 'VARCHAR', isMixed: true },
      { name: 'c', type: 'BOOLEAN' },
    ],
    isCountless: false,
    hasNulls: true,
    nulls: ['z'],
  };
  expect(joinedColumns(one, other)).toEqual({ ...expected, others: ['x', 'y'] });
  expect(joinedColumns(other, one)).toEqual({ ...expected, others: ['y', 'x'] });
  const { nulls: _, ...earlier } = learnt({ hasNulls: true });
  expect(joinedColumns(one, earlier)).not.toHaveProperty('nulls');
});

/** The catalog has nothing beside what is given. */
const EMPTY = { read: async () => [] } as unknown as Store;
const named = (...names: string[]): LearntColumns =>
  learnt({ columns: names.map((name) => ({ name, type: 'VARCHAR' as const })) });

it('Columns of the catalog have the numbers of the catalog, whatever this node has learnt beside it', async () => {
  const columns = new SharedColumns(EMPTY);
  const namesIn = async (known: LearntColumns) => [...(await columns.of(1, known)).columns.keys()];
  // This node has learnt `c`, and not written it.
  const registry = await columns.of(1, named('a', 'c'));
  expect(await columns.of(1, named('a'))).toBe(registry);
  expect(await columns.of(1, named('a', 'c'))).toBe(registry);
  expect([...(await columns.renewed(1, named('a', 'b'))).columns.keys()]).toEqual(['a', 'b']);
  expect(await namesIn(named('a', 'b'))).toEqual(['a', 'b']);
  // As many, and others.
  expect(await namesIn(named('a', 'd'))).toEqual(['a', 'd']);
  // Wider than it is known.
  const wide = learnt({ columns: [{ name: 'a', type: 'VARCHAR', isMixed: true }] });
  expect((await columns.of(1, wide)).learnt.columns[0]).toMatchObject({ isMixed: true });
});
