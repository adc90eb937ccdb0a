import { takeExpression } from '#query/language/expressions/expression-parser.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { about, orElse, whole } from '#query/language/option-readers.ts';
import { command } from '#query/planning/command.ts';
import { warnOrderedFunctions } from '#query/planning/order-warnings.ts';
import { searchCondition } from './shared/condition-warnings.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

export const search = command({
  name: 'search',
  class: 'processing',
  syntax: 'search [offset=0] [limit=N] EXPR',
  summary: { en: 'Keeps the rows for which the expression is true.', ko: '식이 참인 행만 남깁니다.' },
  rules: [
    '`offset=N` drops the first N of these rows; `limit=N` (N ≥ 1, none by default) stops after N further rows, like the command `limit`.',
    'A text or number alone is true for every row (warning 90906); a field alone whose type is known and not bool keeps every row in which it is neither null nor false (90907); a comparison with a bare name that is no field is meant as text (90904).',
  ],
  errors: [90008, 90904, 90906, 90907],
  examples: [
    {
      tables: { given: [{ s: 500 }, { s: '404' }, { u: 'x' }, { s: 403 }] },
      query: 'table given | search limit=1 s >= 400 and not(s == 500)',
      normalized: 'table given | search limit=1 (s >= 400) and not(s == 500)',
      gives: [{ s: '404' }],
    },
    {
      tables: { given: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }] },
      query: 'table given | search offset=1 limit=2 n > 1',
      gives: [{ n: 3 }, { n: 4 }],
    },
    {
      tables: { given: [{ line: 'a' }, { line: 'union select' }] },
      query: 'table given | search "union select"',
      gives: [{ line: 'a' }, { line: 'union select' }],
      warns: [{ code: 90906, begin: 21, end: 35, hints: [91037] }],
    },
    {
      tables: { given: [{ user: 'kim', n: 1 }] },
      query: 'table given | search user and user == lee',
      normalized: 'table given | search user and (user == lee)',
      gives: [],
      warns: [
        { code: 90907, begin: 21, end: 25 },
        { code: 90904, begin: 38, end: 41, hints: [91038] },
      ],
    },
    {
      tables: { given: [{ status: 500, user: 'kim' }] },
      query: 'table given | search stauts == 500',
      gives: [],
      warns: [{ code: 90902, begin: 21, end: 27 }],
    },
    {
      tables: { given: [{ a: 1 }] },
      query: 'table given | parsejson | search anything == 1 | fields b | search c',
      gives: [],
      warns: [{ code: 90902, begin: 67, end: 68 }],
    },
  ],
  options: {
    offset: about(orElse(0n, whole(0)), OPTION_SUMMARIES.offset),
    limit: about(whole(1), OPTION_SUMMARIES.limit),
  },
  read: (words) => takeExpression(words),
  text: (condition) => expressionText(condition),
  *plan(condition, planning) {
    const { offset = 0n, limit } = planning.options;
    const isCut = offset > 0n || limit !== undefined;
    if (isCut) planning.warnUnordered();
    const resolved = yield* searchCondition(condition, planning);
    warnOrderedFunctions([resolved], planning);
    const step = planning.step(planning.rows);
    return { ...step, kind: 'filter', condition: resolved, ...(isCut ? { cut: { offset, limit } } : {}) };
  },
});
