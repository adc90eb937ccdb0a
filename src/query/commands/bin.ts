import { fieldText } from '#query/language/expressions/expression-text.ts';
import { about, anySpan, bucketOffset } from '#query/language/option-readers.ts';
import { withColumn } from '#query/model/columns.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { ColumnType } from '#query/model/values.ts';
import { command } from '#query/planning/command.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

const KEYWORDS = ['as'];

export const bin = command({
  name: 'bin',
  class: 'processing',
  syntax: 'bin span=SPAN [offset=D] [F] [as F]',
  summary: {
    en: 'Divides dates or numbers into buckets: the field becomes the start of its bucket.',
    ko: '날짜나 수를 구간으로 나눕니다: 필드는 그 구간의 시작이 됩니다.',
  },
  rules: [
    'F is `_time` by default; with `as` the source stays and the result is another field.',
    'A span with a unit is for dates, a plain number for numbers; other values become null.',
  ],
  errors: [21500, 21501],
  examples: [
    {
      tables: {
        given: [
          { _time: '@2026-11-15 09:07:00+0900', b: 1999 },
          { _time: '@2026-11-15 08:59:59+0900', b: -1 },
        ],
      },
      query: 'table given | bin span=5m | bin span=1000 b as k | bin span=1h b as none',
      gives: [
        { _time: '@2026-11-15 09:05:00+0900', b: 1999, k: 1000 },
        { _time: '@2026-11-15 08:55:00+0900', b: -1, k: -1000 },
      ],
    },
    {
      tables: { given: [{ _time: '@2026-11-15 09:07:00+0900' }, { _time: '@2026-11-15 08:31:00+0900' }] },
      query: 'table given | bin span=1h offset=30m | fields _time',
      gives: [{ _time: '@2026-11-15 08:30:00+0900' }, { _time: '@2026-11-15 08:30:00+0900' }],
    },
  ],
  options: {
    span: about(anySpan(21501), OPTION_SUMMARIES.span),
    offset: about(bucketOffset, { en: 'Moves the start of every bucket later.', ko: '모든 구간의 시작을 늦춥니다.' }),
  },
  read(words, { options, nameSpan }) {
    if (!options.span) throw new QueryError(21500, nameSpan, { name: 'span' });
    const missing = () => words.tooFew({ term: 'field' });
    const field = words.isDone || words.isKeyword('as') ? undefined : words.takeName(KEYWORDS, missing);
    const output = words.takeKeyword('as') ? words.takeName(KEYWORDS, missing) : undefined;
    return { field: field?.text === '_time' && !output ? undefined : field, output, nameSpan };
  },
  text: ({ field, output }) =>
    [field ? fieldText(field.text, KEYWORDS) : '', output ? `as ${fieldText(output.text, KEYWORDS)}` : '']
      .filter((part) => part !== '')
      .join(' '),
  plan({ field, output, nameSpan }, planning) {
    const { span = planning.isPending('span') ? 1n : undefined, offset } = planning.options;
    if (span === undefined) throw new QueryError(21500, nameSpan, { name: 'span' });
    const source = field ? planning.field(field) : planning.quietField('_time');
    const column = planning.newColumn(
      output?.text ?? source.name,
      typeof span === 'object' ? 'date' : binned(span, source.type),
    );
    const step = planning.step(withColumn(planning.rows, column));
    return { ...step, kind: 'bin', source, column, span, ...(offset ? { offset } : {}) };
  },
});

function binned(span: bigint | number, type: ColumnType): ColumnType {
  if (typeof span === 'number' || type === 'double') return 'double';
  return type === 'long' ? 'long' : 'any';
}
