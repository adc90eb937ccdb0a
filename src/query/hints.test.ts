// Hints: how this language writes what other languages write in another way, with words of the text in them.

import { describe, expect, it } from 'vitest';
import { queryErrorIn } from '#test/support/query.ts';
import { contextOf } from '#test/support/query-examples.ts';
import { insteadOf } from './commands/not-offered.ts';
import { hintReportsOf, type QueryError } from './model/query-error.ts';

const context = contextOf({
  tables: { given: [{ status: 1, user: 'kim', path: '/a' }], web: [{ a: 1 }] },
  procedures: { busy: { parameters: {}, query: 'json "{}"' } },
  databases: { db: {} },
});

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
    [
      'table given | where status > 400',
      91010,
      'rows are filtered with search: search status > 400',
      'search status > 400',
    ],
    [
      'table given | filter user == "a|b" | limit 1',
      91010,
      'rows are filtered with search: search user == "a|b"',
      'search user == "a|b"',
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
      'table given | search status == 1',
    ],
    ['from given', 91024, 'a query begins with its table: table given | search … | fields …', 'table given'],
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
      'table given | rex "(?<a b>x)"',
      91032,
      'a group name has no blank, comma, quote or bracket; rename gives the field another name',
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
    [
      'search status == 1 | limit 1',
      91046,
      'begin with the table: table TABLE | search status == 1',
      'table * | search status == 1',
    ],
    ['search failed | limit 1', 91046, 'begin with the table: table TABLE | search failed', 'table * | search failed'],
    [
      'search failed login',
      91046,
      'begin with the table: table TABLE | search failed login',
      'fulltext "failed" and "login"',
    ],
    [
      "where status = 400 AND user LIKE 'k%'",
      91010,
      'rows are filtered with search: search (status == 400) and (user == "k*")',
      'table * | search (status == 400) and (user == "k*")',
    ],
    [
      'table given | grep kim',
      91010,
      'rows are filtered with search: search contains(line, "kim")',
      'search contains(line, "kim")',
    ],
    ['table given | stats distinct_count(user)', 91050, 'distinct_count(x) is dc(x) here', 'dc'],
    ['table given | eval x = mean(status)', 91050, 'mean(x) is avg(x) here', 'avg'],
    [
      'table from=ago("1d") given',
      91051,
      'a computed value is a parameter: set from = ago("1d") | table from=$("from")',
      'set from = ago("1d") | table from=$("from") given',
    ],
    ['remote n9 [ table given ]', 91052, 'nodes of this installation: vigil', null],
    ['system threads', 91053, expect.stringMatching(/^objects: tables, /), null],
    ['table given | eval a = 1 b = 2', 91054, 'assignments are separated by commas: , b = …', ', b'],
    ['dbquery db $("sql")', 91055, 'SQL is written in the text; values stand in it as :name', null],
    ['table given | search user == $(name)', 91056, 'the name of a parameter is text: $("name")', '"name"'],
    ['status=500', 91057, 'as a search: table * | search status == 500', 'table * | search status == 500'],
    ['busy', 91058, 'busy is a procedure: proc busy(…); it may be marked as a command', null],
    ['table given | stats count by lower(user)', 91059, 'compute it first: eval k = lower(user)', null],
    ['table last=1d web', 91062, 'a range back from now is duration=1d', 'duration=1d'],
    ['table web | limit 10, 20', 91063, 'offset and limit have no comma: limit 10 20', '10 20'],
    ['table given | top limit=10 user', 91016, 'the number of values is written first: top 10 user', '10'],
    [
      'table web | transaction user',
      91064,
      'group by the key: stats first(_time), last(_time), count by user',
      'stats first(_time), last(_time), count by user',
    ],
    ['failed 10.0.0.1 OR timeout', 91057, expect.any(String), 'fulltext ("failed" and "10.0.0.1") or "timeout"'],
    [
      'index=web status=500 "connection reset"',
      91057,
      expect.any(String),
      'fulltext (status == 500) and "connection reset" from web',
    ],
    ['web | stats count', 91057, 'as a search: table web', 'table web'],
    ['{app="web"} |= "x"', 91057, expect.any(String), 'table * | search (app == "web") and contains(line, "x")'],
    [
      'SELECT user, count(*) AS n FROM web WHERE status = 500 GROUP BY user ORDER BY n DESC LIMIT 3',
      91024,
      expect.any(String),
      'table web | search status == 500 | stats count as n by user | sort -n | limit 3',
    ],
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
      end: 32,
      replacement: 'search status > 400',
    });
  });
});

describe('A command that is not offered', () => {
  const WORDS =
    'confdb sentry sentry-x logger stream logdb insert execpipe script sonar ftp sftp hdfs xmlfile zipfile-entries nslookup iplookup rss copytable mv ' +
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

describe('A hostile text', () => {
  const PIECES = [
    ...[' ', 'a ', '(', 'not ', 'f(', 'a=', '"', '\\"', '=', 'a,', '{a="b",', '|= "x" ', 'from b ', ' where x'],
    ...[' group by y order by z', ' limit', '*', "'", 'and ', 'a between 1 and ', '- ', '\t\n', '1', ';', 'in (', '한'],
  ];
  const HEADS = [
    '',
    'select ',
    'select a from b ',
    'select a from b where ',
    'table web | where ',
    '{',
    'index=web ',
    'from ',
  ];
  const TAILS = ['', ')', '(', '"', ' x'];

  it('is given up soon', () => {
    const slow: string[] = [];
    for (const head of HEADS) {
      for (const piece of PIECES) {
        for (const tail of TAILS) {
          const text = `${head}${piece.repeat(Math.ceil(5000 / piece.length))}${tail}`;
          const before = process.cpuUsage();
          queryErrorIn(text, context);
          const { user, system } = process.cpuUsage(before);
          if (user + system > MAX_MICROSECONDS) slow.push(`${text.slice(0, 60)}…${tail}: ${user + system} µs`);
        }
      }
    }
    expect(slow).toEqual([]);
  });
});

const MAX_MICROSECONDS = 400_000;
