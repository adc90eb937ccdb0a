// Texts of `fulltext` over the small tables of `pipeline-worlds.ts`.

import fc from 'fast-check';
import { text } from '#test/support/pipeline-texts.ts';
import { oneOf } from './random-tables.ts';

const TERM_ATOMS = [
  ...['"a"', '"A*"', '"*5"', '"x y"', '"10.0.0.1"', '"한*"', '"true"', '"q r"', '"2026 11"', '"1e2"', '"*e*"', '"2 5"'],
  ...['s == "b"', 's == "*5*"', 's != "A"', 's < "b"', 's >= "A"', 'm == 5', 'm == "5"', 'm != 1', 'm <= "B"', 'm > 2'],
  ...['n == range(2, 5)', 'm == range("A", "x")', 'd == range(-1.5, 2.5)', 'ip == iprange("10.0.0.0", "10.9.0.0")'],
  ...['t < date("2026-11-15")', 't == "2026-11-15*"', 'rare == "a"', 'rare != 5', 'rare == "*0*"', 'l == "*a*"'],
  ...['ip == "2001:db8::1"', 'field("odd \\"name\\"") == "X"', 'n == null', 'm == true', 'gone == "a"'],
];

/** `fulltext` without subqueries. */
export const textSearch = text(
  oneOf(['fulltext ', 'fulltext tt=t ', 'fulltext order=asc limit=3 ']),
  fc
    .array(text(oneOf(['', '', 'not ']), oneOf(TERM_ATOMS), oneOf([' and ', ' or '])), { maxLength: 2 })
    .map((atoms) => atoms.join('')),
  oneOf(TERM_ATOMS),
  oneOf([' from t', ' from t, r']),
);
