import { fieldText } from '#query/language/expressions/expression-text.ts';
import { withColumn } from '#query/model/columns.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';

export const explode = command({
  name: 'explode',
  class: 'processing',
  syntax: 'explode F',
  summary: {
    en: 'Outputs a row for each element of a list, in order.',
    ko: '목록의 원소마다 한 행을 차례로 내보냅니다.',
  },
  rules: [
    'A row whose field is null or an empty list stays, with null in the field. A value that is no list stays unchanged.',
  ],
  errors: [21000],
  examples: [
    {
      tables: { given: [{ x: 1, l: [1, 'b'] }, { x: 2, l: [] }, { x: 3 }, { x: 4, l: 's' }] },
      query: 'table given | explode l',
      gives: [{ x: 1, l: 1 }, { x: 1, l: 'b' }, { x: 2 }, { x: 3 }, { x: 4, l: 's' }],
    },
  ],
  read(words) {
    const name = words.takeName([], () => new QueryError(21000, words.isDone ? words.endSpan : words.token()));
    if (!words.isDone) throw new QueryError(21000, words.token());
    return name;
  },
  text: (name) => fieldText(name.text, []),
  plan(name, planning) {
    const source = planning.field(name);
    const column = planning.newColumn(name.text, 'any');
    const position = planning.hiddenColumn();
    const exploded = planning.hiddenColumn();
    const { order, exploded: before } = planning.rows;
    const rows = { ...withColumn(planning.rows, column), exploded };
    const ordered = order ? { ...rows, order: [...order, { column: position, descending: false }] } : rows;
    return {
      ...planning.step(ordered),
      kind: 'explode',
      source,
      column,
      position,
      exploded,
      ...(before === undefined ? {} : { before }),
    };
  },
});
