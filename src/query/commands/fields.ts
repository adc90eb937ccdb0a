import { fieldsText } from '#query/language/expression-text.ts';
import type { Name } from '#query/language/words.ts';
import type { Column } from '#query/model/columns.ts';
import { carried, columnNamed, fieldIn, withoutNames } from '#query/model/columns.ts';
import type { Assigned } from '#query/nodes/node.ts';
import { command } from '#query/planning/command.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

export const fields = command({
  name: 'fields',
  class: 'processing',
  syntax: 'fields names or fields - names',
  summary: 'Keeps the named columns in this order; with `-` drops them.',
  rules: ['The first form closes the column list: unknown names become null columns.'],
  errors: [],
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
  ],
  read(words) {
    const isDropping = words.take('-');
    const names = words.takeNames([], () => words.tooFew({ term: 'field' }));
    return { isDropping, names };
  },
  text: ({ isDropping, names }) => `${isDropping ? '- ' : ''}${fieldsText(names, [])}`,
  plan({ isDropping, names }, planning) {
    if (isDropping) {
      const rows = withoutNames(
        planning.rows,
        names.map(({ text }) => text),
      );
      return { ...planning.step(rows), kind: 'project', assigned: [] };
    }
    return kept(names, planning);
  },
});

function kept(names: readonly Name[], planning: CommandPlanning<unknown>) {
  const { rows } = planning;
  const assigned: Assigned[] = [];
  const columns = names.map((name): Column => {
    const known = columnNamed(rows, name.text);
    if (known) return known;
    const value = planning.field(name);
    const column = planning.newColumn(name.text, value.type);
    assigned.push({ column, value: fieldIn(rows, name.text, name) });
    return column;
  });
  return { ...planning.step({ columns, ...carried(rows) }), kind: 'project' as const, assigned };
}
