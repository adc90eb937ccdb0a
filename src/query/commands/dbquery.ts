import { about, durationOrSeconds, whole } from '#query/language/option-readers.ts';
import type { ParameterRead } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import { command } from '#query/planning/command.ts';
import {
  DATABASE_RULES,
  databaseProfile,
  profileWord,
  readingSql,
  sqlText,
  takeSql,
  timeoutOf,
  valueSpans,
} from './shared/database.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

export const dbquery = command({
  name: 'dbquery',
  class: 'driver',
  syntax: 'dbquery PROFILE [limit=N] [timeout=D] SQL',
  summary: {
    en: 'Runs SQL in the database of a connection profile and gives its rows, in the order of the database.',
    ko: '접속 프로파일의 데이터베이스에서 SQL을 실행해 행을 읽습니다.',
  },
  rules: [
    '`:name` reads the parameter `$("name")`. `limit=N` reads N rows and no more; `timeout=D` (s, m) is at most that of the profile. The options may stand before PROFILE too.',
    'Columns are known when it runs; a check does not connect.',
    ...DATABASE_RULES,
  ],
  errors: [10006, 10600, 10601, 10602, 10603, 10604, 10605, 10606, 90008],
  examples: [
    {
      databases: {
        crm: {
          users: [
            { id: 1, name: 'kim' },
            { id: 2, name: 'lee' },
          ],
        },
      },
      query: 'set id = 2 | dbquery crm select id, name from users where id >= :id order by id',
      normalized: 'set id = 2 | dbquery crm "select id, name from users where id >= :id order by id"',
      gives: [{ id: 2, name: 'lee' }],
      pushes: [0, 1],
    },
    {
      databases: { crm: { users: [{ id: 1, name: 'kim' }] } },
      tables: {
        given: [
          { id: 1, n: 7 },
          { id: 3, n: 8 },
        ],
      },
      query: `table given | join id [ dbquery crm "select id, concat(name, '|') as name from users" ]`,
      gives: [{ id: 1, n: 7, name: 'kim|' }],
    },
    { query: 'dbquery nodb select 1', refused: { code: 10600, begin: 8, end: 12 } },
    {
      databases: { crm: { users: [{ id: 1 }, { id: 2 }, { id: 3 }] } },
      query: 'dbquery crm limit=2 timeout=30s select id from users order by id desc',
      normalized: 'dbquery crm limit=2 timeout=30s "select id from users order by id desc"',
      gives: [{ id: 3 }, { id: 2 }],
    },
  ],
  options: {
    limit: about(whole(0, 10006), OPTION_SUMMARIES.limit),
    timeout: about(durationOrSeconds, OPTION_SUMMARIES.timeout),
  },
  first: profileWord,
  read: (words, { first, nameSpan }) => ({ first, sql: takeSql(words, nameSpan) }),
  text: ({ sql }) => sqlText(sql),
  *plan({ first, sql: written }, planning) {
    const profile = databaseProfile(first, planning);
    const read = readingSql(written, profile);
    const spans = valueSpans(read, written);
    const values: Value[] = [];
    for (const name of read.sql.names) {
      const at = spans.get(name) ?? written;
      const parameter: ParameterRead = { kind: 'parameter', type: 'any', name, begin: at.begin, end: at.end };
      const value = yield* planning.constant(parameter);
      values.push(value.kind === 'literal' ? value.value : null);
      yield;
    }
    const sequence = planning.hiddenColumn();
    const overflow = { id: planning.hiddenColumn(), without: [] };
    const { limit, timeout } = planning.options;
    return {
      ...planning.planNode({ columns: [], overflow, order: [{ column: sequence, descending: false }] }),
      ...planning.account,
      kind: 'dbquery',
      profile: profile?.name ?? '',
      profileAt: { begin: first.begin, end: first.end },
      sql: read.sql,
      values,
      ...(limit === undefined ? {} : { limit }),
      ...timeoutOf(timeout, planning),
      sequence,
    };
  },
});
