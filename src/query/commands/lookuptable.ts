import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { GEOIP } from '#query/model/lookups.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import { cutOptions } from './shared/file-source.ts';
import { lookupRows } from './shared/lookup-rows.ts';
import { columnOf, lookupNamed, lookupText, takeLookupName } from './shared/lookups.ts';

export const lookuptable = command({
  name: 'lookuptable',
  class: 'driver',
  syntax: 'lookuptable [offset=0] [limit=N] NAME [names]',
  summary: {
    en: 'The rows of a lookup in the order of its key; without names all its columns.',
    ko: '룩업의 행을 키 순서로 읽습니다. 이름이 없으면 모든 컬럼입니다.',
  },
  rules: [
    'The options may also stand behind NAME.',
    'NAME is found as by `lookup`. The built-in `geoip` cannot be listed (92002); an unknown column is 21201.',
  ],
  errors: [10006, 20100, 21200, 21201],
  examples: [
    {
      lookups: {
        users: {
          key: 'user',
          rows: [
            { user: 'kim', dept: 'sec' },
            { user: 'ann', dept: 'hr' },
          ],
        },
      },
      query: 'lookuptable users dept',
      gives: [{ dept: 'hr' }, { dept: 'sec' }],
    },
    {
      lookups: {
        users: {
          key: 'user',
          rows: [
            { user: 'kim', dept: 'sec' },
            { user: 'ann', dept: 'hr' },
          ],
        },
      },
      query: 'lookuptable users limit=1 dept',
      normalized: 'lookuptable limit=1 users dept',
      gives: [{ dept: 'hr' }],
      pushes: [1],
    },
    {
      lookups: { users: { key: 'user', rows: [{ user: 'kim' }, { user: 10 }, { user: 'ann' }] } },
      query: 'lookuptable offset=1 users limit=1 | stats count, max(user) as u',
      normalized: 'lookuptable offset=1 limit=1 users | stats count, max(user) as u',
      gives: [{ count: 1, u: 'ann' }],
      pushes: [1, 1],
    },
  ],
  options: cutOptions,
  first: { read: takeLookupName, text: lookupText, isBehindOptions: true },
  *read(words, { first: name }) {
    const names = words.isDone ? [] : yield* words.takeNames([], () => words.tooFew({ term: 'columns' }));
    return { name, names };
  },
  text: ({ names }) => fieldsText(names, []),
  plan({ name, names }, planning) {
    if (name.text === GEOIP.name) throw new QueryError(92002, name, { name: name.text });
    const { known } = lookupNamed(name, planning);
    const columns = names.length > 0 ? names.map((one) => columnOf(known, one)) : known.columns;
    const { offset = 0n, limit } = planning.options;
    const all = lookupRows(known, columns, planning);
    return offset === 0n && limit === undefined ? all : { ...all, cut: { offset, limit } };
  },
});
