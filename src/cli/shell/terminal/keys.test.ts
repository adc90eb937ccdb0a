import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Key, KeyReader } from './keys.ts';

const shown = (keys: readonly Key[]) =>
  keys.map((key) => ('name' in key ? key.name : `${key.isPasted ? 'pasted ' : ''}${JSON.stringify(key.text)}`));

describe('Keys of a terminal', () => {
  it.each<[string, string[]]>([
    ['ab한\r', ['"ab한"', 'enter']],
    ['\x1b[A\x1b[B\x1bOC\x1b[D', ['up', 'down', 'right', 'left']],
    ['\x03\x04\x12\t', ['interrupt', 'end-of-input', 'search-history', 'tab']],
    ['\x1bf\x1bb\x1b[1;5C\x1b\r', ['word-right', 'word-left', 'word-right', 'new-line']],
    ['\x1b[24~\x00a', ['unknown', 'unknown', '"a"']],
    ['\x1b[200~a\r\nb\rc\x03\x1b[201~\r', ['pasted "a\\nb\\nc\\u0003"', 'enter']],
    ['\x1b', []],
    ['\x1b\x1b[A', ['up']],
  ])('are read from what it sends: %j', (input, expected) => {
    expect(shown(new KeyReader().read(input))).toEqual(expected);
  });

  it('are the same in however many pieces they come', () => {
    const input = 'ab\x1b[A한\x1b[200~x\r\x1b[Ay\x1b[201~\x1b[1;5C\x1bOA\x1b\rz\x03';
    const letters = (keys: readonly Key[]) => shown(keys).join().replaceAll('","', '');
    const whole = letters(new KeyReader().read(input));
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: input.length })), (cuts) => {
        const offsets = [0, ...cuts.toSorted((one, other) => one - other), input.length];
        const reader = new KeyReader();
        const keys = offsets.flatMap((offset, at) => reader.read(input.slice(offset, offsets[at + 1] ?? offset)));
        expect(letters(keys)).toBe(whole);
      }),
    );
  });
});
