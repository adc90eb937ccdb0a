// The commands of a query text as the editor finds them: where the service finds them, too.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dice } from '#kernel/dice.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import { type CommandText as FoundText, split } from '#query/language/command-texts.ts';
import { query } from '#test/support/query-generator.ts';
import { type CommandText, commandsOf, commandTextAt, commandTextsOf } from './command-texts.ts';

const dice = fc.gen().map((make): Dice => ({ below: (n) => make(fc.nat, { max: n - 1 }) }));
const queries = dice.map((rolled) => query(rolled));

describe('The commands of a text', () => {
  it.each([
    ['', []],
    ['   \n ', []],
    ['table web', ['table web']],
    ['  table web  \n | limit 1 ', ['table web', 'limit 1']],
    ['table web | search a == "x | y" | stats count', ['table web', 'search a == "x | y"', 'stats count']],
    ['table web | search a == "\\"|" | limit 1', ['table web', 'search a == "\\"|"', 'limit 1']],
    ['| table web | # note with [ a | b ] | limit 1', ['table web', 'limit 1']],
    ['table web | join a [ table x | limit 1 ] | limit 2', ['table web', 'join a [ table x | limit 1 ]', 'limit 2']],
    ['table web ｜ search a == “x | y” | limit 1', ['table web', 'search a == “x | y”', 'limit 1']],
    [
      'table web | union ［ table x ｜ limit 1 ］ | limit 2',
      ['table web', 'union ［ table x ｜ limit 1 ］', 'limit 2'],
    ],
    ['table web | # said "x | y" | limit 1', ['table web', 'limit 1']],
    ['table web | # 5" wide\n still | limit 1', ['table web', 'limit 1']],
    ['table 웹 | search 상태 == "정상 | 😀"', ['table 웹', 'search 상태 == "정상 | 😀"']],
    // An open string or bracket reaches to the end of the text.
    ['table web | search a == "x | limit 1', ['table web', 'search a == "x | limit 1']],
    ['table web | union [ table x | limit 1', ['table web', 'union [ table x | limit 1']],
    // A bracket that closes nothing is part of its command.
    ['table web ] | limit 1', ['table web ]', 'limit 1']],
    // What is no word is no command.
    ['table web | == | | limit 1', ['table web', 'limit 1']],
  ])('of %j', (text, expected) => {
    expect(commandsOf(text).map(({ begin, end }) => text.slice(begin, end))).toEqual(expected);
  });

  it('have comments and empty places between them', () => {
    const kinds = commandTextsOf('table web | # note || limit 1 |').map(({ name, isComment }) =>
      isComment ? '#' : name,
    );
    expect(kinds).toEqual(['table', '#', '', 'limit', '']);
    expect(commandTextsOf('')).toEqual([{ name: '', begin: 0, end: 0, isComment: false }]);
  });

  const spans = (commandTexts: readonly Pick<CommandText, 'begin' | 'end' | 'isComment'>[]) =>
    commandTexts
      .filter(({ begin, end }) => begin < end)
      .map(({ begin, end, isComment }) => `${isComment ? '#' : ''}${begin}..${end}`);
  const ofService = (text: string) => {
    const { commandTexts, error } = runToEnd(split(text));
    return error ? undefined : spans(commandTexts);
  };
  const ofConsole = (text: string) => spans(commandTextsOf(text));

  it('stand where the service finds them, in every query that it accepts', () => {
    fc.assert(
      fc.property(queries, (text) => {
        expect(ofConsole(text)).toEqual(ofService(text));
      }),
      { numRuns: 300 },
    );
  });

  it('stand where the service finds them, whatever is written', () => {
    const marks = fc.constantFrom(...'"“”„＂|｜[［]］\\#', ' ', '\n', '\u00a0', 'a', '한', '😀');
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 14 }), (characters) => {
        const text = characters.join('');
        const expected = ofService(text);
        fc.pre(expected !== undefined);
        expect(ofConsole(text)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('The place of the cursor', () => {
  const at = (marked: string) => commandTextAt(marked.replace('^', ''), marked.indexOf('^'));

  it.each([
    ['^', { begin: 0, before: '' }],
    ['tab^', { begin: 0, before: '' }],
    ['  tab^', { begin: 2, before: '' }],
    ['table web | se^arch x', { begin: 12, before: 'table web ' }],
    ['table web | search a == "x | y" | li^', { begin: 34, before: 'table web | search a == "x | y" ' }],
    ['table web | union [ ta^', { begin: 20, before: '' }],
    ['table web | union [ table x | li^ ]', { begin: 30, before: ' table x ' }],
    ['table web | union [ table x ] | li^', { begin: 32, before: 'table web | union [ table x ] ' }],
    ['table web ｜ union ［ ta^', { begin: 20, before: '' }],
    ['table 웹 | search 상태 == 1 | li^', { begin: 27, before: 'table 웹 | search 상태 == 1 ' }],
    ['table a ] | li^', { begin: 12, before: 'table a ] ' }],
    ['table web | # a 5" disk | li^', { begin: 26, before: 'table web | # a 5" disk ' }],
    ['table web | # [ a | "b" ] ] | li^', { begin: 30, before: 'table web | # [ a | "b" ] ] ' }],
    ['table web | # a ] 5" disk | li^', { begin: 28, before: 'table web | # a ] 5" disk ' }],
    ['table web | union [ # note ] | li^', { begin: 31, before: 'table web | union [ # note ] ' }],
  ])('is in a command of %s', (text, expected) => {
    expect(at(text)).toEqual(expected);
  });

  it.each([
    'table web | search a == "x^',
    'table web | search a == “x^',
    'table web | search a == "\\"^',
    '# no^te',
    'table web | # no^',
    'table web | union [ # no^',
    'table web | # [ a | no^',
  ])('is in a string or a comment of %s', (text) => {
    expect(at(text)).toBeUndefined();
  });

  it('is in the command that the service finds there, also in brackets', () => {
    fc.assert(
      fc.property(queries, (text) => {
        const commandTexts = allCommandTexts(runToEnd(split(text)).commandTexts);
        const expected = commandTexts.map(({ begin, isComment }) => (isComment ? undefined : begin));
        expect(commandTexts.map(({ end }) => commandTextAt(text, end)?.begin)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

/** With those inside of brackets. */
const allCommandTexts = (commandTexts: readonly FoundText[]): readonly FoundText[] =>
  commandTexts.flatMap((commandText) => [
    commandText,
    ...[...commandText.brackets.values()].flatMap((bracket) => allCommandTexts(bracket.commandTexts)),
  ]);
