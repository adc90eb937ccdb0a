// What belongs to no single command: comments, expressions, parameters, mistakes.

import type { QueryExample } from '#query/model/example.ts';

export const languageExamples: readonly QueryExample[] = [
  {
    query:
      'json "{}" | eval s = string(date("0001-01-01")), t = string(date("9999-12-31T20:00:00Z")), e = date("0000-12-30") | fields s, t, e',
    gives: [{ s: '0001-01-01 00:00:00+0827', t: '10000-01-01 05:00:00+0900' }],
  },
  {
    query: 'set _timezone = "America/New_York" | json "{}" | eval s = string(date("9999-12-31 23:59:59")) | fields s',
    gives: [{ s: '9999-12-31 23:59:59-0500' }],
  },
  ...['lower', 'higher', 'nearest'].map((how) => ({
    query: `json "[{x:9007199254740993},{x:1}]" | stats percentile(x, 100, "${how}") as p | eval s = string(p) | fields s`,
    gives: [{ s: '9007199254740993' }],
  })),
  {
    tables: { given: [{ a: 1 }, { a: 2 }] },
    query: 'table given | # he said "x | y", 5" disk | # [ search a == 9 | limit 1 ] | search a == 2',
    normalized: 'table given | search a == 2',
    gives: [{ a: 2 }],
    pushes: [2, 1],
  },
  {
    tables: { given: [{ a: 1 }, { a: 2 }] },
    query: 'table given | # a ] b ] | search a == 2 | # [ search a == 9 | limit 1',
    normalized: 'table given | search a == 2',
    gives: [{ a: 2 }],
    warns: [{ code: 90905, begin: 44, end: 45 }],
  },
  {
    tables: { given: [{ a: 1 }] },
    query: 'table given | union [ table given | # [ search a == 9 ] | limit 1',
    refused: { code: 90005, begin: 20, end: 21, hints: [91007] },
  },
  {
    tables: { given: [{ a: 1, b: 2 }] },
    query: '| table given | eval c = a + b, | fields a, c,',
    normalized: 'table given | eval c = a + b | fields a, c',
    gives: [{ a: 1, c: 3 }],
    pushes: [1, 1, 1],
  },
  {
    tables: { given: [{ a: 1 }] },
    query: 'table given | eval c = 1,, d = 2',
    refused: { code: 20201, begin: 25, end: 26 },
  },
  { tables: { given: [{ a: 1 }] }, query: 'table given |', refused: { code: 90003, begin: 12, end: 13 } },
  {
    tables: {
      given: [
        { u: 'b', n: 1 },
        { u: 'a', n: 5 },
      ],
    },
    query: 'table given | eventstats sum(n) as u by u',
    gives: [
      { u: 1, n: 1 },
      { u: 5, n: 5 },
    ],
    columns: ['u', 'n'],
  },
  {
    tables: {
      given: [
        { u: 'b', n: 1 },
        { u: 'a', n: 5 },
      ],
    },
    query: 'table given | streamstats sum(n) as u by u',
    gives: [
      { u: 1, n: 1 },
      { u: 5, n: 5 },
    ],
    columns: ['u', 'n'],
  },
  {
    tables: {
      given: [
        { u: 'b', n: 1 },
        { u: 'a', n: 5 },
      ],
    },
    query: 'table given | rollup sum(n) as u by u',
    gives: [{ u: 5 }, { u: 1 }, { u: 6 }],
  },
  {
    tables: {
      given: [
        { u: 'b', n: 1 },
        { u: 'a', n: 5 },
      ],
    },
    query: 'table given | pivot sum(n) as u rows u | limit 1',
    gives: [{ u: 5 }],
  },
  {
    tables: { given: [{ q: 'a bypass' }, { q: 'unused' }] },
    query: 'table given | search contains(q, "bypass", "unused")',
    normalized: 'table given | search contains(q, "bypass")',
    gives: [{ q: 'a bypass' }],
    warns: [{ code: 90915, begin: 43, end: 51, hints: [91049] }],
  },
  {
    query:
      'json "{}" | eval a = lower("A", "b"), b = abs(-1, 1), c = isnull(null, 2), d = not(true, 3) | fields a, b, c, d',
    normalized: 'json "{}" | eval a = lower("A"), b = abs(-1), c = isnull(null), d = not(true) | fields a, b, c, d',
    gives: [{ a: 'a', b: 1, c: true, d: false }],
  },
  {
    tables: { given: [{ u: 'a' }, { u: 'b' }, { u: 'a' }] },
    query: 'table given | stats count() as n, count( * ) as m by u | sort -n',
    normalized: 'table given | stats count as n, count as m by u | sort -n',
    gives: [
      { u: 'a', n: 2, m: 2 },
      { u: 'b', n: 1, m: 1 },
    ],
  },
  {
    tables: { given: [{ u: 'a' }, { u: 'b' }, { u: 'a' }] },
    query: 'table parallel=t given | stats parallel=t count by u',
    normalized: 'table given | stats count by u',
    gives: [
      { u: 'a', count: 2 },
      { u: 'b', count: 1 },
    ],
  },
  {
    tables: {
      given: [
        { m: 1, n: 1 },
        { m: 'x', n: 2 },
        { m: [1], n: 3 },
      ],
    },
    query: 'table given | streamstats count, sum(n) as s by m | fields n',
    gives: [{ n: 1 }, { n: 2 }, { n: 3 }],
  },
  {
    tables: {
      web: [
        { _time: '@2026-11-14 10:00:00+0900', n: 1 },
        { _time: '@2026-11-15 10:00:00+0900', n: 2 },
      ],
    },
    constants: { f: 20261115 },
    query: 'table from=$("f") web',
    gives: [{ n: 2 }],
  },
  {
    tables: { web: [{ n: 1 }, { n: 2 }] },
    query: 'table web limit=1',
    normalized: 'table limit=1 web',
    gives: [{ n: 1 }],
  },
  {
    tables: {
      web: [
        { n: 1, a: 'x' },
        { n: 2, a: 'x' },
      ],
    },
    query: 'fulltext "x" from web order=asc limit=1',
    normalized: 'fulltext order=asc limit=1 "x" from web',
    gives: [{ n: 2, a: 'x' }],
  },
  {
    tables: { web: [{ n: 1 }, { line: 'x' }] },
    query: 'fulltext "*" and not "x" from web',
    gives: [{ n: 1 }],
  },
  {
    tables: { web: [{ n: 1 }] },
    query: 'set a = date("2026-11-15") | table from=$("a") to=20261115 web | stats count',
    gives: [{ count: 0 }],
    pushes: [0, 0, 1],
    warns: [{ code: 90916, begin: 35, end: 39 }],
  },
  {
    tables: { web: [{ _time: '@2026-11-15 10:00:00+0900', a: 'x' }] },
    query:
      'set a = date("2026-11-16"), b = date("2026-11-15") | fulltext from=$("a") to=$("b") "x" from web | stats count',
    gives: [{ count: 0 }],
    warns: [{ code: 90916, begin: 62, end: 66 }],
  },
  {
    tables: { web: [{ _time: '@2026-11-15 10:00:00+0900' }] },
    query: 'set a = date("2026-11-16") | system from=$("a") to=20261115 count web | stats count',
    gives: [{ count: 0 }],
    warns: [{ code: 90916, begin: 36, end: 40 }],
  },
  {
    tables: { web: [{ _time: '@2026-11-15 10:00:00+0900' }] },
    query: 'set a = date("2026-11-16") | table web | timechart span=1d cont=t from=$("a") to=20261115 count',
    gives: [{ _time: '@2026-11-15 00:00:00+0900', count: 1 }],
    normalized: 'set a = date("2026-11-16") | table web | timechart cont=t from=$("a") to=20261115 count',
    warns: [{ code: 90916, begin: 66, end: 70 }],
  },
  {
    query: 'json "{}" | eval a = tohex(encode("로그", charset="EUC-KR")) | fields a',
    normalized: 'json "{}" | eval a = tohex(binary("로그", "euc-kr")) | fields a',
    gives: [{ a: 'b7ceb1d7' }],
  },
  {
    files: { '/import/a.txt': 'a\nb\n' },
    query: 'textfile a.txt offset=1 | fields line',
    normalized: 'textfile offset=1 a.txt | fields line',
    gives: [{ line: 'b' }],
  },
  {
    tables: { web: [{ n: 1 }] },
    query: 'table limit=1 web limit=2',
    refused: { code: 90007, begin: 18, end: 23 },
  },
  {
    tables: { web: [{ n: 1 }] },
    query: 'table web, limit=1',
    refused: { code: 90013, begin: 11, end: 16 },
  },
  {
    tables: { given: [{ '06': 1, 'sum:06': 2, 'time+': 3 }] },
    query: 'table given | rename 06 as elapse06, sum:06 as 3rd | eval 4th = 3rd + elapse06 | fields elapse06, 3rd, 4th',
    gives: [{ elapse06: 1, '3rd': 2, '4th': 3 }],
  },
  {
    tables: { given: [{ '06': 1, 'sum:06': 2 }] },
    query: 'table given | eval a = field("06") + sum:06, b = 06 + 1 | fields a, b',
    normalized: 'table given | eval a = field("06") + sum:06, b = 6 + 1 | fields a, b',
    gives: [{ a: 3, b: 7 }],
  },
  {
    tables: { given: [{ 'time+': 3, 'sum(x)': 4 }] },
    query: 'table given | fields time+, sum(x) | rename sum(x) as 합계(원)',
    gives: [{ 'time+': 3, '합계(원)': 4 }],
  },
  {
    tables: { given: [{ 'user-agent': 'x', '소계<br>수량': 1, '(all)': 2, '%': 3 }] },
    query:
      'table given | stats max(field("(all)")) as (all), max(field("%")) as % by user-agent, 소계<br>수량 | sort -(all), user-agent',
    gives: [{ 'user-agent': 'x', '소계<br>수량': 1, '(all)': 2, '%': 3 }],
  },
  {
    tables: { given: [{ a: 3 }] },
    query: 'table given | fields a, b;c',
    refused: { code: 90207, begin: 24, end: 27, hints: [91006] },
  },
  {
    tables: { given: [{ user: 'Kim' }] },
    query: 'table given | stats count by lower(user)',
    refused: { code: 90207, begin: 29, end: 40, hints: [91059] },
  },
  {
    tables: { given: [{ user: 'Kim' }] },
    query: 'table given | eval field("lower(user)") = user | sort field("lower(user)") | fields field("lower(user)")',
    gives: [{ 'lower(user)': 'Kim' }],
  },
  {
    tables: { given: [{ a: 1 }] },
    query: 'table given | eval t = datetrunc(_time, 10m)',
    refused: { code: 90201, begin: 40, end: 43, hints: [91033] },
  },
  {
    tables: {
      given: [
        { u: 'a', n: 1 },
        { u: 'b', n: 2 },
        { u: 'a', n: 3 },
      ],
    },
    query: 'table given | stats sum(n) as x, count, max(n) as x by u, u | fields u, x, count, u',
    normalized: 'table given | stats max(n) as x, count by u | fields u, x, count',
    gives: [
      { u: 'a', x: 3, count: 2 },
      { u: 'b', x: 2, count: 1 },
    ],
    warns: [
      { code: 22002, begin: 40, end: 51 },
      { code: 22002, begin: 58, end: 59 },
      { code: 20100, begin: 82, end: 83 },
    ],
  },
  {
    tables: { given: [{ a: 1, b: 2 }] },
    query: 'table given | rename a as x, b as x',
    normalized: 'table given | rename a as x',
    gives: [{ x: 1, b: 2 }],
    warns: [{ code: 20301, begin: 34, end: 35 }],
  },
  {
    tables: { given: [{ u: 'a' }] },
    query: 'table given | timechart count as _time',
    refused: { code: 22004, begin: 24, end: 38 },
  },
  {
    tables: { given: [{ t: '@2026-11-15 08:30:00+0900' }] },
    query:
      'table given | eval shift = datetrunc(t, offset="9h", span="1d"), day = string(t, "E", locale="ko") | fields shift, day',
    normalized: 'table given | eval shift = datetrunc(t, "1d", "9h"), day = string(t, "E", "ko") | fields shift, day',
    gives: [{ shift: '@2026-11-14 09:00:00+0900', day: '일' }],
  },
  {
    tables: { given: [{ a: 1 }] },
    query: 'table given | eval t = datetrunc(_time, spn="1d")',
    refused: { code: 90310, begin: 40, end: 43 },
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
    tables: {
      given: [{ metric1: 5, metric2: 7, i: 1 }, { metric1: 5, metric2: 7, i: 2 }, { metric1: 5 }],
    },
    query: 'table given | eval v = field(concat("metric", i)), w = field(if(i == 1, "v", null)) | fields v, w',
    gives: [{ v: 5, w: 5 }, { v: 7 }, {}],
  },
  {
    tables: { given: [{ cpu: 1, mem: 2 }] },
    constants: { kind: 'mem' },
    query: 'table given | eval v = field($("kind")) | stats sum(field(concat("c", "pu"))) as s, max(v) as m',
    gives: [{ s: 1, m: 2 }],
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
  {
    tables: { given: [{ a: 1 }] },
    constants: { secret_key: '0123456789abcdef' },
    query: 'table given | eval x = encrypt("AES", $("secret_key"), "a")',
    refused: { code: 90312, begin: 31, end: 36 },
  },
  {
    tables: { given: [{ x: 'a' }] },
    constants: { secret_key: '0123456789abcdef' },
    query: 'table given | eval y = len(encrypt("AES/GCM", $("secret_key"), x)) | fields y',
    gives: [{ y: 29 }],
  },
  {
    tables: { given: [{ x: 'a' }] },
    query: 'table given | eval y = encrypt("AES/GCM", "0123456789abcdef", x)',
    refused: { code: 90302, begin: 42, end: 60, hints: [91048] },
  },
  { query: 'json "{}" | eval a = $("none", 7), b = field("no such")', gives: [{ a: 7, b: null }], columns: ['a', 'b'] },
];
