import type { SlicedWork } from '#kernel/sliced-work.ts';
import { about, flag, orElse } from '#query/language/option-readers.ts';
import type { Rows } from '#query/model/columns.ts';
import { readColumn } from '#query/model/columns.ts';
import type { Duration } from '#query/model/durations.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Plan } from '#query/plan-nodes/plan.ts';
import type { TextCondition } from '#query/plan-nodes/shared/text-condition.ts';
import type { WindowScan } from '#query/plan-nodes/window.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { lower } from '#query/values/text/strings.ts';
import { literal } from '#query/values/typing.ts';
import { MAX_SEARCHED_ENTRIES, SCAN_SYNTAX, type ScanValues, scan, scanOptions, windowScan } from './shared/sources.ts';
import { TABLES_SYNTAX, type TableNaming, tablesText, takeTables } from './shared/table-parameters.ts';
import { isEveryRow, subqueriesIn, type Terms, takeTerms, termsText } from './shared/text-terms.ts';

export const fulltext = command({
  name: 'fulltext',
  class: 'driver',
  syntax: `fulltext ${SCAN_SYNTAX} [tt=f] TERMS [from ${TABLES_SYNTAX}]`,
  summary: {
    en: 'Reads the rows of tables that contain terms, without regard to case. Without `from` it reads all readable tables.',
    ko: '검색어가 있는 행을 대소문자 구분 없이 읽습니다. `from`이 없으면 읽을 수 있는 모든 테이블을 읽습니다.',
  },
  rules: [
    'TERMS are joined by `and`, `or`, prefix `not` and parentheses. `"term"` matches if a field whose name does not start with `_` contains it. Text and term are split into words (runs of letters and digits); several words must be consecutive in one field, with `tt=t` each may be anywhere in the row.',
    '`"*"` alone fits every row. A star is allowed only at the very start or end of a term, next to a word: `"adm*"` matches words that start with `adm`.',
    '`F == "pattern"`, `!=`, `<`, `<=`, `>`, `>=` with a constant; `F == range(LO, HI)` and `F == iprange(LO, HI)`, both inclusive.',
    '`[ QUERY ]` and `F == [ QUERY ]` match any value of the first column of the subquery. Its words are searched like those of a term; a star in them is a plain character.',
    '`window=D` reads rows as they arrive for D from the start, as `table` does, and no stored rows; it allows no subquery.',
    'Values of `[ QUERY ]` without a letter or digit match nothing; `F == [ QUERY ]` is the same as `eqi(F, value)` for any of the values; other comparisons do not allow a bracket (90201). The first column is the first known column of the plan, for a plain table `_table`. A bracket together with `window` is 92002.',
    'Letters that are newer than Unicode 15 belong to words in arriving rows, and separate words in stored rows.',
  ],
  errors: [10001, 10003, 10004, 10005, 10006, 10007, 10100, 10101, 10102, 10500, 90010, 92002],
  examples: [
    {
      tables: {
        web: [{ line: 'GET /?q=1 UNION  Select x' }, { line: 'reunion select' }, { line: 'union all select' }],
      },
      query: 'fulltext "union select" and not ("10.0.0.1" or "al*") from web',
      gives: [{ line: 'GET /?q=1 UNION  Select x' }],
    },
    {
      tables: {
        web: [
          { line: 'login of Kim', src: '10.0.0.1' },
          { line: 'logout of kim-2', src: '10.0.0.9' },
          { line: 'login of lee', src: '10.0.0.2' },
        ],
        bad: [{ who: 'KIM' }, { who: null }],
        known: [{ ip: '10.0.0.9' }],
      },
      query: 'fulltext [ table bad | fields who ] and not src == [ table known | fields ip ] from web',
      normalized: 'fulltext [ table bad | fields who ] and not (src == [ table known | fields ip ]) from web',
      gives: [{ line: 'login of Kim', src: '10.0.0.1' }],
    },
    {
      tables: {
        web: [
          { _time: '@2026-11-15 10:00:00+0900', line: 'login of kim' },
          { _time: '@2026-11-15 11:00:00+0900', line: 'kim, login failed' },
          { _time: '@2026-11-15 11:30:00+0900', line: 'Login of lee' },
        ],
      },
      query: 'fulltext from=20261115100000 to=20261115113000 order=asc offset=1 limit=1 "login" from web | fields line',
      gives: [{ line: 'kim, login failed' }],
    },
    {
      tables: { web: [{ a: 'of kim', b: 'login' }, { a: 'login', b: 'failed' }, { a: 'kim of' }] },
      query: 'fulltext tt=t "kim login" from web',
      gives: [{ a: 'of kim', b: 'login' }],
    },
  ],
  options: {
    ...scanOptions,
    tt: about(orElse(false, flag), {
      en: 'Lets the words of a term stand anywhere in the row.',
      ko: '검색어의 단어가 행 어디에 있어도 됩니다.',
    }),
  },
  optionsMayFollow: true,
  *read(words, { subquery }) {
    const terms = yield* takeTerms(words, subquery);
    return { terms, specs: words.takeKeyword('from') ? yield* takeTables(words) : undefined };
  },
  text: ({ terms, specs }) => `${termsText(terms)}${specs ? ` from ${tablesText(specs)}` : ''}`,
  subqueries: ({ terms }) => subqueriesIn(terms),
  *plan({ terms, specs }, planning) {
    const { window, tt: anywhere = false } = planning.options;
    if (window) return yield* planWindow({ terms, specs }, { window, anywhere }, planning);
    const scanned = scan(specs, planning, { maxEntries: MAX_SEARCHED_ENTRIES });
    const condition = yield* planned(terms, scanned.rows, planning);
    return { ...scanned, kind: 'fulltext', condition, anywhere, subqueries: plansIn(condition) };
  },
});

