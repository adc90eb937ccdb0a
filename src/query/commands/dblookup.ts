import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import { takeExpression } from '#query/language/expressions/expression-parser.ts';
import { about, durationOrSeconds, text } from '#query/language/option-readers.ts';
import { Words } from '#query/language/words.ts';
import { carried } from '#query/model/columns.ts';
import type { Expression, Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';

import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
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
import { HiddenColumns } from './shared/hidden-columns.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

interface LookupOptions {
  readonly bypass: string | undefined;
  readonly timeout: unknown;
}

export const dblookup = command({
  name: 'dblookup',
  class: 'processing',
  syntax: 'dblookup PROFILE [bypass=STRING] [timeout=D] SQL',
  summary: {
    en: 'Asks the database of a connection profile for each row; the columns of its first result row become fields.',
    ko: '행마다 접속 프로파일의 데이터베이스에서 값을 찾아 필드를 채웁니다.',
  },
  rules: [
    '`:name` reads the field of the row with that name. Fields of the same names are replaced; without a result row they are null. Rows with equal values of all `:name` ask the database once in a run.',
    'Rows for which `bypass`, an expression written as a STRING, is true pass unchanged, and the database is not asked for them. The options may stand before PROFILE too.',
    ...DATABASE_RULES,
  ],
  errors: [10600, 10601, 10602, 10603, 10604, 10605, 10606, 90008],
  examples: [
    {
      databases: { crm: { users: [{ id: 1, name: 'kim' }] } },
      tables: { given: [{ id: 1 }, { id: 9 }, { id: null }] },
      query: 'table given | dblookup crm bypass="isnull(id)" select name from users where id = :id',
      normalized: 'table given | dblookup crm bypass="isnull(id)" "select name from users where id = :id"',
      gives: [{ id: 1, name: 'kim' }, { id: 9 }, { id: null }],
    },
  ],
  options: {
    bypass: about(text, { en: 'Condition of rows that are left as they are.', ko: '그대로 둘 행의 조건입니다.' }),
    timeout: about(durationOrSeconds, OPTION_SUMMARIES.timeout),
  },
  first: profileWord,
  read: (words, { first, nameSpan }) => ({ first, sql: takeSql(words, nameSpan) }),
  text: ({ sql }) => sqlText(sql),
  *plan({ first, sql: written }, planning) {
    const profile = databaseProfile(first, planning);
    const read = readingSql(written, profile);
    const spans = valueSpans(read, written);
    const hidden = new HiddenColumns(planning);
    const asked = yield* mapSliced(read.sql.names, (name) => {
      const at = spans.get(name) ?? written;
      return hidden.add(planning.field({ text: name, begin: at.begin, end: at.end })).id;
    });
    const condition = yield* bypassOf(planning);
    const bypass = condition && hidden.add(condition).id;
    const { rows } = planning;
    const fields = rows.columns.map(({ id, name }) => ({ column: planning.newColumn(name, 'any'), before: id }));
    const overflow = planning.hiddenColumn();
    const columns = fields.map(({ column }) => column);
    return {
      ...planning.planNode({ columns, overflow: { id: overflow, without: [] }, ...carried(rows) }),
      ...planning.account,
      kind: 'dblookup',
      input: hidden.input(),
      profile: profile?.name ?? '',
      profileAt: { begin: first.begin, end: first.end },
      sql: read.sql,
      asked,
      ...(bypass === undefined ? {} : { bypass }),
      ...timeoutOf(planning.options.timeout, planning),
      fields,
      overflow,
    };
  },
});

/** The expression in `bypass=`, with positions of the query. */
function* bypassOf(planning: CommandPlanning<LookupOptions>): SlicedWork<Expression | undefined> {
  const { bypass } = planning.options;
  const span = planning.optionAt('bypass');
  if (bypass === undefined || !span) return undefined;
  const begin = span.begin + 'bypass="'.length;
  try {
    const words = new Words(`${' '.repeat(begin)}${bypass}`, {
      begin,
      end: begin + bypass.length,
      brackets: new Map(),
    });
    const expression = yield* takeExpression(words);
    if (!words.isDone) throw words.unexpected();
    return yield* planning.expression(expression);
  } catch (error) {
    throw error instanceof QueryError ? inside(error, span) : error;
  }
}

/** Escapes in the STRING move positions behind them. */
function inside(error: QueryError, { begin, end }: Span): QueryError {
  const span = { begin: Math.min(Math.max(error.begin, begin), end), end: Math.min(Math.max(error.end, begin), end) };
  return new QueryError(error.code, span, error.values, error.help);
}
