import { expect, it } from 'vitest';
import { present } from './present.ts';

it('Values that are absent or empty are left out', () => {
  expect(present({ a: '', b: undefined, c: [], d: 0, e: false, f: ['x'], g: ' ', h: null })).toEqual({
    d: 0,
    e: false,
    f: ['x'],
    g: ' ',
    h: null,
  });
});
