// The pure parts of Search: what a click makes of a query text, the query of the histogram, and stored text made safe.

import { describe, expect, it } from 'vitest';
import { chartDataOf } from '#console/components/chart-data.ts';
import { placeAt } from '#console/components/query-editor/completion-place.ts';
import { excerptOf } from '#console/components/query-editor/findings.ts';
import { countsOf, facetsRequest } from '#console/pages/search/fields/field-counts.ts';
import { readHistory, remembered } from '#console/pages/search/history/entries.ts';
import { columnTracks, fieldsOf, initialColumns, moved } from '#console/pages/search/rows/columns.ts';
import { jsonText, parseRow, rawText } from '#console/pages/search/rows/row.ts';
import { readRows } from '#console/pages/search/rows/row-stream.ts';
import { cutText, visibleParts } from '#console/pages/search/rows/visible-text.ts';
import { MAX_LIVE_ROWS, NO_ROWS, withArrived } from '#console/pages/search/run/newest-rows.ts';
import { hasSameShape, liveText, withFilter } from '#console/query-text/edits.ts';
import { filledBuckets, histogramText, spanOf } from '#console/query-text/histogram-query.ts';
import { conditionText, exclusionText, nameText } from '#console/query-text/literals.ts';
import { type CommandKind, filterPartOf } from '#console/query-text/parts.ts';
import { commandsOf } from '#console/query-text/segments.ts';
import { commands } from '#query/commands/index.ts';
import { languageHelp } from '#query/help.ts';

const language = { version: '1', ...languageHelp('en') };
const kinds = new Map<string, CommandKind>(language.commands.map(({ name, kind }) => [name, kind]));
const options = { kinds, place: 'records' } as const;

describe('Commands of a text', () => {
  it.each([
    ['table web | search a == "x | y" | stats count', ['table', 'search', 'stats']],
    ['| table web | # note with [ a | b ] | limit 1', ['table', 'limit']],
    ['table web | join a [ table x | limit 1 ] | limit 2', ['table', 'join', 'limit']],
    ['table web ｜ search a == “x | y” | limit 1', ['table', 'search', 'limit']],
    ['table web | # said "x | y" | limit 1', ['table', 'limit']],
    ['', []],
  ])('of %s', (text, names) => {
    expect(commandsOf(text).map(({ name }) => name)).toEqual(names);
  });

  it('are known by kind', () => {
    expect(commands.length).toBeGreaterThan(30);
    expect([kinds.get('table'), kinds.get('search'), kinds.get('stats'), kinds.get('import')]).toEqual([
      'driver',
      'row',
      'transforming',
      'sink',
    ]);
  });
});

describe('A filter', () => {
  it.each([
    ['src_ip', '10.0.0.1', 'src_ip == "10.0.0.1"'],
    ['상태', '정상 "a" \\ *', '상태 == "정상 \\"a\\" \\\\ \\*"'],
    ['a b', 1, 'field("a b") == 1'],
    ['and', true, 'field("and") == true'],
    ['n.', 1.5, 'field("n.") == 1.5'],
    ['id', 9007199254740993n, 'id == 9007199254740993'],
    ['u', null, 'isnull(u)'],
    ['line', 'a\nb\tc', 'line == "a\\nb\\tc"'],
    ['tags', ['a'], undefined],
  ])('on %s = %s', (field, value, condition) => {
    expect(conditionText(field, value)).toBe(condition);
  });

  it('leaves out a value without rows that lack the field', () => {
    expect([exclusionText('s', 500), exclusionText('u', null), exclusionText('m', {})]).toEqual([
      'not(s == 500)',
      'isnotnull(u)',
      undefined,
    ]);
    expect([nameText('@x:y'), nameText('06'), nameText('a"b')]).toEqual(['@x:y', 'field("06")', 'field("a\\"b")']);
  });

  it('stands among the filters of records, before anything is computed', () => {
    const value = { field: 'status', value: 500 };
    const text = 'table web | search a == 1 | stats count by b';
    expect(withFilter(text, 'only', value, options)).toBe(
      'table web | search a == 1 | search status == 500 | stats count by b',
    );
    expect(withFilter(text, 'only', value, { kinds, place: 'result' })).toBe(`${text} | search status == 500`);
    expect(withFilter('table web | import x', 'only', value, { kinds, place: 'result' })).toBe(
      'table web | search status == 500 | import x',
    );
  });

  it('is added once, and its opposite takes its place', () => {
    const value = { field: 'status', value: 500 };
    const filtered = withFilter('table web', 'only', value, options);
    expect(withFilter(filtered, 'only', value, options)).toBe(filtered);
    expect(withFilter(filtered, 'without', value, options)).toBe('table web | search not(status == 500)');
    expect(withFilter('table web', 'only', { field: 'm', value: {} }, options)).toBe('table web');
    expect([hasSameShape('table web', filtered), hasSameShape('table web', 'table auth')]).toEqual([true, false]);
  });
});

