// The texts of Search: what a click makes of a query, the query of the histogram, and what is completed.

import { describe, expect, it } from 'vitest';
import { placeAt } from '#console/components/query-editor/completion-place.ts';
import { excerptOf } from '#console/components/query-editor/findings.ts';
import { facetsRequest } from '#console/pages/search/fields/field-counts.ts';
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
