// Random queries that are valid in the world of query.ts: every command, most options, odd names and spacing.

import { chance, type Dice, pick, times } from '#kernel/dice.ts';
import { aggregates } from '#query/functions/index.ts';
import { expression, number } from '#test/support/expression-generator.ts';

const NAMES = [
  ...['a', 'b', 'c', 'line', 'l', 'when', '_time', 'field("odd name")', '한글', 'x.y', '@k', 'field("1a")'],
  ...['06', '3rd', 'sum:06', '10m', 'field("0x1")', 'field("a:")'],
];
const NEW_NAMES = ['n1', 'n2', 'n3', 'field("n 4")', '새', 'ñ5', 'field("n\\"6\\\\")', '07', '4th', 'n:8', '2hours'];
const SPECS = ['t', 'r', 'o', 't, r', 'o,t', '*', 't*', '*r', 'gone?', 't , gone?', 'vigil:t', '*:r,t', '*:*'];
const GUID = '11111111-1111-1111-1111-111111111111';

/** A query with subqueries at most so deep. */
export function query(dice: Dice, depth = 2): string {
  const end = chance(dice, 12) ? pick(dice, [' | # a ] b', ' | # [ search x', '|#[[ "|" ] | limit 1']) : '';
  return `${pipeline(dice, depth)}${end}`;
}

/** In brackets: a `]` of a comment would close them. */
function pipeline(dice: Dice, depth: number): string {
  const before = times(dice.below(2), () => (chance(dice, 4) ? comment(dice) : setting(dice)));
  const steps = times(dice.below(5), () => (chance(dice, 12) ? comment(dice) : step(dice, depth)));
  const pipe = pick(dice, [' | ', '|', '\n| ', ' ｜ ']);
  const first = chance(dice, 8) ? pick(dice, ['| ', '｜']) : '';
  return first + [...before, driver(dice, depth), ...steps].join(pipe);
}

const comment = (dice: Dice) => pick(dice, ['# note', '#', '# "a | b" c', "# it's [ search x | limit 1 ] \n more"]);

const setting = (dice: Dice) =>
  chance(dice, 3) ? 'set _timezone = "Asia/Seoul"' : `set  k = ${pick(dice, ['1+2', '$("p") * 3', '"x"', 'now()'])}`;

function driver(dice: Dice, depth: number): string {
  const options = spaced(dice, [pick(dice, RANGES), pick(dice, ['', 'order=asc', 'order=desc']), limits(dice)]);
  return pick(dice, [
    () => `table ${options} ${pick(dice, SPECS)}`,
    () =>
      `fulltext ${options} ${pick(dice, ['', 'tt=t '])}${terms(dice, 3)}${chance(dice, 4) ? ` or a == ${subquery(dice, depth)}` : ''}${pick(dice, ['', ' from t', ' from o, t'])}`,
    () => `json ${pick(dice, ['"[]"', '"{}"', `"[{a:1,'b':[true,null]},{\\"a\\":-2.5e3}]"`])}`,
    () => pick(dice, ['proc busy(1 + 2)', 'proc none()', 'proc busy( null )', 'proc "busy"(1)', 'proc 1-odd.name ()']),
    () => `system ${pick(dice, ['tables', 'queries', 'nodes', 'loggers', 'schedules', 'rules', 'verbose=t tables'])}`,
    () =>
      `system ${pick(dice, RANGES)} ${pick(dice, ['events', 'tickets', 'audit', 'queries', 'count', 'count t, r*'])}`,
    () => `union ${subquery(dice, depth)}`,
    () => `lookuptable ${pick(dice, ['users', 'users dept', 'users floor,user'])}`,
    () => pick(dice, ['memlookup op=list', 'memlookup']),
    () => `dbquery ${pick(dice, ['db', '"db" limit=3', 'timeout=1m db', 'limit=$("p") db'])} ${pick(dice, SQL)}`,
    () => `remote ${pick(dice, ['vigil', '*'])} [ table r ]`,
    () =>
      pick(dice, [
        `textfile ${limits(dice)} ${pick(dice, FILES)}`,
        `csvfile ${spaced(dice, [pick(dice, ['', 'tab=t']), pick(dice, ['', 'maxcol=3'])])} ${pick(dice, FILES)}`,
        `jsonfile ${pick(dice, ['', 'overlay=t', 'cs=EUC-KR', 'encoding=MS949'])} ${pick(dice, FILES)}`,
        `zipfile ${pick(dice, FILES)} ${pick(dice, ['*', '"a b"', 'x/*.log'])}`,
      ]),
    () => `wget ${pick(dice, ['url=https://api.example.com/', 'url="https://api.example.com/?a=b"', 'profile=api'])}`,
    () => `table window=${pick(dice, ['10s', '"1h"'])} ${limits(dice)} ${pick(dice, SPECS)}`,
    () =>
      `fulltext window=10s ${limits(dice)} ${pick(dice, ['', 'tt=t '])}${terms(dice, 2)}${pick(dice, ['', ' from t'])}`,
  ])();
}

