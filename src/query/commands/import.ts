import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import { command } from '#query/planning/command.ts';

export const importing = command({
  name: 'import',
  class: 'sink',
  syntax: 'import TABLE',
  summary: {
    en: 'Appends every row to an existing table and passes it on.',
    ko: '모든 행을 있는 테이블에 추가하고 내보냅니다.',
  },
  rules: [
    '`_time` is kept if it is a date, otherwise it is the time of the run; `_table`, `_id` and `_node` are set anew. Declared columns receive converted values, all other fields go to the overflow.',
    'Rows become visible together when the command ends; a failed or cancelled query stores no rows.',
    'Behind `table window=` or `fulltext window=`, also with `evalc`, `search`, `eval` and other commands on single rows between, rows are stored as they come, at most a second behind, and stay when the query is stopped, cancelled or fails. Rows for a table that the window itself reads are stored when it ends.',
    'Each import of a successful query, and one of a window that has stored rows, writes an audit entry (`query.import`); several imports of one query take effect one after the other. Rows of a subquery of `join` or `union` are stored too.',
  ],
  errors: [30000, 30001, 30002],
  examples: [
    {
      tables: { dst: [] },
      query:
        'json "[{a:1},{a:2}]" | eval _time = if(a == 1, date("2026-11-15 09:00:00"), null) | import dst | stats count',
      gives: [{ count: 2 }],
      stores: {
        dst: [
          { a: 1, _time: '@2026-11-15 09:00:00+0900' },
          { a: 2, _time: '@2026-11-15 12:00:00+0900' },
        ],
      },
    },
  ],
  read(words) {
    const table = words.takeWord();
    if (!table) throw words.tooFew({ term: 'tables' });
    return { ...table, text: table.text.normalize() };
  },
  text: ({ text }) => text,
  plan(table, planning) {
    const { tables, writableTables } = planning.queryContext;
    const name = table.text;
    if (!tables.has(name) && !writableTables.has(name)) {
      throw new QueryError(30000, table, { name }, { suggestions: suggestionsFor(name, tables.keys()) });
    }
    if (!writableTables.has(name)) throw new QueryError(30001, table, { name });
    planning.context.shared.writes.add(name);
    return { ...planning.step(planning.rows), ...planning.account, kind: 'import', table: name };
  },
});
