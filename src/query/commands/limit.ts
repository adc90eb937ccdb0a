import type { SlicedWork } from '#kernel/sliced-work.ts';
import { takeExpression } from '#query/language/expressions/expression-parser.ts';
import { expressionText } from '#query/language/expressions/expression-text.ts';
import { whole } from '#query/language/option-readers.ts';
import type { Words } from '#query/language/words.ts';
import type { ParameterRead, Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

const reader = whole(0, 22400);

type Count = { readonly value: bigint } | { readonly parameter: ParameterRead };

export const limit = command({
  name: 'limit',
  class: 'transforming',
  syntax: 'limit [OFFSET] N',
  summary: {
    en: 'Passes N rows after dropping OFFSET rows, then ends the preceding commands successfully.',
    ko: 'OFFSET 행을 버린 뒤 N 행을 내보내고 앞의 명령을 정상으로 끝냅니다.',
  },
  rules: ['Both are whole numbers from 0 on, constants or `$()`. A preceding sink still receives all its rows.'],
  errors: [22400],
  examples: [
    { tables: { given: [{ n: 1 }, { n: 2 }, { n: 3 }] }, query: 'table given | limit 1 1', gives: [{ n: 2 }] },
    { tables: { given: [{ n: 1 }] }, query: 'table given | limit -1', refused: { code: 22400, begin: 20, end: 22 } },
    {
      tables: { given: [{ n: 1 }] },
      query: 'table given | limit $("rows")',
      refused: { code: 22400, begin: 20, end: 29 },
    },
  ],
  *read(words) {
    const first = yield* takeCount(words);
    if (words.isDone) return { count: first };
    return { offset: first, count: yield* takeCount(words) };
  },
  text: ({ offset, count }) => [offset, count].flatMap((one) => (one ? [countText(one)] : [])).join(' '),
  plan({ offset, count }, planning) {
    planning.warnUnordered();
    const from = offset ? countOf(offset, planning) : 0n;
    return { ...planning.step(planning.rows), kind: 'limit', offset: from, count: countOf(count, planning) };
  },
});

function* takeCount(words: Words): SlicedWork<Count> {
  if (words.startsWith('$(')) {
    const parameter = yield* takeExpression(words, { keywords: [], aggregate: 90307, least: Number.POSITIVE_INFINITY });
    if (parameter.kind === 'parameter') return { parameter };
    throw wrong(parameter);
  }
  const word = words.takeWord();
  if (!word) throw wrong(words.isDone ? words.endSpan : words.token());
  return { value: reader.read({ ...word, name: 'limit', isQuoted: false }) };
}

const countText = (count: Count) => ('value' in count ? String(count.value) : expressionText(count.parameter));

function countOf(count: Count, planning: CommandPlanning<unknown>): bigint {
  if ('value' in count) return count.value;
  const value = planning.parameter(count.parameter);
  // A plan that is made before the parameter has a value is never run.
  if (value === undefined || (value === null && planning.queryContext.isCheck)) return 0n;
  const { begin, end } = count.parameter;
  return reader.take(value, { name: 'limit', text: '', isQuoted: false, begin, end });
}

const wrong = (span: Span) => new QueryError(22400, span, { min: 0 });
