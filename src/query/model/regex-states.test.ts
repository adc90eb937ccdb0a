// The size limit of patterns, which is checked before any engine compiles them.

import { expect, it } from 'vitest';
import { checkPattern, MAX_STATES } from './regex.ts';

const check = (text: string) => checkPattern({ text, offset: (index) => index });

it.each([
  'a{1000}a{1000}a{1000}',
  '(.{0,30}){0,30}(.{0,30}){0,30}',
  'x'.repeat(MAX_STATES),
  '(?<g>x)?'.replace('g', 'one').concat('(y)?'.repeat(500)),
  '[a-z]'.repeat(1300),
])('%.40s may be compiled', (pattern) => {
  expect(() => check(pattern)).not.toThrow();
});

it.each([
  'a{1000}'.repeat(5),
  '(a{30}b{30}){30}(a{30}b{30}){30}(a{30}b{30}){30}',
  'x'.repeat(MAX_STATES + 1),
  '(y)?'.repeat(2000),
  '[a-z]'.repeat(1400),
  '\\p{L}'.repeat(600),
  `\\Q${'x'.repeat(5000)}\\E`,
])('%.40s becomes too large', (pattern) => {
  expect(() => check(pattern)).toThrow(/is more than 4096$/);
});
