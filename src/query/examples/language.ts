// What belongs to no single command: comments, expressions, parameters, mistakes.

import type { QueryExample } from '#query/model/example.ts';

export const languageExamples: readonly QueryExample[] = [
  {
    tables: { given: [{ a: 1 }, { a: 2 }] },
    query: 'table given | # he said "x | y", 5" disk | # [ search a == 9 | limit 1 ] | search a == 2',
    normalized: 'table given | search a == 2',
    gives: [{ a: 2 }],
    pushes: [2, 1],
  },
  {
    tables: { given: [{ s: 500 }, { s: 200 }, { u: 'x' }] },
    query: 'table given | search s != 500',
    gives: [{ s: 200 }],
  },
  {
    tables: { given: [{ s: 500 }, { s: 200 }, { u: 'x' }] },
    query: 'table given | search not(s == 500)',
    gives: [{ s: 200 }, { u: 'x' }],
  },
  {
    tables: { given: [{ v: '500' }, { v: 500 }, { v: 'abc' }, { v: '5e2' }] },
    query: 'table given | eval eq = v == 500, ne = v != 500, gt = v > 499, pat = v == "5*"',
    gives: [
      { v: '500', eq: true, ne: false, gt: true, pat: true },
      { v: 500, eq: true, ne: false, gt: true, pat: true },
      { v: 'abc', eq: false, ne: true, gt: null, pat: false },
      { v: '5e2', eq: true, ne: false, gt: true, pat: true },
    ],
  },
  {
    tables: { given: [{ p: 'C:\\Windows\\x' }, { p: 'c:\\windows' }, { p: '100*' }, { p: '100%' }] },
    query: 'table given | eval a = p == "C:\\\\Win*", b = p == "100\\*", c = in(p, "c:*", "*%")',
    gives: [
      { p: 'C:\\Windows\\x', a: true, b: false, c: false },
      { p: 'c:\\windows', a: false, b: false, c: true },
      { p: '100*', a: false, b: true, c: false },
      { p: '100%', a: false, b: false, c: true },
    ],
  },
  {
    tables: {
      given: [
        { _time: '@2026-11-01 00:30:00-0400' },
        { _time: '@2026-11-01 23:30:00-0500' },
        { _time: '@2026-11-02 00:00:00-0500' },
      ],
    },
    query: 'set _timezone = "America/New_York" | table given | timechart span=1d count',
    normalized: 'set _timezone = "America/New_York" | table given | timechart count',
    gives: [
      { _time: '@2026-11-01 00:00:00-0400', count: 2 },
      { _time: '@2026-11-02 00:00:00-0500', count: 1 },
    ],
  },
  {
    tables: { given: [{ n: 1 }, { n: 5 }] },
    constants: { min: 3 },
    query: 'table given | search n >= $("min") and n < $("max", 100)',
    normalized: 'table given | search (n >= $("min")) and (n < $("max", 100))',
    gives: [{ n: 5 }],
  },
  {
    tables: { given: [{ n: 1 }, { n: 5 }] },
    query:
      'set lo = nvl($("low"), 3), hi = if(isnull($("low")), 9, 8) | table given | search n > $("lo") and n < $("hi")',
    normalized:
      'set lo = nvl($("low"), 3), hi = if(isnull($("low")), 9, 8) | table given | search (n > $("lo")) and (n < $("hi"))',
    gives: [{ n: 5 }],
    warns: [{ code: 90400, begin: 13, end: 21 }],
  },
  {
    tables: { given: [{ n: 1 }, { n: 5 }], dst: [] },
    query: 'table given | import dst | json "{}" | eval a = 1',
    gives: [{ a: 1 }],
    pushes: [2, 2, 1, 1],
    stores: { dst: [{ n: 1 }, { n: 5 }] },
    warns: [{ code: 90911, begin: 27, end: 31 }],
  },
  {
    tables: { given: [{ n: 1 }, { n: 5 }] },
    procedures: { note: { parameters: { k: 'long' }, query: 'table given | search n >= $("k")' } },
    query: 'proc note(2) | drop | set k = 3 | json "{}" | eval k = $("k")',
    gives: [{ k: 3 }],
    pushes: [1, 0, 0, 1, 1],
  },
  {
    tables: { given: [{ n: 1 }] },
    query: 'search n == 1 | stats count',
    refused: { code: 92001, begin: 0, end: 6 },
  },
  { tables: { given: [{ a: 1 }] }, query: 'table given | serach a == 1', refused: { code: 92000, begin: 14, end: 20 } },
  { tables: { given: [{ a: 1 }] }, query: 'table given | search a=1', refused: { code: 90001, begin: 21, end: 22 } },
  {
    tables: { given: [{ a: 1 }] },
    query: 'table given | search concta(a, 1) == "x"',
    refused: { code: 90300, begin: 21, end: 27 },
  },
  { query: 'json "{}" | eval a = $("none", 7), b = field("no such")', gives: [{ a: 7, b: null }], columns: ['a', 'b'] },
];
