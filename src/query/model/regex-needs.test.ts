import { describe, expect, it } from 'vitest';
import { neededTexts } from './regex-needs.ts';

const plain = (...texts: string[]) => texts.map((text) => ({ text, ignoresCase: false }));
const folded = (...texts: string[]) => texts.map((text) => ({ text, ignoresCase: true }));

const cases: readonly (readonly [string, ReturnType<typeof neededTexts>])[] = [
  ['failed', plain('failed')],
  ['^failed for root$', plain('failed for root')],
  ['root|admin', plain('root', 'admin')],
  ['user=(root|admin) failed', plain(' failed')],
  ['(root|administrator)x', plain('root', 'administrator')],
  ['(?i)Login.*FAILED', folded('failed')],
  ['(?is)a.b|SELECT\\s', folded('a', 'select')],
  ['(?i)naïve', folded('na')],
  ['ab+c', plain('ab')],
  ['ab*cd', plain('cd')],
  ['ab?', plain('a')],
  ['a{0,3}bc', plain('bc')],
  ['a{2}bc', plain('bc')],
  ['(?:optional)?x', plain('x')],
  ['(needed)+x', plain('needed')],
  ['\\.exe\\b', plain('.exe')],
  ['\\d+ \\pL\\x{41}\\x41z', plain(' ')],
  ['[|)(]xyz[]a]', plain('xyz')],
  ['[[:alpha:]]abc', plain('abc')],
  ['a|', undefined],
  ['(a|)', undefined],
  ['.*', undefined],
  ['', undefined],
  ['\\Qa|b\\E', undefined],
  ['(?i:abc)def', plain('def')],
  ['ab(?i)cd', undefined],
  ['(?P<name>abcd)e', plain('abcd')],
  ['{x}', plain('{x}')],
  ['😀+ok', plain('😀')],
];

describe('Texts that a regular expression needs', () => {
  it.each(cases)('%s', (pattern, needed) => {
    expect(neededTexts(pattern)).toEqual(needed);
  });
});
