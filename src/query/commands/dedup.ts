import { command } from '#query/command.ts';
import { fieldsText } from '#query/expression-text.ts';
import { QueryMistake } from '#query/mistake.ts';
import { orElse, whole } from '#query/option-readers.ts';

export const dedup = command({
  name: 'dedup',
  class: 'transforming',
  syntax: 'dedup [count=1] names',
  summary: 'Keeps the first N rows of each combination of values, in their order.',
  rules: ['Null is a value.'],
  errors: [22800],
  examples: [
    {
      tables: { given: [{ u: 'a', n: 1 }, { u: null, n: 2 }, { u: 'a', n: 3 }, { n: 4 }] },
      query: 'table given | dedup u',
      gives: [
        { u: 'a', n: 1 },
        { u: null, n: 2 },
      ],
    },
  ],
  options: { count: orElse(1n, whole(1, 22800)) },
  read: (words) => words.takeNames([], () => new QueryMistake(22800, words.isDone ? words.endSpan : words.token())),
  text: (names) => fieldsText(names, []),
  plan(names, planning) {
    planning.warnUnordered();
    const keys = names.map((name) => planning.field(name));
    return { ...planning.step(planning.rows), kind: 'dedup', keys, count: planning.options.count ?? 1n };
  },
});
