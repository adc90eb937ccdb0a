// The columns of a result: which there are, which are shown first, how wide they are, and where they are moved.

import { describe, expect, it } from 'vitest';
import { columnTracks, fieldsOf, initialColumns, isNumber, moved, placed } from './columns.ts';

const typed = (...names: string[]) => names.map((name) => ({ name, type: 'string' }));

describe('The fields of rows', () => {
  it('are the columns of the result first, then those that rows have besides, with their types', () => {
    const rows = [
      { b: null, c: 1.5, _time: '2026-11-16 10:00:00.000+0000' },
      { c: 'mixed', 태그: ['x'], d: null },
    ];
    expect(fieldsOf(typed('a', 'b'), rows)).toEqual([
      ...typed('a', 'b'),
      { name: 'c', type: 'double' },
      { name: '_time', type: 'date' },
      { name: '태그', type: 'list' },
    ]);
  });
});

describe('The columns that are shown first', () => {
  it('of records leave out their number, their schema, their one table, and what is empty', () => {
    const rows = [{ _table: 'w', _schema: 's', _id: 1, a: 'x', b: null, _time: 't' }];
    expect(initialColumns(typed('_table', '_schema', '_id', 'a', 'b', 'c', '_time'), rows)).toEqual(['_time', 'a']);
  });

  it('of records of several tables have the table', () => {
    const rows = [
      { _table: 'w', _id: 1 },
      { _table: 'v', _id: 1 },
    ];
    expect(initialColumns(typed('_table', '_id'), rows)).toEqual(['_table']);
  });

  it('of many records have those first in which the records differ', () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ _id: n, app: 'sshd', user: `u${n}` }));
    expect(initialColumns(fieldsOf([], many), many)).toEqual(['user', 'app']);
    const few = many.slice(0, 19);
    expect(initialColumns(fieldsOf([], few), few)).toEqual(['app', 'user']);
  });

  it('of records are twelve at most', () => {
    const names = Array.from({ length: 30 }, (_, n) => `f${n}`);
    const row = Object.fromEntries(names.map((name) => [name, 1]));
    expect(initialColumns(typed('_id', ...names), [{ _id: 1, ...row }])).toEqual(names.slice(0, 12));
  });

  it('of computed rows are all of them, the time first', () => {
    const names = ['count', ...Array.from({ length: 20 }, (_, n) => `f${n}`), '_time'];
    expect(initialColumns(typed(...names), [])).toEqual(['_time', ...names.slice(0, -1)]);
  });

  it('before any record has come are all that are declared', () => {
    expect(initialColumns(typed('_id', 'a', 'b'), [])).toEqual(['a', 'b']);
  });
});

describe('The widths of columns', () => {
  it.each([
    // The time has a fixed width; the last column takes what is left.
    [['_time', 'a'], { _time: 'date' }, [{ a: 'x' }], '27ch minmax(9ch, 1fr)'],
    // Numbers stay beside their header.
    [['a', 'n'], { n: 'long' }, [{ a: 'xxxxxxxx', n: 1 }], '11ch 9ch 1fr'],
    // Korean characters are twice as wide, and a long value is cut.
    [['a', 'b'], {}, [{ a: '한글한글', b: 'x'.repeat(100) }], '11ch minmax(47ch, 1fr)'],
    [['long_name'], {}, [], 'minmax(16ch, 1fr)'],
    [[], {}, [], ''],
  ])('of %j', (columns, types, rows, tracks) => {
    expect(columnTracks(columns, new Map(Object.entries(types)), rows)).toBe(tracks);
  });

  it('know which types are numbers', () => {
    expect(['long', 'double', 'string', undefined].map(isNumber)).toEqual([true, true, false, false]);
  });
});

describe('A column', () => {
  it.each([
    ['c', { target: 'a', isBehind: false }, ['c', 'a', 'b']],
    ['a', { target: 'b', isBehind: true }, ['b', 'a', 'c']],
    ['a', { target: 'c', isBehind: true }, ['b', 'c', 'a']],
    ['a', { target: 'a', isBehind: true }, ['a', 'b', 'c']],
    ['x', { target: 'a', isBehind: true }, ['a', 'b', 'c']],
  ])('%s dropped at %j', (name, target, columns) => {
    expect(placed(['a', 'b', 'c'], name, target)).toEqual(columns);
  });

  it.each([
    ['b', -1, ['b', 'a', 'c']],
    ['b', 1, ['a', 'c', 'b']],
    ['a', -1, ['a', 'b', 'c']],
    ['c', 1, ['a', 'b', 'c']],
    ['x', 1, ['a', 'b', 'c']],
  ] as const)('%s moved by %d', (name, step, columns) => {
    expect(moved(['a', 'b', 'c'], name, step)).toEqual(columns);
  });
});
