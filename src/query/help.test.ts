// Help on the language is complete in both languages.

import { describe, expect, it } from 'vitest';
import { commands } from './commands/index.ts';
import { aggregates, functions } from './functions/index.ts';
import { helpOn, languageHelp } from './help.ts';

describe('Help', () => {
  it('lists every option that a syntax line has', () => {
    const missing = commands.flatMap(({ name, syntax, options }) =>
      [...syntax.matchAll(/\[(\w+)=/g)]
        .map(([, option = '']) => option)
        .filter((option) => options.every((one) => one.name !== option))
        .map((option) => `${name} ${option}`),
    );
    expect(missing).toEqual([]);
  });

  it('tells kinds, types, values and defaults', () => {
    expect(helpOn('timechart', 'en').command).toMatchObject({
      kind: 'transforming',
      options: expect.arrayContaining([
        { name: 'span', type: 'span', default: '1d', values: null, summary: 'Width of a bucket.' },
        { name: 'cont', type: 'bool', default: 'f', values: ['t', 'f'], summary: 'Fills buckets without rows.' },
      ]),
    });
    expect(helpOn('search', 'ko').command).toMatchObject({ kind: 'row', summary: '식이 참인 행만 남깁니다.' });
    expect(helpOn('min', 'en').functions.map(({ kind, returns }) => [kind, returns])).toEqual([
      ['scalar', 'any'],
      ['aggregate', 'any'],
    ]);
    expect(helpOn('nothing', 'en')).toEqual({ functions: [] });
  });

  it('is given of all commands and functions', () => {
    const { commands: listed, functions: called } = languageHelp('ko');
    expect(listed).toHaveLength(commands.length);
    expect(called).toHaveLength(functions.length + aggregates.length);
    for (const { summary } of [...listed, ...listed.flatMap(({ options }) => options), ...called])
      expect(summary).toMatch(/[가-힣]/);
  });
});
