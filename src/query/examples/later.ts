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

export const laterExamples: readonly LaterExample[] = [
  {
    refusedNow: { code: 92003, begin: 0, end: 11 },
    example: {
      lookups: {
        users: {
          key: 'user',
          rows: [
            { user: 'kim', dept: 'sec' },
            { user: 'ann', dept: 'hr' },
          ],
        },
      },
      query: 'lookuptable users dept',
      gives: [{ dept: 'hr' }, { dept: 'sec' }],
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 23 },
    example: {
      tables: {
        given: [
          { u: 'a', d: 1 },
          { u: 'a', d: 2 },
        ],
      },
      query: 'table given | memlookup op=build name=m key=u d | lookup m u output d as first',
      gives: [
        { u: 'a', d: 1, first: 1 },
        { u: 'a', d: 2, first: 1 },
      ],
    },
  },
  {
    refusedNow: { code: 92003, begin: 21, end: 26 },
    example: {
      tables: { given: [{ ip: '10.0.0.1' }] },
      query: 'table given | lookup geoip ip output country as c',
      gives: [{ ip: '10.0.0.1', c: null }],
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 25 },
    example: {
      tables: {
        given: [
          { u: 'a', n: 1 },
          { u: 'b', n: 5 },
          { u: 'a', n: 3 },
          { u: 'a', n: 10 },
        ],
      },
      query: 'table given | streamstats window=2 sum(n) as s, count by u',
      gives: [
        { u: 'a', n: 1, s: 1, count: 1 },
        { u: 'b', n: 5, s: 5, count: 1 },
        { u: 'a', n: 3, s: 4, count: 2 },
        { u: 'a', n: 10, s: 13, count: 2 },
      ],
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 18 },
    example: {
      tables: { given: [{ n: 1 }, { n: 4 }] },
      query: 'table given | prev n | eval d = n - prev_n',
      gives: [{ n: 1 }, { n: 4, prev_n: 1, d: 3 }],
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 20 },
    example: {
      tables: {
        given: [
          { r: 'e', p: 'x', n: 1 },
          { r: 'e', p: 'y', n: 2 },
          { r: 'w', p: 'x', n: 4 },
        ],
      },
      query: 'table given | rollup label=ALL sum(n) as s by r, p',
      gives: [
        { r: 'e', p: 'x', s: 1 },
        { r: 'e', p: 'y', s: 2 },
        { r: 'e', p: 'ALL', s: 3 },
        { r: 'w', p: 'x', s: 4 },
        { r: 'w', p: 'ALL', s: 4 },
        { r: 'ALL', p: 'ALL', s: 7 },
      ],
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 18 },
    example: {
      tables: {
        given: [
          { r: 'e', p: 'x' },
          { r: 'w', p: 'x' },
        ],
      },
      query: 'table given | cube label=* count by r, p',
      normalized: 'table given | cube label="*" count by r, p',
      gives: [
        { r: 'e', p: 'x', count: 1 },
        { r: 'e', p: '*', count: 1 },
        { r: 'w', p: 'x', count: 1 },
        { r: 'w', p: '*', count: 1 },
        { r: '*', p: 'x', count: 2 },
        { r: '*', p: '*', count: 2 },
      ],
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 22 },
    example: {
      tables: { given: [{ m: { a: 1, b: 'x' }, k: 2 }, { m: 5 }] },
      query: 'table given | parsemap field=m overlay=t | fields a, b, k',
      gives: [{ a: 1, b: 'x', k: 2 }, {}],
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 23 },
    example: {
      tables: { given: [{ line: 'kim [10.0.0.1] "GET /a" - 200' }] },
      query: 'table given | signature | fields signature',
      gives: [{ signature: '[...]-' }],
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 23 },
    example: {
      groups: { '22222222-2222-2222-2222-222222222222': ['tcp/22', 'udp/1000-2000'] },
      tables: {
        given: [
          { dst_port: 22, protocol: 'TCP' },
          { dst_port: '1500', protocol: 'udp' },
          { dst_port: 22, protocol: 'udp' },
          { dst_port: 22 },
        ],
      },
      query: 'table given | matchport guid=22222222-2222-2222-2222-222222222222',
      gives: [
        { dst_port: 22, protocol: 'TCP' },
        { dst_port: '1500', protocol: 'udp' },
      ],
    },
  },
  {
    refusedNow: { code: 92003, begin: 14, end: 26 },
    example: {
      groups: { '33333333-3333-3333-3333-333333333333': ['203.0.113.0/24'] },
      tables: { given: [{ src_ip: '10.0.0.1', dst_ip: '203.0.113.9' }, { src_ip: '10.0.0.1' }] },
      query: 'table given | matchblackip tag=t guid=33333333-3333-3333-3333-333333333333',
      normalized: 'table given | matchblackip guid=33333333-3333-3333-3333-333333333333 tag=t',
      gives: [
        { src_ip: '10.0.0.1', dst_ip: '203.0.113.9', _matchblackip: true },
        { src_ip: '10.0.0.1', _matchblackip: false },
      ],
    },
  },
  ...laterFunctions,
];
