// Commands that are specified and not built: what they will give, and where they are refused until then.

import type { ExampleValue, LaterExample } from '#query/example.ts';

/** Functions, all in the same place of the same query. */
const FUNCTIONS: readonly (readonly [name: string, args: string, gives: ExampleValue])[] = [
  ['sin', '(0)', 0],
  ['cos', '(0)', 1],
  ['tan', '(0)', 0],
  ['asin', '(2)', null],
  ['acos', '(1)', 0],
  ['atan', '(0)', 0],
  [
    'zip',
    '(array(1, 2), array("a"))',
    [
      [1, 'a'],
      [2, null],
    ],
  ],
];

const OPENING = 'json "{}" | eval result = ';

const laterFunctions = FUNCTIONS.map(
  ([name, args, gives]): LaterExample => ({
    refusedNow: { code: 92003, begin: OPENING.length, end: OPENING.length + name.length },
    example: { query: `${OPENING}${name}${args}`, gives: [{ result: gives }] },
  }),
);

export const laterExamples: readonly LaterExample[] = laterFunctions;
