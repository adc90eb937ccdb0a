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
    return { pattern: inner.text, groups: fieldGroups(inner, token) };
  },
  text: ({ pattern }) => `"${pattern}"`,
  plan({ pattern, groups }, planning) {
    const source = planning.optionField('field', 'line');
    const made = groups.map((group) => {
      const before = planning.quietField(group);
      return { group, before, column: planning.newColumn(group, unified('string', before.type)) };
    });
    const rows = withColumns(
      planning.rows,
      made.map(({ column }) => column),
    );
    return { ...planning.step(rows), kind: 'rex', source, pattern, groups: made };
  },
});