describe('The filtering part of a text', () => {
  it.each([
    ['table web | search a | stats count', 'table web | search a | timechart span=30m count'],
    ['set x = 1 | table duration=1h web', 'set x = 1 | table duration=1h web | timechart span=30m count'],
    ['fulltext "a | b" from web | sort x', 'fulltext "a | b" from web | timechart span=30m count'],
    ['json "{}"', undefined],
    ['table a | import b | table c', undefined],
    ['table window=1h web', undefined],
  ])('of %s is counted over time', (text, histogram) => {
    expect(histogramText(text, kinds, spanOf({ from: 0, to: 86_400_000 }))).toBe(histogram);
  });

  it('is asked for its top values where it reads one table in the range of the page', () => {
    const request = (text: string) => facetsRequest(text, filterPartOf(text, kinds));
    expect(request('table web | search a | eval b = 1 | stats count')).toEqual({
      table: 'web',
      limit: 10,
      q: 'search a | eval b = 1',
    });
    expect(request('table web')).toEqual({ table: 'web', limit: 10 });
    for (const text of ['table duration=1h web', 'table a, b', 'table w*', 'table limit=5 web', 'fulltext "x"']) {
      expect(request(text)).toBeUndefined();
    }
  });

  it('is followed as records arrive, without a range', () => {
    expect(liveText('table duration=1h order=asc web | search a', kinds, 600)).toBe('table window=600s web | search a');
    expect(liveText('fulltext limit=5 tt=t "x" from web', kinds, 60)).toBe('fulltext window=60s tt=t "x" from web');
    expect(liveText('table web | stats count', kinds, 600)).toBeUndefined();
  });

  it('has a bar for every bucket of its range, also for those without records', () => {
    const span = { text: '1m', milliseconds: 60_000 };
    const counts = [{ at: 120_000, count: 3 }];
    expect(filledBuckets(counts, span, { from: 0, to: 240_000 }).map(({ count }) => count)).toEqual([0, 0, 3, 0]);
    expect(filledBuckets([...counts, { at: 240_000, count: 1 }], span, undefined).map(({ at }) => at)).toEqual([
      120_000, 180_000, 240_000,
    ]);
    expect(filledBuckets([], span, undefined)).toEqual([]);
  });
});

describe('Completion', () => {
  const wanted = (text: string) => placeAt(text, text.length, language)?.wanted;

  it('knows what may stand at a place', () => {
    expect(wanted('')).toEqual({ kind: 'command', isFirst: true });
    expect(wanted('table web | se')).toEqual({ kind: 'command', isFirst: false });
    expect(wanted('table web | union [ ta')).toEqual({ kind: 'command', isFirst: true });
    expect(wanted('table ')).toMatchObject({ kind: 'object', takesTables: true });
    expect(wanted('table order=')).toMatchObject({ kind: 'value', option: { name: 'order' } });
    expect(wanted('table web | stats ')).toMatchObject({ takesAggregates: true, takesFunctions: false });
    expect(wanted('table web | stats sum(')).toMatchObject({ takesAggregates: false, takesFields: true });
    expect(wanted('table web | search st')).toMatchObject({ takesFields: true, takesFunctions: true });
    expect([wanted('table web | search a == "x'), wanted('table web | # no'), wanted('nonsense x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('shows the place of a mistake in its line', () => {
    expect(excerptOf('table web\n| serch x', { begin: 12, end: 17 })).toEqual(['| serch x', '  ^^^^^']);
    expect(excerptOf('x', { begin: 1, end: 1 })).toEqual(['x', ' ^']);
  });
});

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
