import { mapSliced } from '#kernel/sliced-work.ts';
import { fieldsText, fieldText } from '#query/language/expressions/expression-text.ts';
import { about, whole } from '#query/language/option-readers.ts';
import type { Words } from '#query/language/words.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import { groupKeys } from './shared/grouping.ts';

const KEYWORDS = ['by'];

export const sort = command({
  name: 'sort',
  class: 'transforming',
  syntax: 'sort [limit=N] keys [by names]',
  summary: {
    en: 'Sorts the rows; with `-` before a key descending, with `+` or no sign ascending.',
    ko: '행을 정렬합니다. 키 앞의 `-`는 내림차순, `+`나 부호 없음은 오름차순입니다.',
  },
  rules: [
    'Nulls come first in ascending and last in descending order; equal rows keep their order if it was defined.',
    '`limit=N` (N ≥ 1, none by default) keeps the first N rows. With `by`, partitions are sorted by the `by` fields, rows are sorted inside them and N counts per partition: `sort limit=1 -_time by user` is the newest row of each user.',
  ],
  errors: [22300, 22301],
  examples: [
    {
      tables: { given: [{ u: 'b', n: 2 }, { u: 'a', n: 1 }, { u: 'b', n: 7 }, { u: 'a' }] },
      query: 'table given | sort limit=1 -n by u',
      gives: [
        { u: 'a', n: 1 },
        { u: 'b', n: 7 },
      ],
    },
    {
      tables: { given: [{ s: 'b' }, { s: 2 }, { s: 'B' }, {}, { s: true }, { s: 10 }] },
      query: 'table given | sort s',
      gives: [{}, { s: true }, { s: 2 }, { s: 10 }, { s: 'B' }, { s: 'b' }],
    },
    {
      tables: {
        given: [
          { u: 'b', n: 2 },
          { u: 'a', n: 1 },
          { u: 'b', n: 7 },
        ],
      },
      query: 'table given | sort +u, -n',
      normalized: 'table given | sort u, -n',
      gives: [
        { u: 'a', n: 1 },
        { u: 'b', n: 7 },
        { u: 'b', n: 2 },
      ],
    },
    {
      tables: { given: [{ n: 1 }] },
      query: 'table given | sort n desc',
      refused: { code: 90012, begin: 21, end: 25, hints: [91015] },
    },
  ],
  options: {
    limit: about(whole(1, 22301), {
      en: 'Number of rows that are kept, with `by` of each group.',
      ko: '남길 행의 수, `by`가 있으면 그룹마다의 수입니다.',
    }),
  },
  *read(words) {
    const missing = () => new QueryError(22300, words.isDone ? words.endSpan : words.token());
    if (words.isKeyword('by')) throw sortedBy(words);
    const signed = yield* words.takeKeys(KEYWORDS, missing);
    const keys = signed.map(({ name, sign }) => ({ name, descending: sign === '-' }));
    const by = words.takeKeyword('by') ? yield* words.takeNames(KEYWORDS, missing, 22002) : [];
    return { keys, by };
  },
  text({ keys, by }) {
    const fields = keys.map(({ name, descending }) => `${descending ? '-' : ''}${fieldText(name.text, KEYWORDS)}`);
    return `${fields.join(', ')}${by.length > 0 ? ` by ${fieldsText(by, KEYWORDS)}` : ''}`;
  },
  *plan({ keys, by }, planning) {
    const { limit } = planning.options;
    const partitions = yield* groupKeys(by, planning);
    const sorted = yield* mapSliced(keys, ({ name, descending }) => {
      const value = planning.field(name);
      return { column: planning.newColumn(name.text, value.type), value, descending };
    });
    const order = [
      ...partitions.map(({ column }) => ({ column: column.id, descending: false })),
      ...sorted.map(({ column, descending }) => ({ column: column.id, descending })),
      ...(planning.rows.order ?? []),
    ];
    const step = planning.step({ ...planning.rows, order });
    return { ...step, kind: 'sort', by: partitions, keys: sorted, ...(limit === undefined ? {} : { limit }) };
  },
});

/** `sort by F` of other languages. */
function sortedBy(words: Words): QueryError {
  const by = words.token();
  words.takeKeyword('by');
  const hints = words.isDone ? [] : [{ code: 91015 as const, values: { field: words.token().text } }];
  return new QueryError(90207, by, {}, { hints });
}
