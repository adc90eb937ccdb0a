// Hints: how this language writes what other languages write in another way, with words of the text in them.

import { describe, expect, it } from 'vitest';
import { queryErrorIn } from '#test/support/query.ts';
import { contextOf } from '#test/support/query-examples.ts';
import { insteadOf } from './commands/not-offered.ts';
import { hintReportsOf, type QueryError } from './model/query-error.ts';

const context = contextOf({ tables: { given: [{ status: 1, user: 'kim', path: '/a' }] } });

function refusalOf(text: string): QueryError {
  const error = queryErrorIn(text, context);
  if (!error) throw new Error(`accepted: ${text}`);
  return error;
}

/** Code, message and replacement of each hint of the first error. */
const hintsIn = (text: string) =>
  hintReportsOf(refusalOf(text), 'en').map(({ code, message, replacement }) => [code, message, replacement]);

describe('A hint', () => {
  it.each<[string, number, string, string | null]>([
    ['# note', 91004, 'a comment ends at the next pipe, not at the end of the line', null],
    ['table given | where status > 400', 91010, 'rows are filtered with search: search status > 400', 'search'],
    [
      'table given | filter user == "a|b" | limit 1',
      91010,
      'rows are filtered with search: search user == "a|b"',
      'search',
    ],
    ['table given | head 10', 91011, 'the first rows are limit 10; the last ones are sort -_time | limit 10', 'limit'],
    ['table given | tail', 91011, 'the first rows are limit 10; the last ones are sort -_time | limit 10', null],
    ['table given | summarize count by user', 91012, 'rows are grouped with stats: stats count by user', 'stats'],
    ['table given | group', 91012, 'rows are grouped with stats: stats count by F', null],
    ['table given | project user', 91013, 'columns are chosen with fields: fields a, b', 'fields'],
    ['table given | select user', 91013, 'columns are chosen with fields: fields a, b', 'fields'],
    ['table given | extend x = 1', 91014, 'fields are computed with eval: eval x = …', 'eval'],
    ['table given | top user', 91016, 'the number of values is written first: top 10 user', '10 user'],
    [
      'table given | eval t = dateadd(_time, "minute", 1)',
      91018,
      'units: year mon week day hour min sec msec in functions, s m h d w mon y in durations: minute is min',
      '"min"',
    ],
    [
      'table duration=5minutes given',
      91018,
      'units: year mon week day hour min sec msec in functions, s m h d w mon y in durations: minutes is m',
      '5m',
    ],
    ['table given | stats p95(status)', 91019, 'percentile(x, 95)', null],
    ['table given | eval x = p5(status)', 91019, 'percentile(x, 5)', null],
    [
      'select * from given where status = 1',
      91024,
      'a query begins with its table: table given | search … | fields …',
      null,
    ],
    ['from given', 91024, 'a query begins with its table: table given | search … | fields …', null],
    [
      'table given | union [ select a ]',
      91024,
      'a query begins with its table: table TABLE | search … | fields …',
      null,
    ],
    ['table given | distinct user', 91025, 'one row per value: dedup user', 'dedup'],
    ['table given | count by user', 91027, 'aggregates stand in stats: stats count by user', 'stats count'],
    ['table given | sum(status)', 91027, 'aggregates stand in stats: stats sum(status) by F', 'stats sum'],
    ['table given | rename user = login', 91028, 'rename OLD as NEW', 'as'],
    ['table given | rex "(GET)"', 91029, 'a group gets its name by (?<name>…)', null],
    [
      'table given | rex "(?<m>GET)(?= /)"',
      91030,
      'patterns follow RE2; use two patterns, or search with match() and not()',
      null,
    ],
    [
      'table given | rex "(?<time+>x)"',
      91032,
      'a group name has letters, digits and _; rename gives the field another name',
      null,
    ],
    [
      'table given | import create=t given',
      91036,
      'import writes to an existing table; an administrator creates it',
      null,
    ],
    ['proc my proc()', 91039, 'a procedure with another name is written proc "my proc"(…)', null],
    ['table given | timechart count by user, status', 91042, 'join two fields first: eval k = concat(a, " ", b)', null],
    [
      'table given | eval x = sum(status)',
      91044,
      'compute the aggregate with stats first, then use its column in eval',
      null,
    ],
    [
      'table given | join on user [ table given ]',
      91045,
      'join KEY [ QUERY ]: both sides name the key alike; rename before',
      null,
    ],
    ['search status == 1 | limit 1', 91046, 'begin with the table: table TABLE | search status == 1', null],
    ['table meta("a == 1")', 91047, 'tables are named, or chosen by a star: table log_*', null],
  ])('is given for: %s', (text, code, message, replacement) => {
    expect(hintsIn(text)).toContainEqual([code, message, replacement]);
  });

  it.each([
    'table given | serach user',
    'table given | eval x = foo(1)',
    'table given | rename',
    'table none',
    'table given | import crate=t given',
  ])('is not given for: %s', (text) => {
    const codes = hintsIn(text).map(([code]) => code);
    expect(codes.filter((code) => code !== 91028)).toEqual([]);
  });

  it('has the place and the code of its error, and both languages', () => {
    const [hint] = hintReportsOf(refusalOf('table given | where status > 400'), 'ko');
    expect(hint).toEqual({
      code: 91010,
      of: 92000,
      message: '행은 search로 거릅니다: search status > 400',
      begin: 14,
      end: 19,
      replacement: 'search',
    });
  });
});

describe('A command that is not offered', () => {
  const WORDS =
    'confdb sentry sentry-x logger stream ftp sftp hdfs xmlfile zipfile-entries nslookup iplookup rss copytable mv ' +
    'checktable purge alertmsg sendmail sendsyslog auditmsg dbcall pcapfile pcapdecode pcapreplay outputpcap decodedns ' +
    'decodedhcp decodehttp decodesflow ntfs-mft streamjoin mpsearch matchfeed matchsig matchbehavior flowsearch ' +
    'evtctxadd evtctxget curvefit forecast stl anomalies lof kmeans rforest tfidf summary groovy load result ' +
    'event dataset schema node-list sonar-asset';

  it.each(WORDS.split(' '))('is told with the way to do it here: %s', (word) => {
    const error = refusalOf(`table given | ${word} x = 'y | search nope(1)`);
    expect(error).toMatchObject({ code: 92003, begin: 14, end: 14 + word.length, help: {} });
    expect(error.message).toMatch(new RegExp(`^${word} is not available here; .*\\w`));
    expect(insteadOf(word) ?? 'instead-pcapfile').toMatch(/^instead-/);
    // The rest of the segment is not looked at; other segments are.
    expect(error.further.map(({ code }) => code)).toEqual([90300]);
  });

  it('is unknown where it is near a command', () => {
    expect(refusalOf('table given | time-chart count')).toMatchObject({
      code: 92000,
      help: { suggestions: ['timechart'] },
    });
  });
});
