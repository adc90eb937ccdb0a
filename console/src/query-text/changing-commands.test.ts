// Which commands of a text change something.

import { describe, expect, it } from 'vitest';
import { changingCommands } from './changing-commands.ts';
import type { CommandKinds } from './parts.ts';

const KINDS: CommandKinds = new Map([
  ['table', 'driver'],
  ['search', 'row'],
  ['union', 'driver'],
  ['import', 'sink'],
  ['outputcsv', 'sink'],
]);

const at = (text: string, word: string) => ({ begin: text.indexOf(word), end: text.indexOf(word) + word.length });

describe('Commands that change something', () => {
  it.each([
    ['table web | import auth', 'import', [['import', 'import auth']]],
    [
      'table web | import a | outputcsv "x.csv" n',
      'import',
      [
        ['import', 'import a'],
        ['outputcsv', 'outputcsv "x.csv" n'],
      ],
    ],
    // In brackets: what it does, and where it stands.
    ['table web | union [ table x | import auth ]', 'import', [['import', 'union [ table x | import auth ]']]],
    ['proc cleaner("x") | search a == 1', 'proc cleaner("x")', [['proc', 'proc cleaner("x")']]],
    ['wget url="http://a/" method=post', 'wget', [['wget', 'wget url="http://a/" method=post']]],
    // A text in a string is no command.
    ['table web | search a == "| import x" | import y', 'import y', [['import', 'import y']]],
  ])('of %s are named', (text, refused, commands) => {
    expect(changingCommands(text, KINDS, at(text, refused)).map((one) => [one.name, one.text])).toEqual(commands);
  });

  it('are named by the place alone where the catalogue has not come', () => {
    const text = 'table web | import a | import b';
    expect(changingCommands(text, new Map(), at(text, 'import a'))).toEqual([{ name: 'import', text: 'import a' }]);
  });
});
