// What may stand at the cursor of a query text.

import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '#test/support/console-language.ts';
import { positionAt } from './completion-position.ts';

const at = (text: string) => positionAt(text, text.length, CATALOGUE);
const wanted = (text: string) => at(text)?.wanted;

describe('At the beginning of a command', () => {
  it.each([
    ['', true],
    ['ta', true],
    ['table web | se', false],
    ['table web | ', false],
    ['table web | union [ ta', true],
    ['set a = 1 | ', true],
    ['set a = 1 | setq b = 2 | ta', true],
    ['set a = 1 | table web | ', false],
    ['# note | ta', false],
  ])('of %j a command is offered, a first one: %s', (text, isFirst) => {
    expect(wanted(text)).toEqual({ kind: 'command', isFirst });
  });
});

describe('Behind a command', () => {
  it('tables are offered where it reads tables', () => {
    expect(wanted('table ')).toMatchObject({ kind: 'object', takesTables: true, takesFields: false });
    expect(wanted('table order=asc we')).toMatchObject({ takesTables: true });
  });

  it('fields, functions and words are offered where it takes an expression', () => {
    expect(wanted('table web | search st')).toMatchObject({
      takesFields: true,
      takesFunctions: true,
      takesAggregates: false,
      words: expect.arrayContaining(['and', 'or']),
    });
  });

  it('aggregates are offered where it takes them, and fields inside of their brackets', () => {
    expect(wanted('table web | stats ')).toMatchObject({ takesAggregates: true, takesFunctions: false });
    expect(wanted('table web | stats sum(')).toMatchObject({ takesAggregates: false, takesFields: true, words: [] });
    expect(wanted('table web | stats sum(a) ')).toMatchObject({ takesAggregates: true });
    expect(wanted('table web | search a == "(" ')).toMatchObject({ words: expect.arrayContaining(['and']) });
  });

  it('options are offered once, and only before anything else', () => {
    const optionsIn = (text: string) => {
      const found = wanted(text);
      return found?.kind === 'object' ? found.options.map(({ name }) => name) : undefined;
    };
    expect(optionsIn('table ')).toContain('order');
    expect(optionsIn('table order=asc ')).not.toContain('order');
    expect(optionsIn('table from="2026-11-15 | x" or')).toContain('order');
    expect(optionsIn('table web, ')).toEqual([]);
  });

  it.each([
    ['table order=', 12, 'order'],
    ['table order=as', 12, 'order'],
    ['table limit=5 order=d', 20, 'order'],
  ])('the values of an option are offered: %s', (text, begin, name) => {
    expect(at(text)).toMatchObject({ begin, wanted: { kind: 'value', option: { name } } });
  });

  it('an equals sign that belongs to no option is one of an expression', () => {
    expect(wanted('table web | eval a=')).toMatchObject({ kind: 'object' });
  });

  it.each([
    ['table web | search 상태', 19, 'table web '],
    ['table web | search not(상', 23, 'table web '],
    ['table web | search a == b.c:d', 24, 'table web '],
  ])('the name that is typed is replaced as a whole: %s', (text, begin, before) => {
    expect(at(text)).toMatchObject({ begin, before });
  });
});

describe('Nothing is offered', () => {
  it.each([
    ['in a string', 'table web | search a == "x'],
    ['in a comment', 'table web | # no'],
    ['behind an unknown command', 'nonsense x'],
    ['behind what is no command', '== x'],
  ])('%s', (_, text) => {
    expect(at(text)).toBeUndefined();
  });
});
