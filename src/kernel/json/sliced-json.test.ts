import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonLimits, MalformedJson, TooManyValues } from './json-form.ts';
import { parseExactly } from './parse-json.ts';
import { parseSliced } from './sliced-json.ts';

const LIMITS: JsonLimits = { depth: 100, values: 1_000_000 };

function parsed(text: string, limits = LIMITS) {
  const steps = parseSliced(text, limits);
  for (let slices = 0; ; slices += 1) {
    const step = steps.next();
    if (step.done) return { value: step.value, slices };
  }
}

describe('JSON in slices', () => {
  it('gives the same value as JSON.parse, in any layout', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' ', '\n\t '), (text, blanks) => {
        const spaced = text.replaceAll(/[{}[\],:](?=(?:[^"\\]|\\.|"(?:[^"\\]|\\.)*")*$)/g, `${blanks}$&${blanks}`);
        expect(parsed(spaced).value).toEqual(parseExactly(spaced));
      }),
    );
  });

  it('refuses all texts that JSON.parse refuses', () => {
    const mutated = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', '\\', ',', '{', ']', '-', '0', 'e', '\u0001'),
    );
    fc.assert(
      fc.property(mutated, ([text, offset, char]) => {
        const at = offset % (text.length + 1);
        const wrong = text.slice(0, at) + char + text.slice(at + 1);
        const outcome = (read: () => unknown) => {
          try {
            return JSON.stringify(read());
          } catch {
            return 'refused';
          }
        };
        const expected = outcome(() => parseExactly(wrong));
        // What JSON allows and no database holds is refused beside it.
        if (!/\\u(?:0000|d[89a-f])/i.test(wrong)) expect(outcome(() => parsed(wrong).value)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '{"a":"\\u12"}',
    '"\\ud800"',
    '"a\\u0000"',
    '[1,]',
    '{"a":1,}',
    '{,}',
    '01',
    '1.',
    '-',
    '1e',
    'nul',
    '"',
    '',
  ])('refuses %s', (text) => {
    expect(() => parsed(text)).toThrow(MalformedJson);
  });

  it('refuses names that V8 cannot hash, at every depth', () => {
    const longest = 'n'.repeat(16_383);
    const longer = 'n'.repeat(16_384);
    expect(Object.keys(parsed(`{"${longest}":{"${longest}":1}}`).value as object)).toHaveLength(1);
    for (const text of [`{"${longer}":1}`, `[{"a":{"${longer}":1}}]`])
      expect(() => parsed(text)).toThrow(MalformedJson);
  });

  it('keeps long strings whole, with escapes at the ends of slices', () => {
    for (const written of ['\\"', '\\\\', '\\u0041', '\\ud83d\\ude00', 'x']) {
      const text = `"${'a'.repeat(7)}${written.repeat(50_000)}"`;
      const { value, slices } = parsed(text);
      expect(value).toBe(JSON.parse(text));
      if (text.length > 70_000) expect(slices).toBeGreaterThan(0);
    }
  });

  it.each([
    ['digits', '7'.repeat(1_000_000)],
    ['a fraction', `-0.${'0'.repeat(500_000)}${'3'.repeat(500_000)}`],
    [
      'a whole part, a fraction and an exponent',
      `${'1'.repeat(300_000)}.${'2'.repeat(300_000)}e-${'0'.repeat(300_000)}299000`,
    ],
  ])('reads a number of %s in slices', (_, text) => {
    const { value, slices } = parsed(`[1,${text} ,2]`);
    expect(JSON.stringify(value)).toBe(JSON.stringify(parseExactly(`[1,${text},2]`)));
    expect(slices).toBeGreaterThan(10);
    expect(() => parsed(`[${text}.]`)).toThrow(MalformedJson);
    expect(() => parsed(`[${text}`)).toThrow(MalformedJson);
  });

  it('keeps the name that would be a prototype', () => {
    expect(JSON.stringify(parsed('{"__proto__":{"a":1},"b":2}').value)).toBe('{"__proto__":{"a":1},"b":2}');
  });

  it('is limited in depth and in the number of values', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parsed(nested(100)).value).toEqual(JSON.parse(nested(100)));
    expect(() => parsed(nested(101))).toThrow(MalformedJson);
    const few = { depth: 100, values: 3 };
    expect(parsed('{"a":[1,2]}', few).value).toEqual({ a: [1, 2] });
    expect(() => parsed('{"a":[1,2,3]}', few)).toThrow(TooManyValues);
  });

  it('reports each member, repeated ones too, with the text of a number', () => {
    const told: unknown[] = [];
    const steps = parseSliced('{"a":1.0,"a":[2],"b":"x"}', LIMITS, (...member) => told.push(member));
    while (!steps.next().done);
    expect(told).toEqual([
      ['a', 1, '1.0'],
      ['a', [2], undefined],
      ['b', 'x', undefined],
    ]);
  });
});
