// Every mistake a query can have is found, and found in its place.

import { describe, expect, it } from 'vitest';
import { runToEnd } from '#kernel/sliced-work.ts';
import { errorsOfCommands } from '#test/support/command-errors.ts';
import { errorsOfDatabases } from '#test/support/database-errors.ts';
import { errorsOfExpressions } from '#test/support/expression-errors.ts';
import { errorsOfFunctions } from '#test/support/function-errors.ts';
import { errorsOfLocalCommands } from '#test/support/local-command-errors.ts';
import { marked } from '#test/support/marked-queries.ts';
import { outcome, queryErrorIn, world } from '#test/support/query.ts';
import { errorsOfText } from '#test/support/text-errors.ts';
import { mistakes as english } from './model/messages.en.ts';
import { excerptOf, type QueryError, reportOf } from './model/query-error.ts';
import type { KnownProfile } from './planning/query-context.ts';
import { checkCondition } from './query.ts';

const cases = {
  ...errorsOfCommands,
  ...errorsOfLocalCommands,
  ...errorsOfDatabases,
  ...errorsOfText,
  ...errorsOfExpressions,
  ...errorsOfFunctions,
};

/** Of later commands, of runs and of rights: no text is refused with these. */
const NOT_OF_TEXT = [
  ...[10501, 10601, 10604, 10606, 10801, 10802, 10803, 20702, 22201, 30002, 30103, 30202, 92004],
  ...[93000, 93001, 93002, 93003, 93004, 93010, 93011, 93012],
];
const WARNINGS = [
  20100, 20301, 22002, 90901, 90902, 90903, 90904, 90905, 90906, 90907, 90908, 90910, 90911, 90912, 90913, 90914, 90915,
  90916, 90920, 90921, 90400,
];
/** Tried with texts that are too long to write here, in test/fuzz. */
const OF_SIZE = [90009];

describe('QueryErrors', () => {
  for (const [code, texts] of Object.entries(cases)) {
    for (const text of texts) {
      it(`have their place: ${code} ${text.slice(0, 100)}`, () => {
        const { text: query, begin, end } = marked(text);
        const mistake = queryErrorIn(query, context);
        expect(mistake && `${mistake.code} ${mistake.begin}..${mistake.end}`).toBe(`${code} ${begin}..${end}`);
        if (mistake) expectReadable(mistake, query);
      });
    }
  }

  it('are those of rights where the caller may not write files', () => {
    const { exports: _, ...others } = context;
    const refused = ['table t | outputcsv out/a.csv a', 'table t | outputjson ../a'].map((text) =>
      outcome(text, others),
    );
    expect(refused).toEqual(['30103 20..29', '30103 21..25']);
  });

  it('are those of rights where the caller may not read files or name urls', () => {
    const { imports: _, hosts: __, ...others } = context;
    const texts = ['textfile a.txt', 'zipfile /etc/a.zip *', 'wget url="http://10.0.0.1/"', 'table t | wget'];
    const refused = texts.map((text) => outcome(text, others));
    expect(refused).toEqual(['10802 9..14', '10802 8..18', '20702 9..27', '20702 10..14']);
    const called = { ...context, isCallerAdministrator: false, constants: new Map([['x', 'a.txt']]) };
    expect(outcome('textfile $("x")', called)).toBe('10802 9..15');
    expect(outcome('wget url=$("x")', called)).toBe('20702 9..15');
  });

  it('are those of profiles where wget may not use or write to one', () => {
    const profile = { guid: 'x', name: 'api', kind: 'http', mayWrite: false } as const;
    const database = { ...profile, name: 'db', kind: 'mysql' } as const;
    const profiles = new Map<string, KnownProfile>([
      ['api', profile],
      ['db', database],
    ]);
    const of = (text: string, more = {}) => outcome(text, { ...context, profiles, ...more });
    expect(of('wget profile=none')).toBe('10600 13..17');
    expect(of('wget profile=db')).toBe('10600 13..15');
    expect(of('wget profile=api method=post')).toBe('30201 24..28');
    const called = { constants: new Map([['x', 'api']]), callerProfiles: new Map() };
    expect(of('wget profile=$("x")', called)).toBe('10600 13..19');
    expect(of('wget profile=api path=$("x")', called)).toBe('10600 13..16');
  });

  it.each(['wget', 'textfile a.txt', 'search a == 1 | csvfile a.csv', 'zipfile a b', 'jsonfile a'])(
    'are 92002 where the condition of a stream rule reaches outside: %s',
    (text) => {
      expect(() => runToEnd(checkCondition(text, context))).toThrow('is not allowed here');
    },
  );

  it('are all tried', () => {
    const tried = [...Object.keys(cases).map(Number), ...NOT_OF_TEXT, ...WARNINGS, ...OF_SIZE];
    expect(tried.sort()).toEqual(Object.keys(english).map(Number).sort());
  });
});

/** In both languages, with every hole filled, and with line, column and caret where the place is. */
function expectReadable(mistake: QueryError, text: string): void {
  const [english, korean] = (['en', 'ko'] as const).map((locale) => reportOf(mistake, text, locale));
  expect(english?.message).not.toMatch(/\{\w+\}/);
  expect(korean?.message).not.toMatch(/\{\w+\}/);
  expect(korean?.message).toMatch(/[가-힣]/);
  expect({ ...korean, message: '' }).toEqual({ ...english, message: '' });
  const lines = text.slice(0, mistake.begin).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  expect(english).toMatchObject({ line: lines.length, column });
  const isPlain = /^[ -~]*$/.test(text) && text.length < 60;
  const carets = '^'.repeat(Math.max(1, mistake.end - mistake.begin));
  if (isPlain) expect(excerptOf(text, mistake)).toBe(`${text}\n${' '.repeat(column - 1)}${carets}`);
}

const known = world();
const secret = { name: 'secret', parameters: [], text: 'table t', mayRun: false, queryContext: known };
const endless = { name: 'endless', parameters: [], text: 'proc endless()', mayRun: true, queryContext: known };
const context = world({
  systemObjects: new Set(['tables']),
  profiles: new Map([
    ['db', { guid: '1', name: 'db', kind: 'postgresql', mayWrite: true }],
    ['my', { guid: '2', name: 'my', kind: 'mysql', mayWrite: false }],
    ['api', { guid: '3', name: 'api', kind: 'http', mayWrite: true }],
  ]),
  exports: {
    folder: '/export',
    look: (path) => (path.startsWith('taken') ? 'taken' : path.startsWith('linked') ? 'outside' : 'free'),
  },
  procedures: new Map([...known.procedures, ['secret', secret], ['endless', endless]]),
  lookups: new Map([...known.lookups, ['locked', { name: 'locked', key: 'a', columns: [], guid: 'locked' }]]),
  parsers: new Map([...known.parsers, ['endless', { kind: 'query', query: 'parse endless' }]]),
});
Object.assign(endless, { queryContext: context });
