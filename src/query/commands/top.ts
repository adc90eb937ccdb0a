import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { about, orElse, text, whole } from '#query/language/option-readers.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { QueryExample } from '#query/model/example.ts';
import { QueryError } from '#query/model/query-error.ts';
import { type CommandDeclaration, command } from '#query/planning/command.ts';
import { takeFieldsAfter } from './shared/aggregate-list.ts';
import { ascending, groupKeys } from './shared/grouping.ts';

const KEYWORDS = ['by'];
const reader = whole(1, 22900);

const OPTIONS = {
  countfield: about(orElse('count', text), { en: 'Name of the column of counts.', ko: '개수 컬럼의 이름입니다.' }),
  percentfield: about(orElse('percent', text), { en: 'Name of the column of shares.', ko: '비율 컬럼의 이름입니다.' }),
} as const;

export const top = ranking('top', 'most', [
  {
    tables: { given: [{ u: 'a' }, { u: 'b' }, { u: 'a' }, { u: 'c' }] },
    query: 'table given | top 2 u',
    gives: [
      { u: 'a', count: 2, percent: 50 },
      { u: 'b', count: 1, percent: 25 },
    ],
    columns: ['u', 'count', 'percent'],
  },
  {
    tables: {
      given: [
        { h: 1, u: 'a' },
        { h: 1, u: 'b' },
        { h: 1, u: 'a' },
        { h: 2, u: 'b' },
      ],
    },
    query: 'table given | top countfield=n percentfield=share 1 u by h',
    gives: [
      { h: 1, u: 'a', n: 2, share: 66.66666666666667 },
      { h: 2, u: 'b', n: 1, share: 100 },
    ],
    columns: ['h', 'u', 'n', 'share'],
  },
]);
export const rare = ranking('rare', 'least', [
  {
    tables: { given: [{ u: 'a' }, { u: 'b' }, { u: 'a' }, { u: 'c' }] },
    query: 'table given | rare countfield=n 1 +u',
    normalized: 'table given | rare countfield=n 1 u',
    gives: [{ u: 'b', n: 1, percent: 25 }],
  },
  {
    tables: {
      given: [
        { h: 1, u: 'a' },
        { h: 1, u: 'b' },
        { h: 1, u: 'a' },
        { h: 1, u: 'a' },
        { h: 2, u: 'b' },
      ],
    },
    query: 'table given | rare percentfield=share 1 u by h',
    gives: [
      { h: 1, u: 'b', count: 1, share: 25 },
      { h: 2, u: 'b', count: 1, share: 100 },
    ],
  },
]);

function ranking(name: 'top' | 'rare', which: 'most' | 'least', examples: readonly QueryExample[]): CommandDeclaration {
  return command({
    name,
    class: 'transforming',
    syntax: `${name} [countfield=count] [percentfield=percent] N keys [by names]`,
    summary: {
      en: `Counts each combination of the names, within each \`by\` group, and keeps the N ${which} frequent.`,
      ko: `\`by\` 그룹 안에서 이름의 조합을 세어 가장 ${name === 'top' ? '많은' : '적은'} N개를 남깁니다.`,
    },
    rules: [
      'N must be written. A sign before a key has no effect. Columns: `by` fields, names, count, and percent of all rows of the group.',
      `Rows are sorted by the \`by\` fields, then by count ${name === 'top' ? 'descending' : 'ascending'}, then by the names.`,
    ],
    errors: [22003, 22004, 22900],
    examples,
    options: OPTIONS,
    *read(words) {
      const count = takeCount(words);
      const keys = yield* words.takeKeys(KEYWORDS, () => words.tooFew({ term: 'field' }));
      const by = words.takeKeyword('by') ? yield* takeFieldsAfter(words, KEYWORDS) : [];
      const names = keys.map(({ name }) => name);
      requireFree(
        by,
        names.map(({ text: name }) => name),
      );
      return { count, names, by };
    },
    text: ({ count, names, by }) =>
      `${count} ${fieldsText(names, KEYWORDS)}${by.length > 0 ? ` by ${fieldsText(by, KEYWORDS)}` : ''}`,
    *plan({ count, names, by }, planning) {
      const { countfield = 'count', percentfield = 'percent' } = planning.options;
      const taken = [...by, ...names].map(({ text: name }) => name);
      const at = (option: 'countfield' | 'percentfield') => planning.optionAt(option) ?? planning.span;
      requireFree([{ text: countfield, ...at('countfield') }], taken);
      requireFree([{ text: percentfield, ...at('percentfield') }], [...taken, countfield]);
      const groups = yield* groupKeys(by, planning);
      const counted = yield* groupKeys(names, planning);
      const countColumn = planning.newColumn(countfield, 'long');
      const percentColumn = planning.newColumn(percentfield, 'double');
      const byCount = { column: countColumn.id, descending: name === 'top' };
      const order = [...ascending(groups), byCount, ...ascending(counted)];
      const columns = [...[...groups, ...counted].map(({ column }) => column), countColumn, percentColumn];
      const step = planning.step({ columns, order });
      return {
        ...step,
        kind: 'top',
        least: name === 'rare',
        count,
        by: groups,
        names: counted,
        countColumn,
        percentColumn,
      };
    },
  });
}

/** Rejects a column that is named like another one (22004). */
function requireFree(columns: readonly Name[], taken: readonly string[]): void {
  const names = new Set(taken);
  const clash = columns.find(({ text: name }) => names.has(name));
  if (clash) throw new QueryError(22004, clash, { name: clash.text });
}

function takeCount(words: Words): bigint {
  const word = /^[-\d]/.test(words.here) ? words.takeWord() : undefined;
  if (!word) throw countMissing(words);
  return reader.read({ ...word, name: 'N', isQuoted: false });
}

function countMissing(words: Words): QueryError {
  if (words.isDone) return new QueryError(22900, words.endSpan, { min: 1 });
  const token = words.token();
  const hint = { code: 91016, values: { n: 10, field: token.text }, replacement: `10 ${token.text}` } as const;
  return new QueryError(22900, token, { min: 1 }, { hints: [hint] });
}