const RANGES = ['', 'duration=1h', 'duration="7d"', 'from=2026', 'from=20261101 to=202612', 'to="2026-11-15 09:00:00"'];

const limits = (dice: Dice) => pick(dice, ['', 'limit=10', 'offset=5', 'limit=$("p")', 'offset=0 limit=3']);

function terms(dice: Dice, depth: number): string {
  const atom = () => pick(dice, ATOMS);
  if (depth === 0 || chance(dice, 3)) return atom();
  const left = terms(dice, depth - 1);
  const right = terms(dice, depth - 1);
  return pick(dice, [`(${left})`, `not (${left})`, `(${left}) and ${atom()}`, `${atom()} or (${right})`]);
}

const ATOMS = ['"adm*"', '"*a b"', '"10.0.0.1"', 'a == 5', 'b != "x*"', 'c >= -1.5', 'a == range(1, 2 + 3)'].concat([
  'b == iprange("10.0.0.1", "10.0.0.9")',
  'when < now()',
  'field("from") == $("p")',
  'b == "a\\*"',
  'not "x"',
]);

const subquery = (dice: Dice, depth: number) =>
  depth <= 0 ? '[ table r ]' : `[${pick(dice, ['', ' '])}${pipeline(dice, depth - 1)} ]`;

const step = (dice: Dice, depth: number): string =>
  pick(dice, chance(dice, 5) ? MERGES : chance(dice, 10) ? LOCAL_STEPS : STEPS)(dice, depth);

type Make = (dice: Dice, depth: number) => string;

const MERGES: readonly Make[] = [
  (dice, depth) =>
    `join ${pick(dice, ['', 'type=left ', 'type=leftonly ', 'type=full '])}${names(dice, SIGNS)} ${subquery(dice, depth)}`,
  (dice, depth) => `join type=cross ${subquery(dice, depth)}`,
  (dice, depth) => `union ${subquery(dice, depth)}`,
  (dice, depth) =>
    `setq ${depth <= 0 ? '[ table r | stats count ]' : `[ ${pipeline(dice, 0).replaceAll(SINK, 'bypass')} | fields a ]`}`,
];

const SINK = /import t|(?:output(?:csv|json|txt|lookup)|dboutput) [^|｜\]]*/g;

const SQL = ['select a from t where a = :p', '"select a || :p from t"', 'with x as (select 1) select * from x;'];

const FILES = ['/import/a.txt', 'a.txt', '"a b.csv"', '*.gz', '/import/x/*', '"-a"'];

const PATHS = ['out/a.csv', '"out/a b.csv"', '한글.txt', '"-x"', '"a=b"', '"t"'];

const target = (dice: Dice) =>
  pick(dice, [...PATHS, 'partition=t d/{logtime:yyyyMMdd}.x', 'partition=t "{now:HH:mm}"']);

