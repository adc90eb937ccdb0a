import { command } from '#query/planning/command.ts';
import { SCAN_SYNTAX, scan, scanOptions, windowScan } from './shared/sources.ts';
import { TABLES_SYNTAX, tablesText, takeTables } from './shared/table-parameters.ts';

export const table = command({
  name: 'table',
  class: 'driver',
  syntax: `table ${SCAN_SYNTAX} ${TABLES_SYNTAX}`,
  summary: { en: 'Reads stored tables, newest rows first.', ko: '저장된 테이블을 최신 행부터 읽습니다.' },
  rules: [
    '`duration=D` reads from now less D to now; `from` is included, `to` is not. Without a range everything is read. Beside `from` or `to` a `duration` has no effect (90908); `window` excludes all of them (10003).',
    '`$("x")` names tables by a constant of the run: a text with one or several names, or a list of texts; stars, `NODE:` and `?` count in it. Null and a text that names no table are 10007; null is no error behind `?`. Such a table needs the read right of the account with whose rights the text runs and of the accounts that called it.',
    '`offset` and `limit` apply to the ordered rows of all tables together.',
    'A name may start or end with a star or be a star: it stands for all readable tables that match. `NAME?` need not exist.',
    '`window=D` reads rows as they arrive for D from the start, in the order of their arrival, and no stored rows.',
    '`NODE:` reads the tables of that node, `*:` those of all nodes; rows then have `_node`.',
    'Rows of all tables are merged: by `_time` in the requested direction, then by table name, then by `_id`.',
    '`window=D` begins with the command. A record counts when it is acknowledged, records of an upload or an `import` when all of them are; a star stands for the tables of the beginning; all columns are of type `any`. At most 64 Mi characters of records wait, then 93000 `rows arrive faster than the query takes them`.',
    'Nodes are those of `system nodes` that live; any other is 10500. On a log store that they share all have the same tables: the whole table is read, once. `_node` is the node that took the record in. It can be read by its name from every stored row; it is a column of the result, behind `_id`, as soon as one of the tables names a node, or where `fields`, `by` or an assignment puts it there.',
  ],
  errors: [10001, 10003, 10004, 10005, 10006, 10007, 10500, 90010],
  examples: [
    {
      tables: {
        web: [
          { _time: '@2026-11-15 10:00:00+0900', s: 200 },
          { _time: '@2026-11-15 11:00:00+0900', s: 404 },
          { _time: '@2026-11-15 11:30:00+0900', s: 500 },
        ],
      },
      query: 'table  duration=1h order=desc  web, none?',
      normalized: 'table duration=1h web, none?',
      gives: [
        { _table: 'web', _time: '@2026-11-15 11:30:00+0900', s: 500 },
        { _table: 'web', _time: '@2026-11-15 11:00:00+0900', s: 404 },
      ],
    },
    {
      tables: { web: [{ a: 1 }] },
      query: 'table web | search _node == "vigil" | eval on = _node',
      gives: [{ a: 1, on: 'vigil' }],
      columns: ['a', 'on'],
    },
    { tables: { web: [{ a: 1 }] }, query: 'table wev', refused: { code: 10001, begin: 6, end: 9 } },
    {
      tables: {
        web: [
          { _time: '@2026-11-15 10:00:00+0900', s: 200 },
          { _time: '@2026-11-15 11:30:00+0900', s: 500 },
        ],
      },
      query: 'table duration=1h from=20261115 to=2026111511 web',
      gives: [{ s: 200 }],
      warns: [{ code: 90908, begin: 6, end: 14 }],
    },
    {
      tables: { log_a: [{ n: 1 }], log_b: [{ n: 2 }] },
      constants: { kind: 'a' },
      query: 'set t = concat("log_", $("kind")) | table $("t"), $("more")?, log_b | sort n',
      gives: [{ n: 1 }, { n: 2 }],
    },
    { tables: { web: [{ a: 1 }] }, query: 'table $("t")', refused: { code: 10007, begin: 6, end: 12 } },
    {
      tables: {
        web: [
          { _time: '@2026-11-15 10:00:00+0900', s: 200 },
          { _time: '@2026-11-15 11:00:00+0900', s: 404 },
          { _time: '@2026-11-15 11:30:00+0900', s: 500 },
        ],
      },
      query: 'table order=asc offset=1 limit=1 web | fields s',
      gives: [{ s: 404 }],
    },
    {
      tables: {
        web: [
          { _time: '@2026-11-15 10:00:00+0900', s: 200 },
          { _time: '@2026-11-15 11:00:00+0900', s: 404 },
          { _time: '@2026-11-15 11:30:00+0900', s: 500 },
        ],
      },
      query: 'table from=20261115103000 to=20261115113000 web | fields s',
      gives: [{ s: 404 }],
    },
  ],
  options: scanOptions,
  optionsMayFollow: true,
  read: takeTables,
  text: tablesText,
  plan(tables, planning) {
    const { window } = planning.options;
    return window ? windowScan(tables, window, planning) : { ...scan(tables, planning), kind: 'table' };
  },
});
