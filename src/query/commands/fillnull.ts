import { mapSliced } from '#kernel/sliced-work.ts';
import { functionNamed } from '#query/functions/index.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { about, orElse, value } from '#query/language/option-readers.ts';
import { withColumns } from '#query/model/columns.ts';
import type { Value } from '#query/model/values.ts';
import type { Assigned } from '#query/plan-nodes/plan-node.ts';
import { command } from '#query/planning/command.ts';
import { call, literal } from '#query/values/typing.ts';

export const fillnull = command({
  name: 'fillnull',
  class: 'processing',
  syntax: 'fillnull [value=0] [names]',
  summary: {
    en: 'Replaces null by a value in the named fields, or without names in every known column.',
    ko: '지정한 필드의 null을, 이름이 없으면 모든 컬럼의 null을 값으로 바꿉니다.',
  },
  rules: [
    'An unquoted number, `true` or `false` has that type; any other value, and every quoted one, is a string. The value is not converted to the type of the column.',
  ],
  errors: [],
  examples: [
    {
      tables: { given: [{ a: null, b: 1, c: 'x' }, { a: 2 }] },
      query: 'table given | fillnull value=- c | fillnull value=0 a',
      normalized: 'table given | fillnull value="-" c | fillnull a',
      gives: [
        { a: 0, b: 1, c: 'x' },
        { a: 2, c: '-' },
      ],
    },
  ],
  options: { value: about(orElse<Value>(0n, value), { en: 'Value in place of null.', ko: 'null 대신 쓸 값입니다.' }) },
  read: (words) => (words.isDone ? [] : words.takeNames([], () => words.tooFew({ term: 'field' }))),
  text: (names) => fieldsText(names, []),
  *plan(names, planning) {
    const nvl = functionNamed('nvl');
    if (!nvl) throw new Error('the function nvl is missing');
    const filling = literal(planning.options.value ?? 0n, planning.span);
    const sources =
      names.length > 0
        ? yield* mapSliced(names, (name) => planning.field(name))
        : planning.rows.columns.map(({ name }) => planning.quietField(name));
    const assigned = yield* mapSliced(sources, (source): Assigned => {
      const filled = call(nvl, [source, filling], planning.span);
      return { column: planning.newColumn(source.name, filled.type), value: filled };
    });
    const rows = withColumns(
      planning.rows,
      assigned.map(({ column }) => column),
    );
    return { ...planning.step(rows), kind: 'project', assigned };
  },
});
