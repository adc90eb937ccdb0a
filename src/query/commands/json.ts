import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import { readObjects } from '#query/language/json-text.ts';
import { quoted, unescaped } from '#query/language/strings.ts';
import { QueryError } from '#query/model/query-error.ts';
import { type ColumnType, type MapValue, typeOf, unified } from '#query/model/values.ts';
import { command } from '#query/planning/command.ts';

/** The time to prepare a statement grows faster than its number of columns, and DuckDB cannot interrupt it. */
const MAX_FIELDS = 1024;

export const json = command({
  name: 'json',
  class: 'driver',
  syntax: 'json STRING',
  summary: {
    en: 'Makes rows from text: one object, or a list of objects with a row each.',
    ko: '텍스트로 행을 만듭니다: 객체 하나, 또는 객체 목록의 객체마다 한 행.',
  },
  rules: [
    'JSON with two extensions: single-quoted strings and unquoted keys. `{}` is one empty row, `[]` no row.',
    'Whole numbers that fit are long, other numbers double.',
    'The text has at most 1,024 fields (90009).',
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
  *read(words) {
    const token = words.takeString();
    if (!token) throw words.tooFew({ term: 'string' });
    const inner = unescaped(token);
    const values = yield* readObjects(inner);
    const fields = (yield* keysIn(values)).size;
    if (fields > MAX_FIELDS)
      throw new QueryError(90009, token, { what: { term: 'values' }, n: fields, max: MAX_FIELDS });
    return { text: inner.text, values };
  },
  text: ({ text }) => quoted(text),
  *plan({ values }, planning) {
    const columns = (yield* columnsOf(values)).map(([name, type]) => planning.newColumn(name, type));
    const sequence = planning.hiddenColumn();
    const rows = { columns, order: [{ column: sequence, descending: false }] };
    return { ...planning.planNode(rows), kind: 'json', values, sequence };
  },
});

/** In order of first appearance. */
function* columnsOf(values: readonly MapValue[]): SlicedWork<[string, ColumnType][]> {
  const types = new Map<string, ColumnType>();
  yield* mapSliced(values, (row) => {
    for (const [name, value] of row) types.set(name, unified(types.get(name) ?? 'null', typeOf(value)));
  });
  return [...types];
}

function* keysIn(values: readonly MapValue[]): SlicedWork<ReadonlySet<string>> {
  const keys = new Set<string>();
  yield* mapSliced(values, (row) => {
    for (const key of row.keys()) keys.add(key);
  });
  return keys;
}
