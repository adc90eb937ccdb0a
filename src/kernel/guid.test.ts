import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGuid, newGuid } from './guid.ts';

describe('A GUID', () => {
  it('is 8-4-4-4-12 hexadecimal digits of any case', () => {
    fc.assert(fc.property(fc.uuid(), (guid) => isGuid(guid) && isGuid(guid.toUpperCase())));
    expect(isGuid('00000000-0000-0000-0000-000000000000')).toBe(true);
    expect(isGuid('ffffffff-FFFF-ffff-FFFF-ffffffffffff')).toBe(true);
  });

  it.each([
    '',
    '0000000-0000-0000-0000-000000000000',
    '00000000-0000-0000-0000-0000000000000',
    '{00000000-0000-0000-0000-000000000000}',
    '00000000000000000000000000000000',
    '00000000-0000-0000-0000-00000000000g',
    ' 00000000-0000-0000-0000-000000000000',
    '00000000-0000-0000-0000-000000000000\n',
    '００000000-0000-0000-0000-000000000000',
  ])('is not %j', (text) => expect(isGuid(text)).toBe(false));

  it('is new every time, in lower case', () => {
    const made = new Set(Array.from({ length: 1000 }, newGuid));
    expect(made.size).toBe(1000);
    for (const guid of made) expect(isGuid(guid) && guid === guid.toLowerCase()).toBe(true);
  });
});
