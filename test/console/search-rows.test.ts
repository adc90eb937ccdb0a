// The rows of Search: read, counted, drawn, and stored text made safe.

import { describe, expect, it } from 'vitest';
import { chartDataOf } from '#console/components/chart-data.ts';
import { countsOf } from '#console/pages/search/fields/field-counts.ts';
import { readHistory, remembered } from '#console/pages/search/history/entries.ts';
import { columnTracks, fieldsOf, initialColumns, moved, placed } from '#console/results/columns.ts';
import { MAX_LIVE_ROWS, NO_ROWS, withArrived } from '#console/results/newest-rows.ts';
import { jsonText, parseRow, rawText } from '#console/results/row.ts';
import { readRows } from '#console/results/row-stream.ts';
import { cutText, visibleParts } from '#console/results/visible-text.ts';

describe('Rows', () => {
  it('keep whole numbers of 64 bits', () => {
    const row = parseRow('{"id":9223372036854775807,"n":1.5}');
    expect(row).toEqual({ id: 9223372036854775807n, n: 1.5 });
    expect(jsonText(row)).toBe('{"id":9223372036854775807,"n":1.5}');
  });

  it('are read up to a number of bytes, the first one always', async () => {
    const lines = ['{"a":1}', `{"a":"${'x'.repeat(1000)}"}`, '{"a":3}'].join('\n');
    expect(await readRows(new Response(`${lines}\n`), 10_000)).toMatchObject({
      rows: [{ a: 1 }, {}, { a: 3 }],
      isComplete: true,
    });
    const stream = ReadableStream.from([...lines].map((character) => new TextEncoder().encode(character)));
    expect(await readRows(new Response(stream), 5)).toMatchObject({ rows: [{ a: 1 }], isComplete: false });
  });

  it('have the columns of the result first, and hide what says nothing', () => {
    const rows = [{ _table: 'w', _time: '2026-11-16 10:00:00.000+0000', _id: 1, a: 'x', b: null, more: 1 }];
    const fields = fieldsOf(
      ['_table', '_time', '_id', 'b', 'a'].map((name) => ({ name, type: 'string' })),
      rows,
    );
    expect(fields.map(({ name }) => name)).toEqual(['_table', '_time', '_id', 'b', 'a', 'more']);
    expect(initialColumns(fields, rows)).toEqual(['_time', 'a', 'more']);
    expect(columnTracks(['_time', 'a'], new Map([['_time', 'date']]), rows)).toMatch(/^27ch minmax\(\d+ch, 1fr\)$/);
    const many = Array.from({ length: 20 }, (_, n) => ({ _id: n, app: 'sshd', user: `u${n}` }));
    expect(initialColumns(fieldsOf([], many), many)).toEqual(['user', 'app']);
    expect(columnTracks(['a', 'n'], new Map([['n', 'long']]), rows)).toMatch(/^\d+ch \d+ch 1fr$/);
    expect([
      placed(['a', 'b', 'c'], 'c', { target: 'a', isBehind: false }),
      placed(['a', 'b', 'c'], 'a', { target: 'b', isBehind: true }),
    ]).toEqual([
      ['c', 'a', 'b'],
      ['b', 'a', 'c'],
    ]);
    expect([moved(['a', 'b'], 'b', -1), moved(['a', 'b'], 'b', 1)]).toEqual([
      ['b', 'a'],
      ['a', 'b'],
    ]);
    expect([rawText({ line: 'raw' }), rawText({ _id: 1, a: 'x y', n: 1 })]).toEqual(['raw', 'a="x y" n=1']);
  });

  it('have their values counted here where the service cannot', () => {
    const rows = [{ s: 200 }, { s: 200 }, { s: '200' }, {}];
    expect(countsOf([{ name: 's', type: 'any' }], rows).fields).toEqual([
      {
        field: 's',
        count: 3,
        distinct: 2,
        values: [
          { value: 200, count: 2 },
          { value: '200', count: 1 },
        ],
      },
    ]);
  });

  it('of a live tail are bounded, each once, the latest first', () => {
    const rowsOf = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, place) => ({ _table: 'w', _id: from + place }));
    const first = withArrived(NO_ROWS, rowsOf(0, 3));
    expect(first.rows.map(({ _id }) => _id)).toEqual([2, 1, 0]);
    expect(withArrived(first, rowsOf(1, 4))).toMatchObject({
      arrived: 4,
      rows: [{ _id: 3 }, { _id: 2 }, { _id: 1 }, { _id: 0 }],
    });
    const unnumbered = withArrived(withArrived(NO_ROWS, [{ line: 'a' }]), [{ line: 'b' }, { line: 'c' }]);
    expect(unnumbered.rows).toEqual([{ line: 'c' }, { line: 'b' }, { line: 'a' }]);
    const many = withArrived(first, rowsOf(10, 10 + 2 * MAX_LIVE_ROWS));
    expect([many.rows.length, many.arrived]).toEqual([MAX_LIVE_ROWS, 2 * MAX_LIVE_ROWS + 3]);
    const long = withArrived(
      NO_ROWS,
      rowsOf(0, 100).map((row) => ({ ...row, line: 'x'.repeat(1_000_000) })),
    );
    expect(long.rows.length).toBeLessThan(40);
  });

  it('are drawn as a time series, bars or a number', () => {
    const at = '2026-11-16 10:00:00.000+0000';
    expect(
      chartDataOf(
        [
          { name: '_time', type: 'date' },
          { name: 'count', type: 'long' },
        ],
        [{ _time: at, count: 2 }],
      ),
    ).toMatchObject({
      kind: 'series',
      lines: [{ label: 'count', values: [2] }],
    });
    expect(
      chartDataOf(
        [
          { name: 's', type: 'long' },
          { name: 'count', type: 'long' },
        ],
        [
          { s: 200, count: 2 },
          { s: 500, count: 1 },
        ],
      ),
    ).toEqual({
      kind: 'bars',
      measure: 'count',
      bars: [
        { label: '200', value: 2 },
        { label: '500', value: 1 },
      ],
    });
    const hosts = Array.from({ length: 20 }, (_, n) => `h${n}`);
    const wide = [{ _time: at, ...Object.fromEntries(hosts.map((name, n) => [name, n])) }];
    const drawn = chartDataOf(
      ['_time', ...hosts].map((name) => ({ name, type: name === '_time' ? 'date' : 'long' })),
      wide,
    );
    expect(drawn).toMatchObject({ others: 8, lines: hosts.slice(8).map((label) => ({ label })) });
    expect(chartDataOf([{ name: 'count', type: 'long' }], [{ count: 7 }])).toMatchObject({ kind: 'number' });
    expect(chartDataOf([{ name: '_id', type: 'long' }], [{ _id: 7 }])).toBeUndefined();
  });
});

