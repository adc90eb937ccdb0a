import { mapSliced, type SlicedWork } from '#kernel/sliced-work.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { Column } from '#query/model/columns.ts';
import { carried, columnNamed, fieldIn, withoutNames } from '#query/model/columns.ts';
import type { QueryError } from '#query/model/query-error.ts';
import type { Assigned } from '#query/plan-nodes/plan-node.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

export const fields = command({
  name: 'fields',
  class: 'processing',
  syntax: 'fields names or fields - names',
  summary: {
    en: 'Keeps the named columns in this order; with `-` drops them.',
    ko: '지정한 컬럼만 이 순서로 남깁니다. `-`가 있으면 그 컬럼을 뺍니다.',
  },
  rules: [
    'The first form closes the column list: unknown names become null columns.',
    'In the second form `-` may be repeated before each further name.',
  ],
  errors: [90012, 90201],
  examples: [
    {
      tables: { given: [{ a: 1, b: 2, c: 3 }] },
      query: 'table given | fields c, x, a',
      gives: [{ c: 3, a: 1 }],
      columns: ['c', 'x', 'a'],
    },
    {
      tables: { given: [{ a: 1, b: 2, c: 3 }] },
      query: 'table given | fields - a,b',
      normalized: 'table given | fields - a, b',
      gives: [{ c: 3 }],
      columns: ['c'],
    },
    {
      tables: { given: [{ a: 1, b: 2, c: 3 }] },
      query: 'table given | fields - a, -b',
      normalized: 'table given | fields - a, b',
      gives: [{ c: 3 }],
    },
    {
      tables: { given: [{ a: 1, b: 2 }] },
      query: 'table given | fields a b',
      refused: { code: 90012, begin: 23, end: 24, hints: [91017] },
    },
  ],
  *read(words) {
    const isDropping = words.take('-');
    const missing = () => words.tooFew({ term: 'field' });
    const names = isDropping ? yield* takeDropped(words, missing) : yield* words.takeNames([], missing);
    return { isDropping, names };
  },
  text: ({ isDropping, names }) => `${isDropping ? '- ' : ''}${fieldsText(names, [])}`,
  *plan({ isDropping, names }, planning) {
    if (isDropping) {
      const rows = withoutNames(
        planning.rows,
        names.map(({ text }) => text),
      );
      return { ...planning.step(rows), kind: 'project', assigned: [] };
    }
    return yield* kept(names, planning);
  },
});

/** A `-` may stand before each further name. */
function* takeDropped(words: Words, missing: () => QueryError): SlicedWork<readonly Name[]> {
  let isFirst = true;
  const names = yield* words.takeList(() => {
    if (!isFirst) words.take('-');
    isFirst = false;
    return words.takeName([], missing);
  });
  return yield* words.distinct(names, (name) => name, 20100);
}

function* kept(names: readonly Name[], planning: CommandPlanning<unknown>) {
  const { rows } = planning;
  const assigned: Assigned[] = [];
  const columns = yield* mapSliced(names, (name): Column => {
    const known = columnNamed(rows, name.text);
    if (known) return known;
    const value = planning.field(name);
    const column = planning.newColumn(name.text, value.type);
    assigned.push({ column, value: fieldIn(rows, name.text, name) });
    return column;
  });
  return { ...planning.step({ columns, ...carried(rows) }), kind: 'project' as const, assigned };
}
