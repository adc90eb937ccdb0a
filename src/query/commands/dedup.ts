import { mapSliced } from '#kernel/sliced-work.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { about, orElse, whole } from '#query/language/option-readers.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';

export const dedup = command({
  name: 'dedup',
  class: 'transforming',
  syntax: 'dedup [count=1] keys',
  summary: {
    en: 'Keeps the first N rows of each combination of values, in their order.',
    ko: '값의 조합마다 처음 N 행을 순서대로 남깁니다.',
  },
  rules: ['Null counts as a value. A sign before a key has no effect.'],
  errors: [22800],
  examples: [
    {
      tables: { given: [{ u: 'a', n: 1 }, { u: null, n: 2 }, { u: 'a', n: 3 }, { n: 4 }] },
      query: 'table given | dedup +u',
      normalized: 'table given | dedup u',
      gives: [
        { u: 'a', n: 1 },
        { u: null, n: 2 },
      ],
    },
    {
      tables: {
        given: [
          { u: 'a', n: 1 },
          { u: 'b', n: 2 },
          { u: 'a', n: 3 },
          { u: 'a', n: 4 },
        ],
      },
      query: 'table given | dedup count=2 u',
      gives: [
        { u: 'a', n: 1 },
        { u: 'b', n: 2 },
        { u: 'a', n: 3 },
      ],
    },
  ],
  options: {
    count: about(orElse(1n, whole(1, 22800)), { en: 'How many of the rows are kept.', ko: '남길 행의 수입니다.' }),
  },
  *read(words) {
    const keys = yield* words.takeKeys([], () => new QueryError(22800, words.isDone ? words.endSpan : words.token()));
    return keys.map(({ name }) => name);
  },
  text: (names) => fieldsText(names, []),
  *plan(names, planning) {
    planning.warnUnordered();
    const keys = yield* mapSliced(names, (name) => planning.field(name));
    return { ...planning.step(planning.rows), kind: 'dedup', keys, count: planning.options.count ?? 1n };
  },
});