describe('Stored text', () => {
  it('shows characters that hide or turn text by their codes', () => {
    const shown = (text: string) =>
      visibleParts(text)
        .map(({ text: part, isCode }) => (isCode ? `[${part}]` : part))
        .join('');
    expect(shown('a\u202eb\u0000c\u200bd\ufeff')).toBe('a[U+202E]b[U+0000]c[U+200B]d[U+FEFF]');
    expect(shown('<script>alert(1)</script>\tx\ny 한글')).toBe('<script>alert(1)</script>\tx\ny 한글');
    expect(shown('\u001b[31mred\ud800')).toBe('[U+001B][31mred[U+D800]');
  });

  it('is never cut inside of a character', () => {
    expect([cutText('a😀b', 2), cutText('a😀b', 3), cutText('ab', 5)]).toEqual(['a', 'a😀', 'ab']);
  });
});

describe('The history', () => {
  it('has each text once, the newest first, and survives what another version wrote', () => {
    const entry = (q: string, at: number) => ({ q, from: 'now-1h', to: 'now', at });
    const entries = remembered(remembered([entry('a', 1)], entry('b', 2)), entry('a', 3));
    expect(entries).toEqual([entry('a', 3), entry('b', 2)]);
    expect(remembered(entries, entry('x'.repeat(2001), 4))).toBe(entries);
    expect(readHistory({ searches: [entry('a', 1), { q: 1 }, null] })).toEqual([entry('a', 1)]);
    expect(readHistory({ searches: 'x' })).toEqual([]);
  });
});
