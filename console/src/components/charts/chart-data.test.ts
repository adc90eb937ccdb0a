// What a result is drawn as: a time series, bars, parts of a whole, or numbers.

import { describe, expect, it } from 'vitest';
import { chartDataAs, chartDataOf, MAX_BARS, partsOf } from './chart-data.ts';

const column = (name: string, type = 'long') => ({ name, type });
const AT = '2026-11-16 10:00:00.000+0000';
const LATER = '2026-11-16 11:00:00.000+0000';
const TIME = column('_time', 'date');

describe('A result with a time', () => {
  it('is a series in the order of time, with gaps where a value is absent', () => {
    const rows = [
      { _time: LATER, count: 2n, avg: null },
      { _time: AT, count: 1, avg: 0.5 },
      { _time: 'no time', count: 9, avg: 9 },
    ];
    expect(chartDataOf([TIME, column('count'), column('avg', 'double')], rows)).toEqual({
      kind: 'series',
      times: [Date.parse('2026-11-16T10:00:00Z'), Date.parse('2026-11-16T11:00:00Z')],
      lines: [
        { label: 'count', values: [1, 2] },
        { label: 'avg', values: [0.5, null] },
      ],
      others: 0,
    });
  });

  it('draws the largest lines, and counts the others', () => {
    const hosts = Array.from({ length: 20 }, (_, n) => `h${n}`);
    const rows = [{ _time: AT, ...Object.fromEntries(hosts.map((name, n) => [name, n])) }];
    const drawn = chartDataOf([column('_time'), ...hosts.map((name) => column(name))], rows);
    expect(drawn).toMatchObject({ others: 8, lines: hosts.slice(8).map((label) => ({ label })) });
  });

  it('as a pie is the sum of each line', () => {
    const rows = [
      { _time: AT, a: 1, b: null },
      { _time: LATER, a: 2, b: 5 },
    ];
    expect(chartDataAs('pie', [TIME, column('a'), column('b')], rows)).toEqual({
      kind: 'bars',
      measure: '',
      bars: [
        { label: 'a', value: 3 },
        { label: 'b', value: 5 },
      ],
    });
  });
});

describe('A result with labels', () => {
  it('is bars, labelled by what is not a number', () => {
    const rows = [
      { 앱: 'sshd', user: null, count: 3, 기타: 1 },
      { 앱: 'nginx', user: 'kim', count: null, 기타: 1 },
    ];
    expect(chartDataOf([column('앱'), column('user'), column('count'), column('기타')], rows)).toEqual({
      kind: 'bars',
      measure: 'count',
      bars: [
        { label: 'sshd · ', value: 3 },
        { label: 'nginx · kim', value: 0 },
      ],
    });
  });

  it('is labelled by its first number where there is nothing else', () => {
    const rows = [
      { status: 200, count: 2 },
      { status: 500, count: 1 },
    ];
    expect(chartDataOf([column('status'), column('count')], rows)).toEqual({
      kind: 'bars',
      measure: 'count',
      bars: [
        { label: '200', value: 2 },
        { label: '500', value: 1 },
      ],
    });
  });

  it('has a bounded number of bars', () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({ name: `n${n}`, count: n }));
    expect(chartDataOf([column('name'), column('count')], rows)).toMatchObject({ bars: { length: MAX_BARS } });
  });
});

describe('One row of numbers', () => {
  it('is drawn as numbers', () => {
    const rows = [{ count: 7, sum: 9007199254740993n }];
    expect(chartDataOf([column('count'), column('sum')], rows)).toEqual({
      kind: 'number',
      numbers: [
        { label: 'count', value: 7 },
        { label: 'sum', value: 9007199254740992 },
      ],
    });
  });
});

describe('Nothing is drawn', () => {
  it.each([
    ['without rows', [column('count')], []],
    ['of records', [column('_id'), column('count')], [{ _id: 1, count: 2 }]],
    ['without numbers', [column('a')], [{ a: 'x' }]],
    [
      'of a column that is no number in every row',
      [column('a'), column('b')],
      [
        { a: 'x', b: 1 },
        { a: 'y', b: 'z' },
      ],
    ],
    ['of several rows of one number', [column('count')], [{ count: 1 }, { count: 2 }]],
    ['of absent values', [column('a'), column('b')], [{ a: null }, {}]],
  ])('%s', (_, columns, rows) => {
    expect(chartDataOf(columns, rows)).toBeUndefined();
  });
});

describe('A chosen form', () => {
  const rows = [
    { _time: AT, count: 4 },
    { _time: LATER, count: 5 },
  ];

  it('number shows the first row, without fields of the system', () => {
    const columns = [TIME, column('_n'), column('count')];
    const numbered = rows.map((row) => ({ ...row, _n: 1 }));
    expect(chartDataAs('number', columns, numbered)).toEqual({
      kind: 'number',
      numbers: [{ label: 'count', value: 4 }],
    });
  });

  it.each(['line', 'area', 'bar'] as const)('%s of a series is the series', (form) => {
    expect(chartDataAs(form, [TIME, column('count')], rows)?.kind).toBe('series');
  });

  it.each(['number', 'pie'] as const)('%s that does not fit gives way to what does', (form) => {
    expect(chartDataAs(form, [column('a')], [{ a: 'x' }])).toBeUndefined();
    expect(chartDataAs(form, [column('a')], [])).toBeUndefined();
    expect(chartDataAs('pie', [column('a'), column('n')], [{ a: 'x', n: 1 }])?.kind).toBe('bars');
  });
});

describe('The parts of a pie', () => {
  const bars = [3, 0, 5, -1, 1, 2].map((value) => ({ label: `v${value}`, value }));

  it('are the largest, and the others together', () => {
    expect(partsOf(bars, 3, '기타')).toEqual([
      { label: 'v5', value: 5 },
      { label: 'v3', value: 3 },
      { label: '기타', value: 3 },
    ]);
  });

  it('are all where they are few, without those that take no place', () => {
    expect(partsOf(bars, 4, 'others').map(({ value }) => value)).toEqual([5, 3, 2, 1]);
  });
});
