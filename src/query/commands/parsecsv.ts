import { fieldsText } from '#query/language/expressions/expression-text.ts';
import { about, flag, orElse } from '#query/language/option-readers.ts';
import { QueryError } from '#query/model/query-error.ts';
import { command } from '#query/planning/command.ts';
import { OPTION_SUMMARIES } from './shared/option-summaries.ts';
import { PARSE_RULES, parseFields, parseOptions } from './shared/parse-family.ts';

export const parsecsv = command({
  name: 'parsecsv',
  class: 'processing',
  syntax: 'parsecsv [field=line] [overlay=f] [tab=f] [strict=f] [names]',
  summary: {
    en: 'Extracts values separated by commas, or with `tab=t` by tabs, from text (RFC 4180).',
    ko: '쉼표로, `tab=t`이면 탭으로 나눈 값을 텍스트에서 뽑습니다(RFC 4180).',
  },
  rules: [
    'The names are those of the columns, one alone too; another input field is given by `field=` alone.',
    'Values without a name are `column0`, `column1`, ... by position; missing ones are null; all are strings.',
    '`strict=t`: a row with invalid quoting, or with another number of values than names, counts as unreadable; otherwise an unclosed quote extends to the end.',
    ...PARSE_RULES,
  ],
  errors: [20900],
  examples: [
    {
      tables: { given: [{ line: 'kim,"R&D, ""2""",x' }] },
      query: 'table given | parsecsv name, dept',
      gives: [{ name: 'kim', dept: 'R&D, "2"', column2: 'x' }],
    },
    {
      tables: { given: [{ m: 'kim,x' }] },
      query: 'table given | parsecsv field=m',
      gives: [{ column0: 'kim', column1: 'x' }],
    },
    {
      tables: { given: [{ line: 'kim,x' }] },
      query: 'table given | parsecsv field=line name',
      normalized: 'table given | parsecsv name',
      gives: [{ name: 'kim', column1: 'x' }],
    },
    {
      tables: {
        given: [
          { line: 'kim\tx,y', k: 1 },
          { line: '"kim"s\tx', k: 2 },
          { line: 'kim', k: 3 },
        ],
      },
      query: 'table given | parsecsv overlay=t tab=t strict=t name, dept | fields k, name, dept',
      gives: [{ k: 1, name: 'kim', dept: 'x,y' }, { k: 2 }, { k: 3 }],
    },
  ],
  options: {
    ...parseOptions,
    tab: about(orElse(false, flag), OPTION_SUMMARIES.tab),
    strict: about(orElse(false, flag), {
      en: 'Leaves rows with another number of values unchanged.',
      ko: '값의 수가 다른 행은 바꾸지 않습니다.',
    }),
  },
  *read(words) {
    if (words.isDone) return [];
    const names = yield* words.takeNames([], () => words.tooFew({ term: 'field' }), 'kept');
    const seen = new Set<string>();
    for (const name of names) {
      if (seen.has(name.text)) throw new QueryError(20900, name, { name: name.text });
      seen.add(name.text);
    }
    return names;
  },
  text: (names) => fieldsText(names, []),
  plan(given, planning) {
    const { tab = false, strict = false } = planning.options;
    const names = given.map(({ text }) => text);
    return parseFields({ format: 'csv', tab, strict, names }, planning, names);
  },
});