const LOCAL_STEPS: readonly Make[] = [
  (dice) =>
    `dblookup ${pick(dice, ['db', '"db"', 'timeout=5s db', 'db bypass="isnull(a)"'])} ${pick(dice, SQL).replaceAll(':p', ':a')}`,
  (dice) =>
    `dboutput ${pick(dice, ['db table=x', 'table=s.x db batchsize=5', 'db table=x rowretry=t stoponfail=f', 'type=upsert key=k db table=x'])} ${pick(dice, NAMES)} as k`,
  (dice) =>
    `evalc ${pick(dice, ['p', ...newNames(dice)])} = ${pick(dice, [expression(dice, 2), '$("p") + 1', '$("e",0)'])}`,
  (dice, depth) => `serial [ ${step(dice, depth - 1)} | ${step(dice, depth - 1)} ]`,
  (dice, depth) => `parallel ${pick(dice, ['', 'core=2 '])}[${step(dice, depth - 1)}]`,
  (dice) =>
    `wget ${spaced(dice, [pick(dice, ['', 'profile=api', 'profile=api path=x']), pick(dice, ['', 'header=a']), pick(dice, ['', 'method=post body=b']), pick(dice, ['', 'format=json timeout=5s'])])}`,
  (dice) => `parsexml ${pick(dice, ['', 'field=b', 'overlay=t', 'overlay=t b'])}`,
  (dice) =>
    `outputcsv ${spaced(dice, [pick(dice, ['', 'bom=t']), pick(dice, ['', 'encoding=utf-16le']), pick(dice, ['', 'tab=t'])])} ${target(dice)} ${names(dice)}`,
  (dice) =>
    `outputjson ${pick(dice, ['', 'append=t ', 'encoding=euc-kr '])}${target(dice)} ${pick(dice, ['', names(dice)])}`,
  (dice) =>
    `outputtxt ${pick(dice, ['', 'gz=t ', 'delimiter="; " ', 'encoding=us-ascii '])}${target(dice)} ${names(dice)}`,
];