/**
 * Plans `window=`. Subqueries are rejected, because only statements can search for their values and arriving rows are
 * not read by statements.
 */
function* planWindow(
  { terms, specs }: { readonly terms: Terms; readonly specs: readonly TableNaming[] | undefined },
  { window, anywhere }: { readonly window: Duration; readonly anywhere: boolean },
  planning: CommandPlanning<ScanValues>,
): SlicedWork<WindowScan> {
  const scanned = windowScan(specs, window, planning);
  if (subqueriesIn(terms).length > 0) {
    throw new QueryError(92002, planning.optionAt('window') ?? planning.span, { name: 'window=D … [ QUERY ]' });
  }
  return { ...scanned, sought: { condition: yield* planned(terms, scanned.rows, planning), anywhere } };
}

function* planned(terms: Terms, rows: Rows, planning: CommandPlanning<unknown>): SlicedWork<TextCondition> {
  switch (terms.kind) {
    case 'and':
    case 'or': {
      const operands: TextCondition[] = [];
      for (const operand of terms.operands) {
        operands.push(yield* planned(operand, rows, planning));
        yield;
      }
      return { kind: terms.kind, operands };
    }
    case 'not':
      return { kind: 'not', operand: yield* planned(terms.operand, rows, planning) };
    case 'term':
      return isEveryRow(terms.parts) ? everyRow(rows, planning) : wordsOf(terms.parts);
    case 'found': {
      const field = terms.field && planning.field(terms.field, rows);
      const query = yield* planning.context.planSubquery(terms.query, planning.constants.copy(), 'subquery');
      const [first] = query.result.rows.columns;
      const value = first && readColumn(first, terms.query);
      return { kind: 'found', query, ...(field ? { field } : {}), ...(value ? { value } : {}) };
    }
    case 'comparison': {
      const field = planning.field(terms.field, rows);
      return { kind: 'comparison', field, operator: terms.operator, value: yield* planning.constant(terms.value) };
    }
    default: {
      const field = planning.field(terms.field, rows);
      return {
        kind: terms.kind,
        field,
        low: yield* planning.constant(terms.low),
        high: yield* planning.constant(terms.high),
      };
    }
  }
}

function plansIn(condition: TextCondition): Plan[] {
  if ('operands' in condition) return condition.operands.flatMap(plansIn);
  if (condition.kind === 'not') return plansIn(condition.operand);
  return condition.kind === 'found' ? [condition.query] : [];
}

/** Every row has the name of its table. */
const everyRow = (rows: Rows, planning: CommandPlanning<unknown>): TextCondition => ({
  kind: 'comparison',
  field: planning.quietField('_table', rows),
  operator: '>=',
  value: literal('', planning.span),
});

function wordsOf(parts: readonly string[]): TextCondition {
  const words = lower(parts.join('')).match(/[\p{L}\p{Nd}]+/gu) ?? [];
  const isWild = parts.length > 1;
  return { kind: 'term', words, openStart: isWild && parts[0] === '', openEnd: isWild && parts.at(-1) === '' };
}
