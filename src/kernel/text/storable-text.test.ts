import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel/json/canonical-json.ts';
import { isStorableText, repairJson, repairText } from './storable-text.ts';

const unit = fc.constantFrom('a', '\\', 'u', '0', '"', '\0', '\ud83d', '\ude00', '😀', '\ufffd', '\\u0000', '\n');
const text = fc.string({ unit, maxLength: 12 });

/** The value whose texts are all repaired. */
function repaired(value: Json): Json {
  if (typeof value === 'string') return repairText(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(repaired);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [repairText(name), repaired(item)]));
}

describe('Text that cannot be stored', () => {
  it('is repaired to text that can, and other text stays as it is', () => {
    fc.assert(
      fc.property(text, (given) => {
        const found = repairText(given);
        expect(isStorableText(found)).toBe(true);
        expect(found.length).toBe(given.length);
        if (isStorableText(given)) expect(found).toBe(given);
      }),
    );
  });

  it('is repaired in JSON as in the value', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.array(text, { maxLength: 3 })), { maxLength: 4 }), (members) => {
        const value = Object.fromEntries(members);
        for (const source of [JSON.stringify(value), escaped(JSON.stringify(value))]) {
          expect(JSON.parse(repairJson(source))).toEqual(repaired(value));
          if (Object.entries(value).flat(2).every(isStorableText)) expect(repairJson(source)).toBe(source);
        }
      }),
    );
  });

  it('is repaired where it stands in JSON as it is', () => {
    expect(JSON.parse(repairJson('{"a\0":"\ud800\\ud83d\\ude00\\\\u0000\\uDFFF"}'))).toEqual({
      'a\ufffd': '\ufffd😀\\u0000\ufffd',
    });
  });
});

/** With an escape by number for each letter beyond ASCII. */
const escaped = (source: string): string =>
  source.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
