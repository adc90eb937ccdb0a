import { command, noObjects } from '#query/planning/command.ts';
import { PARSE_RULES, parseFields, parseOptions } from './shared/parse-family.ts';

export const parsexml = command({
  name: 'parsexml',
  class: 'processing',
  syntax: 'parsexml [field=line] [overlay=f] [F]',
  summary: {
    en: 'Extracts the children of the root of an XML document from text.',
    ko: 'XML 문서의 루트 아래 요소를 텍스트에서 뽑습니다.',
  },
  rules: [
    'A child without attributes and children becomes its text, any other child a map of them with the text as `_text`; repeated children become a list.',
    'DTDs, and entities other than the five of XML, are never resolved: text with them is unreadable.',
    ...PARSE_RULES,
    '`_text` exists only if it is more than white space. An attribute wins over a child of the same name; names keep their prefixes; more than 200 levels are unreadable.',
  ],
  errors: [90012],
  examples: [
    {
      tables: { given: [{ line: "<e><id>7</id><u n='k'>x</u><t>a</t><t/></e>" }, { line: '<e>' }] },
      query: 'table given | parsexml',
      gives: [{ id: '7', u: { n: 'k', _text: 'x' }, t: ['a', ''] }, { line: '<e>' }],
    },
    {
      tables: { given: [{ m: '<e><id>7</id></e>', k: 1 }] },
      query: 'table given | parsexml field=m overlay=t',
      gives: [{ m: '<e><id>7</id></e>', k: 1, id: '7' }],
    },
  ],
  options: parseOptions,
  objectOption: 'field',
  ...noObjects,
  plan: (_, planning) => parseFields({ format: 'xml' }, planning),
});
