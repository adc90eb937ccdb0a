// Commands that are specified and not built: what they will give, and where they are refused until then.

import type { LaterExample } from '#query/example.ts';

export const laterExamples: readonly LaterExample[] = [
  {
    refusedNow: { code: 92003, begin: 0, end: 6 },
    example: { query: 'remote n9 [ table web ]', refused: { code: 10500, begin: 7, end: 9 } },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 22 },
    example: {
      tables: { given: [{ line: "<e><id>7</id><u n='k'>x</u><t>a</t><t/></e>" }, { line: '<e>' }] },
      query: 'table given | parsexml',
      gives: [{ id: '7', u: { n: 'k', _text: 'x' }, t: ['a', ''] }, { line: '<e>' }],
    },
  },
  {
    refusedNow: { code: 92003, begin: 26, end: 31 },
    example: {
      tables: { given: [{ n: 1 }, { n: 2 }, { n: 4 }] },
      query: 'set t = 0 | table given | evalc t = $("t") + n | eval sum = $("t")',
      gives: [
        { n: 1, sum: 1 },
        { n: 2, sum: 3 },
        { n: 4, sum: 7 },
      ],
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 20 },
    example: {
      tables: { given: [{ a: 1 }, { a: 2 }] },
      query: 'table given | serial [ eval b = a + 1 | search b > 2 ] | parallel core=2 [ eval c = b ]',
      gives: [{ a: 2, b: 3, c: 3 }],
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 23 },
    example: {
      tables: { given: [{ a: 1, b: 'x,y' }, { b: null }] },
      query: 'table given | outputcsv out/a.csv a, b | stats count',
      gives: [{ count: 2 }],
      writes: { 'out/a.csv': 'a,b\n1,"x,y"\n,\n' },
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 24 },
    example: {
      tables: { given: [{ a: 1, b: 'x' }, { b: null }] },
      query: 'table given | outputjson out/a.json | outputtxt delimiter="; " out/a.txt a, b',
      gives: [{ a: 1, b: 'x' }, {}],
      writes: { 'out/a.json': '{"a":1,"b":"x"}\n{}\n', 'out/a.txt': '1; x\n; \n' },
    },
  },
];
