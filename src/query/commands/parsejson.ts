import { flag, orElse } from '#query/language/option-readers.ts';
import { command, noObjects } from '#query/planning/command.ts';
import { PARSE_RULES, parseFields, parseOptions } from './shared/parse-family.ts';

export const parsejson = command({
  name: 'parsejson',
  class: 'processing',
  syntax: 'parsejson [field=line] [overlay=f] [flatten=f]',
  summary: 'Extracts the members of a JSON object from text.',
  rules: [
    'Strict JSON. An array replaces the input field by the list; a bare scalar counts as unreadable.',
    '`flatten=t` joins paths with `_`, list positions included (`a_b`, `x_0`); empty objects and lists are kept.',
    ...PARSE_RULES,
  ],
  errors: [],
  examples: [
    {
      tables: {
        given: [
          { line: '{"a":1,"b":{"c":[2.5,"x"]},"a":9}', k: 1 },
          { line: "{'a':1}", k: 2 },
        ],
      },
      query: 'table given | parsejson flatten=t overlay=t',
      normalized: 'table given | parsejson overlay=t flatten=t',
      gives: [
        { line: '{"a":1,"b":{"c":[2.5,"x"]},"a":9}', k: 1, a: 1, b_c_0: 2.5, b_c_1: 'x' },
        { line: "{'a':1}", k: 2 },
      ],
    },
  ],
  options: { ...parseOptions, flatten: orElse(false, flag) },
  ...noObjects,
  plan: (_, planning) => parseFields({ format: 'json', flatten: planning.options.flatten ?? false }, planning),
});
