// Breaks queries the way people and attackers do: cut, doubled, spliced, with the wrong signs in the wrong places.

import { chance, type Dice, pick, times } from '#kernel/dice.ts';
import { query } from '#test/support/query-generator.ts';

const PIECES = [
  ...['|', '||', '[', ']', '(', ')', '"', '\\', '#', ',', '=', '==', '!=', '$(', '$("p")', '-', '*', '?', ':', "'"],
  ...['“', '”', '｜', '［', '］', '—', '\u00a0', '\u3000', '\ud83d', '😀', '\u0338', '\u0301', '한', '\0', '\u202e'],
  ...[' and ', ' or ', ' not ', ' as ', ' by ', ' from ', 'field(', 'in(', 'count', 'null', 'true', '\n', '\t', '\r\n'],
  ...['table', 'search ', 'stats ', 'set ', 'setq [', 'join ', 'limit=', 'span=', 'guid=', 'order=', 'value=', 'type='],
  ...['9223372036854775808', '1e999', '0x1f', '1.', '.5', '-0', '1e', '5m', '2026', '"\\d"', '"(?=x)"', '(?<a>', '\\*'],
  ...[
    '06',
    '3rd',
    'sum:06',
    '10m',
    'a:',
    ': ',
    ',,',
    ', ',
    '+',
    ' # [ ',
    ' # ] ',
    '| # ',
    'span=',
    'parallel=t ',
    ' as 7',
    'd=',
  ],
  ...[
    '_timezone',
    '_from',
    'geoip',
    'sin(',
    'evalc ',
    'streamstats ',
    'field("',
    'foreach(_1,',
    'iprange(',
    '__proto__',
  ],
  ...['constructor', 'toString', 'hasOwnProperty'],
];

export function fuzzInput(dice: Dice): string {
  if (chance(dice, 8)) return times(1 + dice.below(30), () => pick(dice, PIECES)).join(pick(dice, ['', ' ']));
  if (chance(dice, 10)) return query(dice);
  let text = query(dice, dice.below(3));
  for (let left = 1 + dice.below(4); left > 0; left -= 1) text = mutated(dice, text);
  return text;
}

function mutated(dice: Dice, text: string): string {
  const at = dice.below(text.length + 1);
  const end = Math.min(text.length, at + 1 + dice.below(12));
  switch (dice.below(8)) {
    case 0:
      return text.slice(0, at) + text.slice(end);
    case 1:
      return text.slice(0, at);
    case 2:
      return text.slice(0, end) + text.slice(at);
    case 3:
      return text.slice(0, at) + pick(dice, PIECES).repeat(1 + dice.below(chance(dice, 20) ? 300 : 2)) + text.slice(at);
    case 4:
      return text.slice(0, at) + pick(dice, PIECES) + text.slice(end);
    case 5:
      return text.slice(0, at) + query(dice, 0).slice(dice.below(20)) + text.slice(end);
    case 6:
      return text.slice(0, at) + String.fromCharCode(dice.below(0x10000)) + text.slice(at + 1);
    default:
      return text.slice(0, at) + text.slice(at, end).toUpperCase() + text.slice(end);
  }
}
