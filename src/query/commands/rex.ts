import { about, orElse, text } from '#query/language/option-readers.ts';
import { rawInner } from '#query/language/strings.ts';
import { withColumns } from '#query/model/columns.ts';
import { fieldGroups } from '#query/model/regex.ts';
import { unified } from '#query/model/values.ts';
import { command } from '#query/planning/command.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';

export const rex = command({
  name: 'rex',
  class: 'processing',
  syntax: 'rex [field=line] STRING',
  summary: {
    en: 'Extracts fields from text: each named group of the regular expression becomes a field.',
    ko: '텍스트에서 필드를 뽑습니다: 정규식의 이름 있는 그룹이 필드가 됩니다.',
  },
  rules: [
    'The string is raw: no escapes are processed, and `\\d` needs no second backslash. The first match counts.',
    'The name of a group is a name as in lists, without `<` and `>`. Groups in different branches of an alternation may have one name: the field is that of the first that matched something.',
    'Without a match, or if the field is null, the row passes unchanged. On a match every named group is assigned; a group that matched nothing is null.',
  ],
  errors: [20500, 20501, 20502, 90303, 90304],
  examples: [
    {
      tables: { given: [{ line: 'user=kim from 10.0.0.1' }, { line: 'hello', user: 'lee' }] },
      query: 'table given | rex field=line "user=(?<user>\\S+) from (?<ip>[\\d.]+)(?<tail>.*)" | fields user, ip, tail',
      normalized: 'table given | rex "user=(?<user>\\S+) from (?<ip>[\\d.]+)(?<tail>.*)" | fields user, ip, tail',
      gives: [{ user: 'kim', ip: '10.0.0.1', tail: null }, { user: 'lee' }],
    },
    {
      tables: { given: [{ line: 'id=7' }, { line: 'no 8' }] },
      query: 'table given | rex "id=(?<n+>\\d)|no (?<n+>\\d)"',
      gives: [
        { line: 'id=7', 'n+': '7' },
        { line: 'no 8', 'n+': '8' },
      ],
    },
    {
      tables: {
        given: [
          { line: 'b9', n: 1 },
          { line: 'x', n: 2 },
          { line: 'ac', n: 3 },
        ],
      },
      query: 'table given | rex "(?:a(?<n>\\d?)|(b)(?<n>\\d)|(?<n>\\B))(?<비율(%)>.*)" | fields n, 비율(%)',
      gives: [{ n: '9' }, { n: 2 }, { '비율(%)': 'c' }],
    },
    {
      tables: { given: [{ line: 'x' }] },
      query: 'table given | rex "(?<a>x)(?<a>y)"',
      refused: { code: 20501, begin: 29, end: 30 },
    },
    {
      tables: { given: [{ line: 'x' }] },
      query: 'table given | rex "(?<a b>x)"',
      refused: { code: 20502, begin: 22, end: 25, hints: [91032] },
    },
    {
      tables: { given: [{ line: 'x' }] },
      query: 'table given | rex "(?<a>x)(?=y)"',
      refused: { code: 90304, begin: 26, end: 29 },
    },
  ],
  options: { field: about(orElse('line', text), OPTION_SUMMARIES.field) },
  read(words) {
    const token = words.takeString();
    if (!token) throw words.tooFew({ term: 'pattern' });
    const inner = rawInner(token);
    return { written: inner.text, ...fieldGroups(inner, token) };
  },
  text: ({ written }) => `"${written}"`,
  plan({ pattern, fields }, planning) {
    const source = planning.optionField('field', 'line');
    const made = fields.map((field) => {
      const before = planning.quietField(field.name);
      return { field, before, column: planning.newColumn(field.name, unified('string', before.type)) };
    });
    const rows = withColumns(
      planning.rows,
      made.map(({ column }) => column),
    );
    return { ...planning.step(rows), kind: 'rex', source, pattern, groups: made };
  },
});
