import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { GEOIP } from '#query/model/lookups.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import { lookupRows } from './shared/lookup-rows.ts';
import { columnOf, lookupNamed, lookupText, takeLookupName } from './shared/lookups.ts';

export const lookuptable = command({
  name: 'lookuptable',
  class: 'driver',
  syntax: 'lookuptable NAME [names]',
  summary: {
    en: 'The rows of a lookup in the order of its key; without names all its columns.',
    ko: '룩업의 행을 키 순서로 읽습니다. 이름이 없으면 모든 컬럼입니다.',
  },
  rules: ['NAME is found as by `lookup`. The built-in `geoip` cannot be listed (92002); an unknown column is 21201.'],
  errors: [20100, 21200, 21201],
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
  ],
  *read(words) {
    const name = takeLookupName(words);
    const names = words.isDone ? [] : yield* words.takeNames([], () => words.tooFew({ term: 'columns' }));
    return { name, names };
  },
  text: ({ name, names }) => `${lookupText(name)}${names.length > 0 ? ` ${fieldsText(names, [])}` : ''}`,
  plan({ name, names }, planning) {
    if (name.text === GEOIP.name) throw new QueryError(92002, name, { name: name.text });
    const { known } = lookupNamed(name, planning);
    const columns = names.length > 0 ? names.map((one) => columnOf(known, one)) : known.columns;
    return lookupRows(known, columns, planning);
  },
});
