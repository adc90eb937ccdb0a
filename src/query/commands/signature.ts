import { functionNamed } from '#query/functions/index.ts';
import { about, orElse, text } from '#query/language/option-readers.ts';
import { withColumn } from '#query/model/columns.ts';
import { command, noObjects } from '#query/planning/command.ts';
import { call } from '#query/values/typing.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

export const signature = command({
  name: 'signature',
  class: 'processing',
  syntax: 'signature [field=line]',
  summary: {
    en: 'Adds `signature`: the text without its double-quoted parts, letters, digits and white space.',
    ko: '따옴표 안, 글자, 숫자, 공백을 뺀 텍스트를 `signature`로 더합니다.',
  },
  rules: ['Null stays null.'],
  errors: [],
  examples: [
    {
      tables: { given: [{ line: 'kim [10.0.0.1] "GET /a" - 200' }] },
      query: 'table given | signature | fields signature',
      gives: [{ signature: '[...]-' }],
    },
    {
      tables: { given: [{ line: '-', m: 'a=1; b="2;"' }, { line: '-' }] },
      query: 'table given | signature field=m | fields signature',
      gives: [{ signature: '=;=' }, { signature: null }],
    },
  ],
  options: { field: about(orElse('line', text), OPTION_SUMMARIES.field) },
  ...noObjects,
  plan(_, planning) {
    const declared = functionNamed('signature');
    if (!declared) throw new Error('the function signature is missing');
    const value = call(declared, [planning.optionField('field', 'line')], planning.span);
    const column = planning.newColumn('signature', value.type);
    const rows = withColumn(planning.rows, column);
    return { ...planning.step(rows), kind: 'project', assigned: [{ column, value }] };
  },
});
