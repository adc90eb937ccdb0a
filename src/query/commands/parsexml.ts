import { command, noObjects } from '#query/planning/command.ts';
import { PARSE_RULES, parseFields, parseOptions } from './shared/parse-family.ts';

export const parsexml = command({
  name: 'parsexml',
  class: 'processing',
  syntax: 'parsexml [field=line] [overlay=f]',
  summary: 'Takes the children of the root of an XML document out of text.',
  rules: [
    'A child with neither attributes nor children is its text, any other a map of them with the text under `_text`; repeated children make a list.',
    'DTDs and entities other than the five of XML are never resolved: text that has them is unreadable.',
    ...PARSE_RULES,
    '`_text` is there only where it is more than white space. An attribute wins over a child of its name; names keep their prefixes; more than 200 levels are unreadable.',
  ],
  errors: [],
  examples: [
    {
      tables: { given: [{ line: "<e><id>7</id><u n='k'>x</u><t>a</t><t/></e>" }, { line: '<e>' }] },
      query: 'table given | parsexml',
      gives: [{ id: '7', u: { n: 'k', _text: 'x' }, t: ['a', ''] }, { line: '<e>' }],
    },
  ],
  options: parseOptions,
  ...noObjects,
  plan: (_, planning) => parseFields({ format: 'xml' }, planning),
});
