// Queries that ask for more than there is: of memory, of disk, of time, or of the process that answers everybody.

const many = (count: number, piece: (at: number) => string) => Array.from({ length: count }, (_, at) => piece(at));

const ROWS = 'table web | repeat count=100000';
/** As many keys as may become columns. */
const KEYS = 'json "{a:1}" | repeat count=4900 | eval b = seq()';
const LONG_TEXT = 'eval x = replace(lpad("", 10000, "a"), "a", lpad("", 100, "a"))';
const nested = (call: string, depth: number, inner: string) => `a = ${call.repeat(depth)}${inner}${')'.repeat(depth)}`;

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
  // As wide, as long, as deep as may be.
  `${KEYS} | pivot count cols b`,
  `${KEYS} | pivot fill=0 count, sum(b) as s rows a cols b`,
  `${KEYS} | eval _time = now() | timechart span=1h count by b`,
  `${KEYS} | eval t = concat("key ", string(b)) | pivot count rows t cols b | limit 2`,
  `table web | search ${many(2400, (at) => `n == ${at}`).join(' or ')}`,
  `table web | search ${many(1200, (at) => `path == "*a${at}*"`).join(' or ')}`,
  `table web | eval ${many(2700, (at) => `a${at} = n`).join(', ')}`,
  `table web | eval ${many(1600, (at) => `a${at} = concat(path, "${at}")`).join(', ')} | stats count by a7`,
  `table web | fields ${many(7200, (at) => `f${at}`).join(', ')}`,
  `table web | rename ${many(2400, (at) => `f${at} as g${at}`).join(', ')}`,
  `table web | stats ${many(1500, (at) => `sum(n) as s${at}`).join(', ')}`,
  `table web | eval ${many(2000, (at) => `a${at} = n`).join(', ')} | sort ${many(100, (at) => `a${at}`).join(', ')} | evalc z = 1`,
  `table web | search in(n, ${many(6500, (at) => `${at}`).join(', ')})`,
  `table web | search in(path, ${many(2700, (at) => `"*${at}*"`).join(', ')})`,
  `json "[${many(10_000, (at) => `{a:${at}}`).join(',')}]" | stats sum(a)`,
  `json "{${many(10_000, (at) => `a${at}:1`).join(',')}}"`,
  `json "{a:${'{a:'.repeat(2000)}1${'}'.repeat(2001)}" | evalc z = 1`,
  `json "{a:1}" | eval b = "${'x'.repeat(1_000_000)}" | evalc z = 1`,
  `table web | eval ${nested('array(', 250, 'n')} | evalc z = 1`,
  `${ROWS} | search ${'not('.repeat(250)}n == 1${')'.repeat(250)} | stats count`,
  `${ROWS} | eval a = ${'abs('.repeat(250)}n${')'.repeat(250)} | stats sum(a)`,
  `table web${' | join type=left n [ table web | fields n ]'.repeat(42)}`,
  `table web${' | union [ table web | fields n ]'.repeat(42)} | stats count`,
  `table web${' | union [ table web'.repeat(31)}${' ]'.repeat(31)} | stats count`,
  // Work of the host, row by row.
  `${ROWS} | evalc a = $("a", 0) + 1 | search a < 0`,
  `${ROWS} | evalc a = $("a", 0) + 1 | eval ${many(500, (at) => `b${at} = n + ${at}`).join(', ')} | stats sum(b7)`,
  `${ROWS} | evalc a = 1 | rex field=path "(?<x>(.{0,30}){0,30})$" | stats count by x`,
  `${ROWS} | ${LONG_TEXT} | evalc a = 1 | eval l = len(x) | stats sum(l)`,
  `json "{a:1}" | ${LONG_TEXT} | evalc z = 1 | search match(x, "(a|aa|aaa)*b$")`,
  `json "{a:1}" | ${LONG_TEXT} | evalc z = 1 | rex field=x "(?<y>(a|aa)*)(?<w>a*?)b"`,
  `json "{a:1}" | ${LONG_TEXT} | evalc z = 1 | eval y = replace(x, "(a)(a)", "$2$1", "re"), l = len(y)`,
  `json "{a:1}" | ${LONG_TEXT} | evalc z = 1 | eval y = split(x, "a"), l = len(y) | explode y | stats count`,
  `json "{a:1}" | ${LONG_TEXT} | eval y = groups(x, "((a|aa)*)b") | repeat count=1000`,
  `json "{a:1}" | eval x = strjoin(",", split(lpad("", 10000, "1,"), ",")), y = concat("[", x, "1]") | repeat count=100000 | parsejson field=y | stats count(a), count(b)`,
  `${ROWS} | eval x = concat("<a><b>", lpad("", 10000, "x"), "</b></a>") | parsexml field=x | stats count(a)`,
  `${ROWS} | eval x = lpad("", 10000, "k=v ") | parsekv field=x | stats count(k)`,
  `${ROWS} | tojson output=x | stats count by x`,
  `json "{a:1}" | repeat count=100000 | eval ${many(100, (at) => `a${at} = lpad("", 1000, "x")`).join(', ')} | evalc z = 1`,
];
