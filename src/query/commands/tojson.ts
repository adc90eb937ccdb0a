import { mapSliced } from '#kernel/sliced-work.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { about, orElse, text } from '#query/language/option-readers.ts';
import { withColumn } from '#query/model/columns.ts';
import { command } from '#query/planning/command.ts';

export const tojson = command({
  name: 'tojson',
  class: 'processing',
  syntax: 'tojson [output=_json] [names]',
  summary: {
    en: 'Adds the row, or the named fields, as compact JSON text.',
    ko: '행 또는 지정한 필드를 JSON 텍스트로 더합니다.',
  },
  rules: [
    'Keys follow the order of columns, then those of the overflow; null fields are omitted.',
    'Without names `_table`, `_time`, `_id` and `_node` are omitted.',
  ],
  errors: [],
  examples: [
    {
      tables: { given: [{ b: 1, a: 'x"y', n: null, t: '@2026-11-15 09:00:00+0900' }] },
      query: 'table given | tojson output=j | fields j',
      gives: [{ j: '{"b":1,"a":"x\\"y","t":"2026-11-15 09:00:00+0900"}' }],
    },
  ],
  options: { output: about(orElse('_json', text), { en: 'Name of the new field.', ko: '새 필드의 이름입니다.' }) },
  read: (words) => (words.isDone ? [] : words.takeNames([], () => words.tooFew({ term: 'field' }))),
  text: (names) => fieldsText(names, []),
  *plan(names, planning) {
    const column = planning.newColumn(planning.options.output ?? '_json', 'string');
    const fields = yield* mapSliced(names, (name) => ({ name: name.text, value: planning.field(name) }));
    const step = planning.step(withColumn(planning.rows, column));
    return { ...step, kind: 'tojson', column, ...(fields.length > 0 ? { fields } : {}) };
  },
});
