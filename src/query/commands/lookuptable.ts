import { fieldsText, fieldText } from '#query/language/expression-text.ts';
import type { Name } from '#query/language/words.ts';
import { GEOIP } from '#query/model/lookups.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import { columnOf, lookupNamed } from './shared/lookups.ts';

export const lookuptable = command({
  name: 'lookuptable',
  class: 'driver',
  syntax: 'lookuptable NAME [names]',
  summary: 'The rows of a lookup in the order of its key; without names all its columns.',
  rules: [
    'The built-in `geoip` cannot be listed.',
    'An unknown column is 21201, a repeated name 20100, `geoip` 92002.',
  ],
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
  read(words) {
    const name = words.takeName([], () => words.tooFew({ term: 'name' }));
    const names: Name[] = words.isDone ? [] : words.takeNames([], () => words.tooFew({ term: 'columns' }));
    return { name, names };
  },
  text: ({ name, names }) => `${fieldText(name.text, [])}${names.length > 0 ? ` ${fieldsText(names, [])}` : ''}`,
  plan({ name, names }, planning) {
    if (name.text === GEOIP.name) throw new QueryError(92002, name, { name: name.text });
    const known = lookupNamed(name, planning);
    const columns = names.length > 0 ? names.map((one) => columnOf(known, one)) : known.columns;
    const fields = columns.map((one) => ({ from: one.name, column: planning.newColumn(one.name, one.type) }));
    const type = known.columns.find((one) => one.name === known.key)?.type ?? 'any';
    const key = { from: known.key, column: planning.newColumn(known.key, type) };
    const rows = {
      columns: fields.map(({ column }) => column),
      order: [{ column: key.column.id, descending: false }],
    };
    return { ...planning.node(rows), ...planning.account, kind: 'lookuptable', lookup: known.name, key, fields };
  },
});
