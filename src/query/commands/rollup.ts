import type { Translated } from '#contract/values.ts';
import { about, text } from '#query/language/option-readers.ts';
import type { SortKey } from '#query/model/columns.ts';
import type { QueryExample } from '#query/model/example.ts';
import { QueryError } from '#query/model/query-error.ts';
import { unified } from '#query/model/values.ts';
import type { RolledKey } from '#query/plan-nodes/rollup.ts';
import { type CommandDeclaration, command } from '#query/planning/command.ts';
import { groupColumns, groupingText, plannedGrouping, takeGrouping } from './shared/grouping.ts';

/** Limit of the lists of keys that are grouped at once. */
const MAX_SETS = 1024;

export const rollup = rolling('rollup', { en: 'every shorter prefix of it', ko: '더 짧은 모든 앞부분' }, [
  {
    tables: {
      given: [
        { r: 'e', p: 'x', n: 1 },
        { r: 'e', p: 'y', n: 2 },
        { r: 'w', p: 'x', n: 4 },
      ],
    },
    query: 'table given | rollup label=ALL sum(n) as s by r, p',
    gives: [
      { r: 'e', p: 'x', s: 1 },
      { r: 'e', p: 'y', s: 2 },
      { r: 'e', p: 'ALL', s: 3 },
      { r: 'w', p: 'x', s: 4 },
      { r: 'w', p: 'ALL', s: 4 },
      { r: 'ALL', p: 'ALL', s: 7 },
    ],
  },
]);

export const cube = rolling('cube', { en: 'every subset of it', ko: '모든 부분 집합' }, [
  {
    tables: {
      given: [
        { r: 'e', p: 'x' },
        { r: 'w', p: 'x' },
      ],
    },
    query: 'table given | cube label=* count by r, p',
    normalized: 'table given | cube label="*" count by r, p',
    gives: [
      { r: 'e', p: 'x', count: 1 },
      { r: 'e', p: '*', count: 1 },
      { r: 'w', p: 'x', count: 1 },
      { r: 'w', p: '*', count: 1 },
      { r: '*', p: 'x', count: 2 },
      { r: '*', p: '*', count: 2 },
    ],
  },
]);

function rolling(name: 'rollup' | 'cube', lists: Translated, examples: readonly QueryExample[]): CommandDeclaration {
  const setsOf = (fields: number) => (name === 'cube' ? 2 ** fields : fields + 1);
  return command({
    name,
    class: 'transforming',
    syntax: `${name} [label=TEXT] AGG [as F], ... by names`,
    summary: {
      en: `The same as \`stats\` for the whole \`by\` list and for ${lists.en}; an omitted field holds the label, null by default.`,
      ko: `\`by\` 목록 전체와 ${lists.ko}에 대한 \`stats\`입니다. 빠진 필드에는 라벨이 들어갑니다.`,
    },
    rules: [
      'Rows are sorted by the `by` fields from left to right, with an omitted field after all values: the grand total is last. It exists without input too.',
      `At most ${name === 'cube' ? '10' : '1,023'} \`by\` fields (90009).`,
      '`label` is always a text, even if it is a number: `label=5` is normalized to `label="5"`.',
    ],
    errors: [22000, 22001, 22003, 90009, 90914],
    examples,
    options: {
      label: about(text, {
        en: 'Value of fields that are left out of a list of keys.',
        ko: '키 목록에서 빠진 필드의 값입니다.',
      }),
    },
    *read(words) {
      const grouping = yield* takeGrouping(words);
      const { by } = grouping;
      if (by.length === 0) throw new QueryError(22003, words.isDone ? words.endSpan : words.token());
      const beyond = by.find((_, index) => setsOf(index + 1) > MAX_SETS);
      if (beyond) throw new QueryError(90009, beyond, { what: { term: 'work' }, n: setsOf(by.length), max: MAX_SETS });
      return grouping;
    },
    text: groupingText,
    *plan(grouping, planning) {
      const { by, aggregates } = yield* plannedGrouping(grouping, planning);
      const { label } = planning.options;
      const keys = by.map((key): RolledKey => {
        const type = label === undefined ? key.column.type : unified(key.column.type, 'string');
        const shown = planning.newColumn(key.column.name, type);
        return { ...key, shown, leftOut: planning.hiddenColumn() };
      });
      const shown = keys.map((key) => ({ column: key.shown }));
      const columns = groupColumns(shown, aggregates);
      const order = keys.flatMap(({ column, leftOut }): SortKey[] => [
        { column: leftOut, descending: false },
        { column: column.id, descending: false },
      ]);
      const sets = name === 'cube' ? 'subsets' : 'prefixes';
      return {
        ...planning.step({ columns, order }),
        kind: 'rollup',
        sets,
        by: keys,
        aggregates,
        ...(label === undefined ? {} : { label }),
      };
    },
  });
}
