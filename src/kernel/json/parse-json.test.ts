import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from './canonical-json.ts';
import { hasEscapedName, parseExactly, parseJson } from './parse-json.ts';

/** Names that begin alike and differ in characters that JSON escapes. */
const name = fc.string({ unit: fc.constantFrom('a', 'n', 'u', '"', '\\', '\n', '0', '가', ':', '_'), maxLength: 4 });
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 1, 1.5),
    fc.string({ unit: fc.constantFrom('x', '"', '\\', ':', ' '), maxLength: 4 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));

describe('Names of parsed JSON', () => {
  it.each([
    ['{"_time":1,"a\\\\":2}', '{"_time":1,"a\\"":2}', ['_time', 'a"']],
    ['{"q":{"b\\\\n":1}}', '{"q":{"b\\nn" : 1}}', ['q']],
    ['{"r":1,"가\\\\":2}', '{"r":1,"가\\"":2}', ['r', '가"']],
    ['{"s":1,"\\u005c":2}', '{"s":1,"\\u0022":2}', ['s', '"']],
  ])('are those of their own text after %s', (before, text, names) => {
    parseJson(before);
    const parsed = parseJson<object>(text);
    expect(Object.keys(parsed)).toEqual(names);
    // Of names at any depth.
    expect(JSON.stringify(parsed)).toBe(
      JSON.stringify(JSON.parse(text.replaceAll(/(?<=\{|,)"/g, '"~'))).replaceAll('"~', '"'),
    );
  });

  it('are those of their own text in any sequence of texts, as are all values', () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 2, maxLength: 6 }), (values) => {
        for (const value of values) {
          const text = JSON.stringify(value);
          expect(JSON.stringify(parseJson(text))).toBe(text);
          expect(JSON.stringify(parseExactly(text))).toBe(text);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('are known to have escapes, wherever they stand and whatever is before the colon', () => {
    const escaped = ['{"\\"":1}', '{"a":[{"b\\n"\n\t :1}]}', '{"x":"\\\\","\\\\":""}', '{"\\u0061":1}'];
    const plain = ['{"a":"\\":"}', '{"a":"\\\\"}', '["\\"",":"]', '{"a":"b\\\\\\":1","c":2}', '1', '"\\n"'];
    expect(escaped.map(hasEscapedName)).toEqual(escaped.map(() => true));
    expect(plain.map(hasEscapedName)).toEqual(plain.map(() => false));
  });

  it('leave numbers, repeated names and wrong texts as JSON.parse has them', () => {
    const text = '{"\\\\":1,"n":9007199254740993,"\\u005c":2,"__proto__":3,"1":4,"e":1e400,"\\ud800":"\\u0000"}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(Object.keys(parseJson<object>(text))).toEqual(Object.keys(JSON.parse(text)));
    expect(JSON.stringify(parseExactly('{"\\"":9007199254740993}'))).toBe('{"\\"":9007199254740993}');
    for (const wrong of ['{"\\":1}', '{"\\x":1}', '{"\\"":01}', '{"\\"":1,}'])
      expect(() => parseJson(wrong)).toThrow(SyntaxError);
  });
});
