import { about, flag, orElse, whole } from '#query/language/option-readers.ts';
import { command, noObjects } from '#query/planning/command.ts';
import { PARSE_RULES, parseFields, parseOptions } from './shared/parse-family.ts';

export const parsejson = command({
  name: 'parsejson',
  class: 'processing',
  syntax: 'parsejson [field=line] [overlay=f] [flatten=f] [lenient=f] [cutoff=N] [F]',
  summary: { en: 'Extracts the members of a JSON object from text.', ko: '텍스트에서 JSON 객체의 멤버를 뽑습니다.' },
  rules: [
    'Strict JSON; `lenient=t` allows single-quoted strings and unquoted keys, like `json`. A text of more than `cutoff=N` (N ≥ 1, none by default) characters counts as unreadable.',
    'An array replaces the input field by the list; a bare scalar counts as unreadable.',
    '`flatten=t` joins paths with `_`, list positions included (`a_b`, `x_0`); empty objects and lists are kept.',
    ...PARSE_RULES,
  ],
  errors: [90008, 90012],
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
    {
      tables: { given: [{ m: '{a:{b:1}}' }, { m: "{'long':'12345'}" }] },
      query: 'table given | parsejson lenient=t cutoff=12 m',
      normalized: 'table given | parsejson field=m lenient=t cutoff=12',
      gives: [{ a: { b: 1 } }, { m: "{'long':'12345'}" }],
    },
    {
      tables: { given: [{ line: 'kept', m: '{"a":1}' }] },
      query: 'table given | parsejson field=m',
      gives: [{ a: 1 }],
    },
  ],
  options: {
    ...parseOptions,
    flatten: about(orElse(false, flag), {
      en: 'Names members of inner objects by their paths.',
      ko: '안쪽 객체의 멤버를 경로로 이름 짓습니다.',
    }),
    lenient: about(orElse(false, flag), {
      en: 'Reads text that is nearly JSON.',
      ko: 'JSON과 비슷한 텍스트도 읽습니다.',
    }),
    cutoff: about(whole(1), {
      en: 'A text of more characters counts as unreadable.',
      ko: '이보다 긴 텍스트는 읽을 수 없는 것으로 봅니다.',
    }),
  },
  objectOption: 'field',
  ...noObjects,
  plan(_, planning) {
    const { flatten = false, lenient = false, cutoff } = planning.options;
    const most = cutoff === undefined ? {} : { cutoff: Number(cutoff) };
    return parseFields({ format: 'json', flatten, lenient, ...most }, planning);
  },
});
