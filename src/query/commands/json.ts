import { command } from '#query/command.ts';
import { readObjects } from '#query/json-text.ts';
import { QueryMistake } from '#query/mistake.ts';
import { quoted, unescaped } from '#query/strings.ts';
import { type ColumnType, type MapValue, typeOf, unified } from '#query/values.ts';

/** Preparing a statement takes DuckDB a time that grows faster than its columns, and cannot be broken off meanwhile. */
const MOST_FIELDS = 1024;

export const json = command({
  name: 'json',
  class: 'driver',
  syntax: 'json STRING',
  summary: 'Makes rows from text: one object, or a list of objects with a row each.',
  rules: [
    'JSON with two liberties: single-quoted strings and bare keys. `{}` is one empty row, `[]` none.',
    'Whole numbers that fit are long, other numbers double.',
  ],
  errors: [10200, 10201, 90009],
  examples: [
    {
      query: "json \"[{'u':'a',n:1},{'u':'b','l':[1,'x']}]\"",
      gives: [
        { u: 'a', n: 1 },
        { u: 'b', l: [1, 'x'] },
      ],
      columns: ['u', 'n', 'l'],
    },
  ],
  read(words) {
    const token = words.takeString();
    if (!token) throw words.tooFew({ term: 'string' });
    const inner = unescaped(token);
    const values = readObjects(inner);
    const fields = new Set(values.flatMap((row) => [...row.keys()])).size;
    if (fields > MOST_FIELDS) throw new QueryMistake(90009, token, { n: fields, max: MOST_FIELDS });
    return { text: inner.text, values };
  },
  text: ({ text }) => quoted(text),
  plan({ values }, planning) {
    const columns = columnsOf(values).map(([name, type]) => planning.newColumn(name, type));
    const sequence = planning.hiddenColumn();
    const rows = { columns, order: [{ column: sequence, descending: false }] };
    return { ...planning.node(rows), kind: 'json', values, sequence };
  },
});

/** In order of first appearance. */
function columnsOf(values: readonly MapValue[]): [string, ColumnType][] {
  const types = new Map<string, ColumnType>();
  for (const row of values) {
    for (const [name, value] of row) types.set(name, unified(types.get(name) ?? 'null', typeOf(value)));
  }
  return [...types];
}