const STEPS: readonly Make[] = [
  (dice) =>
    `search ${pick(dice, ['', 'limit=5 ', 'limit=$("p") ', 'offset=2 ', 'limit=1 offset=0 '])}${expression(dice)}`,
  (dice) => `fields ${names(dice)}`,
  (dice) => `fields - ${names(dice, ['', '-']).replace(/^-/, '')}`,
  (dice) =>
    `eval ${newNames(dice)
      .map((name) => `${name}${pick(dice, [' = ', '='])}${expression(dice, 3)}`)
      .join(', ')}${pick(dice, ['', '', ','])}`,
  (dice) =>
    `rename ${newNames(dice)
      .map((name) => `${pick(dice, NAMES)} as ${name}`)
      .join(', ')}${pick(dice, ['', ', b as n1', ','])}`,
  (dice) => `order ${names(dice)}`,
  (dice) =>
    `rex ${pick(dice, ['', 'field=b '])}"${pick(dice, ['user=(?<n1>\\S+)', '(?P<n2>a|b)(?<n3>[\\d.]+)?', '(?<n1>\\")'])}"`,
  (dice) => `parse ${pick(dice, ['kv', 'overlay=t kv', '"A:*,"as n1', 'field=b "*x\\*" as n2 , "y*" as n3'])}`,
  (dice) =>
    `parsejson ${spaced(dice, [pick(dice, ['', 'flatten=t']), pick(dice, ['', 'overlay=true', 'overlay=f']), pick(dice, ['', 'lenient=t']), pick(dice, ['', 'cutoff=20'])])} ${pick(dice, ['', 'b'])}`,
  (dice) =>
    `parsekv ${spaced(dice, [pick(dice, ['', 'kvdelim=":"', 'kvdelim="="']), pick(dice, ['', 'pairdelim=,']), pick(dice, ['', 'quote=t'])])} ${pick(dice, ['', 'b'])}`,
  (dice) =>
    `parsecsv ${spaced(dice, [pick(dice, ['', 'tab=t']), pick(dice, ['', 'strict=t'])])} ${pick(dice, ['', distinct(dice, NAMES).join(', ')])}`,
  (dice) => `explode ${pick(dice, NAMES)}`,
  (dice) =>
    `lookup users ${pick(dice, NAMES)} ${pick(dice, ['', 'as dept '])}output ${pick(dice, ['dept', 'dept as n1,floor as n2'])}`,
  (dice) =>
    `matchnet ${spaced(dice, [`guid=${GUID}`, pick(dice, ['', 'field=b']), pick(dice, ['', 'tag=t']), pick(dice, ['', 'invert=t'])])}`,
  (dice) =>
    `fillnull ${pick(dice, VALUES.map((value) => `value=${value}`).concat(''))} ${pick(dice, ['', names(dice)])}`,
  (dice) =>
    `bin ${spaced(dice, [`span=${pick(dice, ['5m', '1000', '2.5', '1mon', '"1d"'])}`, pick(dice, ['', 'offset=1h'])])} ${pick(dice, ['', pick(dice, NAMES)])} as n1`,
  (dice) => `repeat count=${pick(dice, ['1', '3', '$("p")'])}`,
  (dice) => `tojson ${pick(dice, ['', 'output=n1 '])}${pick(dice, ['', names(dice)])}`,
  (dice) => pick(dice, ['bypass', 'drop', 'import t', setting(dice)]),
  (dice) =>
    `streamstats ${pick(dice, ['', 'window=3 ', 'window=$("p") '])}${aggregateList(dice)}${pick(dice, ['', ` by ${names(dice)}`])}`,
  (dice) => `prev ${names(dice)}`,
  (dice) =>
    `${pick(dice, ['rollup', 'cube'])} ${pick(dice, ['', 'label=ALL ', 'label="*" ', 'label=5 '])}${aggregateList(dice)} by ${names(dice)}`,
  (dice) =>
    `parsemap ${spaced(dice, [`field=${pick(dice, ['a', 'l', '"odd name"'])}`, pick(dice, ['', 'overlay=t'])])}`,
  (dice) => `parsemap ${pick(dice, ['', 'overlay=t '])}${pick(dice, NAMES)}`,
  (dice) => `signature ${pick(dice, ['', 'field=line', 'field=b'])}`,
  (dice) =>
    `matchblackip ${spaced(dice, [`guid=${GUID}`, pick(dice, ['', 'fields=a,b', 'fields="src_ip, dst_ip"']), pick(dice, ['', 'tag=t'])])}`,
  (dice) =>
    `matchport ${spaced(dice, [`guid=${GUID}`, pick(dice, ['', 'port=a']), pick(dice, ['', 'protocol=b']), pick(dice, ['', 'invert=t'])])}`,
  (dice) =>
    `memlookup op=build ${spaced(dice, ['name=m', `key=${pick(dice, ['a', 'b'])}`])} c, line | lookup m ${pick(dice, NAMES)} output c as n1`,
  (dice) =>
    `outputlookup ${pick(dice, ['users', 'append=t users', 'users append=f key=user', '"users" dept, user', 'fresh key=a', 'key=b fresh append=t a,b'])}`,
  (dice) => `lookup geoip ${pick(dice, NAMES)} ${pick(dice, ['', 'as network '])}output country as n1,asn`,
  (dice) => `${pick(dice, ['stats', 'eventstats'])} ${aggregateList(dice)}${pick(dice, ['', ` by ${names(dice)}`])}`,
  (dice) => `boxplot ${number(dice, 2)}${pick(dice, ['', ` by ${names(dice)}`])}`,
  (dice) =>
    `outlier ${spaced(dice, [pick(dice, ['', 'method=mad', 'method=zscore']), pick(dice, ['', 'threshold=2.5'])])} ${number(dice, 2)}`,
  (dice) => `correlation ${pick(dice, ['', 'method=spearman '])}a, b, c`,
  (dice) => `linearreg a, ${pick(dice, NAMES)}`,
  (dice) =>
    `timechart ${pick(dice, ['', 'parallel=t '])}${spaced(dice, [pick(dice, ['', 'span=1h', 'span=1d']), pick(dice, ['', 'cont=t from=2026']), pick(dice, ['', 'limit=3 useother=f']), pick(dice, ['', 'fill=0.0'])])} ${aggregateList(dice)}${pick(dice, ['', ' by b'])}`,
  (dice) =>
    `pivot ${pick(dice, ['', 'fill=x '])}${aggregateList(dice)} ${pick(dice, ['', `rows ${names(dice)} `, `by ${names(dice)} `])}${pick(dice, ['cols', 'for'])} ${names(dice)}`,
  (dice) =>
    `pivot ${aggregateList(dice)}${pick(dice, ['', ` by ${names(dice)}`, ` for ${names(dice)} rows ${names(dice)}`])}`,
  (dice) => `sort ${pick(dice, ['', 'limit=3 '])}${names(dice, SIGNS)}${pick(dice, ['', ` by ${names(dice)}`])}`,
  (dice) => `limit ${pick(dice, ['10', '5 10', '$("p")', '0', '$("p") $("q", 3)'])}`,
  (dice) => `dedup ${pick(dice, ['', 'count=2 '])}${names(dice, SIGNS)}`,
  (dice) =>
    `${pick(dice, ['top', 'rare'])} ${pick(dice, ['', 'countfield=n1 ', 'percentfield="p c" '])}${1 + dice.below(9)} ${names(dice, SIGNS)}${pick(dice, ['', ' by n2'])}`,
];

