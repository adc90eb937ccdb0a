import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '#contract/errors.ts';
import { NumberText, type RawValue } from '#operations/requests/raw-params.ts';
import * as params from './params.ts';
import { futureTime, time } from './time-params.ts';

const { int, long, text, guid, guids, codes, words, addresses } = params;
const { flag, oneOf, required, orElse, anyText } = params;

const NOW = Temporal.Instant.from('2024-03-01T00:00:00Z');
const CONTEXT = { now: NOW, maxGuids: 5 };

/** What a reader makes of `given`: its value, or the message of its complaint. Anything else it throws is a defect. */
function reading(
  reader: params.Reader<unknown>,
  ...raw: readonly RawValue[]
): { value: unknown } | { complaint: string } {
  try {
    return { value: reader.read(raw, 'p', CONTEXT) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).toBe(400);
    return { complaint: error.message };
  }
}

const anyInteger = fc.oneof(
  fc.bigInt(),
  fc.bigInt({ min: -(2n ** 33n), max: 2n ** 33n }),
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }),
  fc.constantFrom(0n, -1n, 2n ** 31n - 1n, 2n ** 31n, -(2n ** 63n), -(2n ** 63n) - 1n, 2n ** 63n - 1n, 2n ** 63n),
);
/** Zeros in front do not matter; a form gives text, a JSON body a number. */
const written = fc.tuple(anyInteger, fc.nat({ max: 50 }), fc.boolean()).map(([value, zeros, isNumber]) => {
  const digits = `${value < 0n ? '-' : ''}${'0'.repeat(zeros)}${value < 0n ? -value : value}`;
  return { value, given: isNumber ? new NumberText(digits) : digits };
});

describe('Integers of any size and sign', () => {
  it('are held against the range of a 32-bit parameter', () => {
    const range = fc
      .tuple(fc.integer(), fc.integer())
      .map(([a, b]) => [BigInt(Math.min(a, b)), BigInt(Math.max(a, b))]);
    fc.assert(
      fc.property(written, range, ({ value, given: raw }, [least = 0n, most = 0n]) => {
        const expected =
          value < least
            ? { complaint: `'p' must be greater than or equal to ${least}.` }
            : value > most
              ? { complaint: `'p' must be less than or equal to ${most}.` }
              : { value: Number(value) };
        expect(reading(int(least, most), raw)).toEqual(expected);
      }),
    );
  });

  it('of a 64-bit parameter are no integers beyond 64 bits, and refused below 0', () => {
    fc.assert(
      fc.property(written, ({ value, given: raw }) => {
        const result = reading(long, raw);
        if (value !== BigInt.asIntN(64, value))
          expect(result).toEqual({ complaint: "'p' parameter should be long type" });
        else if (value < 0n) expect(result).toEqual({ complaint: "'p' must be greater than or equal to 0." });
        else if (value <= Number.MAX_SAFE_INTEGER) expect(result).toEqual({ value: Number(value) });
        else expect(result).toHaveProperty('value');
      }),
    );
  });

  it('are decimal digits with at most one minus sign', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (raw) => {
        fc.pre(raw !== '' && !/^-?[0-9]+$/.test(raw));
        expect(reading(int(), raw)).toEqual({ complaint: "'p' parameter should be int type" });
        expect(reading(long, raw)).toEqual({ complaint: "'p' parameter should be long type" });
      }),
    );
  });
});

describe('Texts', () => {
  it('are measured in code points', () => {
    const point = fc.constantFrom('a', '한', '😀', 'e\u0301');
    fc.assert(
      fc.property(fc.string({ unit: point, minLength: 1 }), fc.nat({ max: 12 }), (raw, most) => {
        const complaint = `'p' must be shorter than or equal to ${most} characters.`;
        expect(reading(text(most), raw)).toEqual([...raw].length > most ? { complaint } : { value: raw });
      }),
    );
  });

  it('that are GUIDs are so in any case, and kept in lower case', () => {
    const mixed = fc.tuple(fc.uuid(), fc.infiniteStream(fc.boolean())).map(([value, upper]) => {
      const flips = upper[Symbol.iterator]();
      return [...value].map((digit) => (flips.next().value ? digit.toUpperCase() : digit)).join('');
    });
    fc.assert(
      fc.property(mixed, (raw) => {
        expect(reading(guid, raw)).toEqual({ value: raw.toLowerCase() });
      }),
    );
    const shape = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-fA-F-]{35,37}$/)), (raw) => {
        fc.pre(raw !== '' && !shape.test(raw));
        expect(reading(guid, raw)).toEqual({ complaint: 'p should be guid type.' });
      }),
    );
  });
});

