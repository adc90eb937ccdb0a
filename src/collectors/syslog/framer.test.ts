import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Framer, type Framing } from './framer.ts';

interface Told {
  readonly messages: readonly (readonly [text: string, isCut: boolean])[];
  readonly isWellFormed: boolean;
  readonly heldBytes: number;
}

function told(framing: Framing | undefined, chunks: readonly string[], mostBytes = 1000, budget = 1000): Told {
  const messages: [string, boolean][] = [];
  let heldBytes = 0;
  const framer = new Framer(framing, mostBytes, {
    message: (bytes, isCut) => messages.push([bytes.toString(), isCut]),
    hold(bytes) {
      if (heldBytes + bytes > budget) return false;
      heldBytes += bytes;
      return true;
    },
    release(bytes) {
      heldBytes -= bytes;
    },
  });
  const isWellFormed = chunks.every((chunk) => framer.push(Buffer.from(chunk)));
  framer.end();
  return { messages, isWellFormed, heldBytes };
}

const whole = (...texts: string[]) => texts.map((text) => [text, false]);

const CASES: readonly [Framing | undefined, string, unknown[]][] = [
  ['newline', '<1>a\n<2>b\n', whole('<1>a', '<2>b')],
  ['newline', '5 <1>a\n', whole('5 <1>a')],
  ['newline', '\n\n<1>a\n\n', whole('<1>a')],
  ['newline', '<1>a\n<2>no end', whole('<1>a', '<2>no end')],
  ['octet-count', '4 <1>a5 <2>bb', whole('<1>a', '<2>bb')],
  ['octet-count', '6 <1>a\nb4 <2>b', whole('<1>a\nb', '<2>b')],
  ['octet-count', '4 {"a"', whole('{"a"')],
  ['octet-count', '9 <1>cut', whole('<1>cut')],
  ['octet-count', '12', whole('12')],
  [undefined, '<1>a\n4 <2>b<3>c\n', whole('<1>a', '<2>b', '<3>c')],
  [undefined, '4 <2>b\n4 <2>c\n', whole('<2>b', '<2>c')],
  [undefined, '2024 was a year\n', whole('2024 was a year')],
  [undefined, '007 <1>agent\n', whole('007 <1>agent')],
  [undefined, '12345678901 <1>x\n', whole('12345678901 <1>x')],
  [undefined, '{"a":1}\n\0\n', whole('{"a":1}')],
  [undefined, '<1>a\0<1>b\0\n4 <1>c<1>d\0', whole('<1>a', '<1>b', '<1>c', '<1>d')],
  ['newline', 'a\0b\n\0c', whole('a', 'b', 'c')],
  [undefined, '7 ', whole('7 ')],
];

describe('Frames of a connection', () => {
  it.each(CASES)('with framing %s make of %j', (framing, text, messages) => {
    expect(told(framing, [text])).toEqual({ messages, isWellFormed: true, heldBytes: 0 });
  });

  it.each(CASES)('with framing %s make the same of %j, byte by byte', (framing, text, messages) => {
    expect(told(framing, [...text])).toEqual({ messages, isWellFormed: true, heldBytes: 0 });
  });

  it('are the same however the bytes are cut into chunks', () => {
    const pieces = fc.constantFrom(
      '<1>a',
      '\n',
      '5 <1>bb',
      '12 ',
      '7',
      ' ',
      '3 <1>',
      '\0',
      '{"a":1}\n',
      'x'.repeat(40),
    );
    const framing = fc.constantFrom('newline' as const, 'octet-count' as const, undefined);
    fc.assert(
      fc.property(framing, fc.array(pieces, { maxLength: 12 }), fc.array(fc.nat(9)), (kind, deps, lengths) => {
        const text = deps.join('');
        const chunks = lengths.reduce<readonly string[]>(
          (done, length) => [
            ...done.slice(0, -1),
            done.at(-1)?.slice(0, length) ?? '',
            done.at(-1)?.slice(length) ?? '',
          ],
          [text],
        );
        const whole = told(kind, [text], 30);
        const cut = told(kind, chunks, 30);
        expect(cut.heldBytes).toBe(0);
        // What cannot be framed is told as far as it came.
        if (whole.isWellFormed) expect(cut).toEqual(whole);
        else expect(cut.isWellFormed).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('that are too long are told as far as they fit, once, and the next ones as ever', () => {
    const messages = [
      ['<1>aa', true],
      ['<2>b', false],
    ];
    for (const framing of ['newline', undefined] as const) {
      expect(told(framing, ['<1>aaaaaaaa', 'aaaaaa\n<2>b\n'], 5)).toEqual({
        messages,
        isWellFormed: true,
        heldBytes: 0,
      });
    }
    for (const framing of ['octet-count', undefined] as const) {
      expect(told(framing, ['17 <1>aaaaaaaa', 'aaaaaa4 <2>b'], 5)).toEqual({
        messages,
        isWellFormed: true,
        heldBytes: 0,
      });
    }
  });

  it('that would take more than is left for all are told as far as they came', () => {
    const { messages, heldBytes } = told('newline', ['<1>aa', 'aaaaa', 'aaaaa', '\n<2>b\n'], 1000, 7);
    expect(messages).toEqual([
      ['<1>aaaaaaa', true],
      ['<2>b', false],
    ]);
    expect(heldBytes).toBe(0);
  });

  it.each(['<1>no count at all', '0 <1>', '0123456789 <1>', '12x <1>a'])('that begin %j have no count', (text) => {
    expect(told('octet-count', [`4 <1>a${text}`])).toEqual({
      messages: whole('<1>a', text),
      isWellFormed: false,
      heldBytes: 0,
    });
  });
});
