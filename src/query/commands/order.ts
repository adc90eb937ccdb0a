import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { columnNamed } from '#query/model/columns.ts';
import { command } from '#query/planning/command.ts';

export const order = command({
  name: 'order',
  class: 'processing',
  syntax: 'order names',
  summary: {
    en: 'Puts these columns first; the remaining ones follow by code point.',
    ko: '지정한 컬럼을 앞에 두고 나머지는 코드 포인트 순으로 둡니다.',
  },
  rules: ['The command adds no column; unknown names are skipped.'],
  errors: [],
  examples: [
    {
      tables: { given: [{ c: 1, a: 2, b: 3 }] },
      query: 'table given | order b, zz',
      gives: [{ a: 2, b: 3, c: 1 }],
      columns: ['b', 'a', 'c'],
    },
  ],
  read: (words) => words.takeNames([], () => words.tooFew({ term: 'field' })),
  text: (names) => fieldsText(names, []),
  plan(names, planning) {
    const { rows } = planning;
    const first = names.flatMap(({ text }) => columnNamed(rows, text) ?? []);
    const named = new Set(first);
    const rest = rows.columns.filter((column) => !named.has(column));
    const columns = [...first, ...rest.sort((one, other) => byCodePoint(one.name, other.name))];
    return { ...planning.step({ ...rows, columns }), kind: 'project', assigned: [] };
  },
});

/** JavaScript compares strings by UTF-16 unit, which puts astral characters before some others. */
function byCodePoint(one: string, other: string): number {
  const left = [...one];
  const right = [...other];
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