describe('Lists', () => {
  const item = fc.stringMatching(/^[a-z가-힣 ]*[a-z가-힣][a-z가-힣 ]*$/);

  it('are the same by commas, as a JSON array and by repetition', () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1 }), fc.nat({ max: 3 }), (items, blanks) => {
        const expected = { value: items.map((one) => one.trim()) };
        const padding = ' '.repeat(blanks);
        expect(reading(words, items.map((one) => `${padding}${one}${padding}`).join(',,'))).toEqual(expected);
        expect(reading(words, items)).toEqual(expected);
        expect(reading(words, ...items)).toEqual(expected);
      }),
    );
  });

  it('have as many GUIDs or codes as allowed', () => {
    const one = '00000000-0000-4000-8000-000000000000';
    const many = (count: number) => Array.from({ length: count }, () => one);
    expect(reading(guids, many(5).join(','))).toEqual({ value: many(5) });
    const complaint = "'p' must be less than or equal to 5 items.";
    expect(reading(guids, many(6).join(','))).toEqual({ complaint });
    expect(reading(guids, ...many(6))).toEqual({ complaint });
    expect(reading(guids, [...many(5), 'no guid'])).toEqual({ complaint });
    expect(reading(codes, 'a,b,c,d,e')).toEqual({ value: ['a', 'b', 'c', 'd', 'e'] });
    expect(reading(codes, 'a,b,c,d,e,f')).toEqual({ complaint });
    expect(reading(words, 'a,b,c,d,e,f')).toEqual({ value: ['a', 'b', 'c', 'd', 'e', 'f'] });
  });
});

const READERS: readonly (readonly [name: string, reader: params.Reader<unknown>])[] = [
  ['int', int()],
  ['long', long],
  ['text', text(10)],
  ['anyText', anyText],
  ['guid', guid],
  ['guids', guids],
  ['words', words],
  ['addresses', addresses],
  ['flag', flag],
  ['oneOf', oneOf(['a', 'b'])],
  ['time', time],
  ['futureTime', futureTime],
];

describe('A reader', () => {
  const anyRawValue: fc.Arbitrary<RawValue> = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string().map((digits) => new NumberText(digits)),
    fc.double().map((number) => new NumberText(String(number))),
    fc.boolean(),
    fc.array(fc.jsonValue()) as fc.Arbitrary<RawValue>,
    fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }) as fc.Arbitrary<RawValue>,
    fc.constantFrom<RawValue>('__proto__', 'constructor', 'toString', '', ' ', ',', { toString: 1, valueOf: 1 }, [
      { toString: 1 },
    ]),
  );

  it.each(READERS)('%s gives a value or an ApiError, whatever it is given', (_, reader) => {
    fc.assert(
      fc.property(fc.array(anyRawValue, { maxLength: 3 }), (raw) => {
        reading(reader, ...raw);
        reading(required(reader), ...raw);
      }),
    );
  });

  it.each(READERS)('%s takes nothing, and an empty text, for absent', (_, reader) => {
    for (const raw of [[], ['']]) {
      expect(reading(reader, ...raw)).toEqual({ value: undefined });
      expect(reading(orElse(reader, 'default'), ...raw)).toEqual({ value: 'default' });
      expect(reading(required(reader), ...raw)).toEqual({ complaint: 'p should be not null' });
    }
  });

  it.each(READERS.filter(([name]) => !['guids', 'words', 'addresses'].includes(name)))(
    '%s, which is no list, is given once',
    (_, reader) => {
      fc.assert(
        fc.property(fc.array(anyRawValue, { minLength: 2, maxLength: 3 }), (raw) => {
          expect(reading(reader, ...raw)).toEqual({ complaint: "'p' is given twice." });
        }),
      );
    },
  );

  it('of booleans reads true and false, as text or value, and nothing else', () => {
    const values: [RawValue, boolean][] = [
      ['true', true],
      ['TRUE', true],
      ['False', false],
      ['false', false],
      [true, true],
      [false, false],
    ];
    for (const [raw, value] of values) expect(reading(flag, raw)).toEqual({ value });
    for (const raw of ['truer', '1', '0', 'yes', 'on', ' true', new NumberText('1'), [true]]) {
      expect(reading(flag, raw)).toEqual({ complaint: 'p should be boolean type' });
    }
  });

  it('of a closed set takes its members in exactly their case', () => {
    const reader = oneOf(['skip', 'force']);
    expect(reading(reader, 'force')).toEqual({ value: 'force' });
    for (const raw of ['Force', 'skip ', 'toString', 'skip,force']) {
      expect(reading(reader, raw)).toEqual({ complaint: "p value must be one of 'skip', 'force'." });
    }
  });
});
