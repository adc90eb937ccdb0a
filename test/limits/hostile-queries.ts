// Queries that ask for more than there is: of memory, of disk, of time, or of the process that answers everybody.

const many = (count: number, piece: (at: number) => string) => Array.from({ length: count }, (_, at) => piece(at));

const ROWS = 'table web | repeat count=100000';

export const hostileQueries: readonly string[] = [
  // Held in memory, whatever there is.
  `${ROWS} | eval b = concat("some longer text ", string(seq())) | stats values(b)`,
  `${ROWS} | eval b = concat("some longer text ", string(seq())) | stats array(b), array(n) by n`,
  `${ROWS} | eval b = seq() | stats count by b | sort -b`,
  `${ROWS} | eval b = guid() | eventstats count by b | sort b`,
  // Longer than anything.
  `${ROWS} | eval a = "x"${many(25, () => ' | eval a = concat(a, a)').join('')} | eval l = len(a) | stats max(l)`,
  `${ROWS} | eval ${many(20, (at) => `a${at} = lpad(string(n), 20000)`).join(', ')} | eval l = ${many(20, (at) => `len(a${at})`).join(' + ')} | stats max(l)`,
  `${ROWS} | eval a = foreach(concat(_1, path), split(lpad("", 20000, "a,"), ",")) | eval l = len(a) | stats max(l)`,
  // Wider than anything.
  `${ROWS} | eval b = seq() | pivot count rows n cols b`,
  `${ROWS} | eval b = seq() | timechart span=1h count by b`,
  `json "{a:1}" | eval ${many(150_000, (at) => `n${at}=a`).join(',')}`,
  // More than anything.
  `${ROWS} | eval k = 1 | join type=inner k [ ${ROWS} | eval k = 1, m = n | fields k, m ] | stats count`,
  `${ROWS} | eval k = 1 | join type=inner k [ ${ROWS} | eval k = 1, m = n | fields k, m ] | sort m`,
  'json "{a:1}" | repeat count=1000000000 | eval b = seq() | search b < 0',
  // Patterns.
  'table web | search match(path, "(a{1000}){1000}")',
  `${ROWS} | rex field=path "(?<x>(.{0,30}){0,30})$" | stats count by x`,
  `table web | rex field=path "${many(2000, (at) => `(?<g${at}>x)?`).join('')}"`,
  // Texts.
  `table web | search path == "${'*a'.repeat(500_000)}"`,
  `table web | search in(path${many(90_000, (at) => `, "${at}"`).join('')})`,
  `table web | search ${'not('.repeat(250)}n == 1${')'.repeat(250)} | stats count`,
  `table web | search ${'('.repeat(500_000)}n == 1`,
  `table web${' | eval n = n + 1'.repeat(120)}`,
  `table web | eval n = 1${', n = n + 1'.repeat(1000)}`,
  `json "[${'{a:1},'.repeat(150_000)}{}]"`,
  // Constants.
  'table web | eval l = daterange(date("2000-01-01"), date("2270-01-01")), m = len(l) | stats sum(m)',
  'set a = lpad("", 1000000, "ab") | set b = replace($("a"), "a", $("a")) | table web',
  `setq [ ${ROWS} | eval b = seq() | stats values(b) as l ] | table web | eval m = len($("l"))`,
];