const VALUES = ['-', '0', '-5', '1.50', 'true', '"true"', 't', 'abc', '"5"', '""', '1e400', 'a,b', '“x y”'];

function aggregateList(dice: Dice): string {
  const output = (index: number) => pick(dice, [`g${index}`, `field("by ${index}")`]);
  // Two with one name: the last counts.
  return times(1 + dice.below(3), (index) => `${aggregate(dice)} as ${output(chance(dice, 8) ? 0 : index)}`).join(', ');
}

function aggregate(dice: Dice): string {
  const { name, args } = pick(dice, aggregates);
  const first = args[0]?.type === 'number' ? number(dice, 2) : expression(dice, 2);
  if (name === 'count' && chance(dice, 2)) return name;
  if (name === 'percentile') return `${name}(${first}, ${pick(dice, ['25', '99.9, "lower"', '50,"nearest"'])})`;
  if (args.length === 2 && !args[1]?.optional) return `${name}(${first}, ${number(dice, 2)})`;
  return `${name}(${first}${args.length === 2 ? pick(dice, ['', ', 3']) : ''})`;
}

/** One to three different ones. */
function distinct(dice: Dice, choices: readonly string[]): string[] {
  return [...new Set(times(1 + dice.below(3), () => pick(dice, choices)))];
}

const SIGNS = ['', '', '+', '-', '- '];

/** Some stand twice, and some lists end in a comma. */
function names(dice: Dice, signs: readonly string[] = ['']): string {
  const listed = distinct(dice, NAMES);
  const all = chance(dice, 8) ? [...listed, pick(dice, listed)] : listed;
  const end = chance(dice, 8) ? pick(dice, [',', ' ,']) : '';
  return all.map((name) => `${pick(dice, signs)}${name}`).join(pick(dice, [', ', ','])) + end;
}

const newNames = (dice: Dice) => distinct(dice, NEW_NAMES);

/** In any order. */
function spaced(dice: Dice, parts: readonly string[]): string {
  const left = parts.filter((part) => part !== '');
  return (chance(dice, 2) ? left : left.toReversed()).join(pick(dice, [' ', '  ', '\n']));
}
