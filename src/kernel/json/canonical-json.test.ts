import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type Json } from './canonical-json.ts';

const json = fc.jsonValue() as fc.Arbitrary<Json>;

describe('Canonical JSON', () => {
  it.each([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ '9': 1, '10': 2, a: 3, A: 4 }, '{"10":2,"9":1,"A":4,"a":3}'],
    [{ é: 1, z: 2, 한: 3, '😀': 4, '\uffff': 5 }, '{"z":2,"é":1,"한":3,"😀":4,"\uffff":5}'],
    [[{ b: [], a: {} }, null, true, 1.5, -0, 'x'], '[{"a":{},"b":[]},null,true,1.5,0,"x"]'],
    ['line\n"quote" \\ / \u2028', '"line\\n\\"quote\\" \\\\ / \u2028"'],
    [1e21, '1e+21'],
    [JSON.parse('{"__proto__":1,"b":{"constructor":2}}'), '{"__proto__":1,"b":{"constructor":2}}'],
  ])('of %j is %s', (value, text) => expect(canonicalJson(value as Json)).toBe(text));

  it('is JSON of the same value, without a blank between its parts', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(text.length).toBe(JSON.stringify(value).length);
      }),
    );
  });

  it('does not depend on the order in which members were given', () => {
    const members = fc.uniqueArray(fc.tuple(fc.string(), json), { selector: ([key]) => key, maxLength: 8 });
    fc.assert(
      fc.property(members, fc.func(fc.integer()), (raw, weigh) => {
        const shuffled = raw.toSorted((a, b) => weigh(a[0]) - weigh(b[0]));
        expect(canonicalJson(Object.fromEntries(shuffled))).toBe(canonicalJson(Object.fromEntries(raw)));
      }),
    );
  });

  it('differs where the value differs', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const isSame = canonicalJson(one) === canonicalJson(other);
        const parsed = [one, other].map((value) => JSON.parse(JSON.stringify(value)));
        if (isSame) expect(parsed[0]).toEqual(parsed[1]);
      }),
    );
  });
});
