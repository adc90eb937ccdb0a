import { mapSliced } from '#kernel/sliced-work.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { withColumns } from '#query/model/columns.ts';
import { command } from '#query/planning/command.ts';
import { inSequence } from './shared/sequences.ts';

export const prev = command({
  name: 'prev',
  class: 'transforming',
  syntax: 'prev names',
  summary: {
    en: 'Adds `prev_F` with the value of the field F in the previous row; null in the first row.',
    ko: '앞 행의 필드 F 값을 `prev_F`로 더합니다. 첫 행에서는 null입니다.',
  },
  rules: [
    'All rows are one sequence.',
    'Rows that are equal in the preceding order keep the order in which they were read; a later `limit` does not end the input early.',
  ],
  errors: [],
  examples: [
    {
      tables: { given: [{ n: 1 }, { n: 4 }] },
      query: 'table given | prev n | eval d = n - prev_n',
      gives: [{ n: 1 }, { n: 4, prev_n: 1, d: 3 }],
    },
  ],
  read: (words) => words.takeNames([], () => words.tooFew({ term: 'field' })),
  text: (names) => fieldsText(names, []),
  *plan(names, planning) {
    planning.warnUnordered();
    const fields = yield* mapSliced(names, (name) => {
      const value = planning.field(name);
      return { column: planning.newColumn(`prev_${name.text}`, value.type), value };
    });
    const made = withColumns(
      planning.rows,
      fields.map(({ column }) => column),
    );
    const { rows, sequence } = inSequence(made, planning);
    return { ...planning.step(rows), kind: 'prev', fields, sequence };
  },
});
