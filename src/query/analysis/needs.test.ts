// What plans ask of the tables they scan: columns, overflow keys and spans of time.

import { describe, expect, it } from 'vitest';
import { check } from '#test/support/query.ts';
import { scanNeeds } from './needs.ts';

/** `t: a b` with the keys of the overflow behind a plus sign. */
function columns(text: string): string[] {
  return needs(text).map(({ scan, columns: ids, overflow }) => {
    const names = scan.rows.columns.filter(({ id }) => ids.has(id)).map(({ name }) => name);
    const keys = typeof overflow === 'string' ? overflow : [...overflow].sort().join(' ');
    return `${scan.tables.map(({ name }) => name).join()}: ${names.join(' ')}${keys === 'none' ? '' : ` + ${keys}`}`;
  });
}

function needs(text: string) {
  const { plan, zone } = check(text);
  return scanNeeds(plan, zone);
}

function range(text: string): string[] {
  const at = (moment: Temporal.Instant | undefined) => moment?.toString() ?? '';
  return needs(text).map(({ range: { from, to } }) => `${at(from)}..${at(to)}`);
}

describe('The columns a scan needs', () => {
  const ALL = '_table _time _id';
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['table r', `r: ${ALL} a d`],
    ['table o', `o: ${ALL} a + all`],
    ['table t | stats count', 't: '],
    ['table t | stats count by a', 't: a'],
    ['table t | stats sum(c) by b | fields b', 't: b'],
    ['table t | eventstats count by b | stats count', 't: '],
    ['table t | search b == "x" | stats max(c)', 't: b c'],
    ['table t | eval n = a + c, m = n * 2, k = l | stats sum(m)', 't: a c'],
    ['table t | fields a | sort a | stats count', 't: '],
    ['table t | fields a', `t: ${ALL} a`],
    ['table t | sort limit=3 -c | stats count', `t: ${ALL} c`],
    ['table t | limit 5 | stats count', `t: ${ALL}`],
    ['table t | search limit=5 a | stats count', `t: ${ALL} a`],
    ['table t | dedup b | stats count', `t: ${ALL} b`],
    ['table t | stats first(a)', `t: ${ALL} a`],
    ['table t | eval n = seq() | stats count', 't: '],
    ['table t | eval n = seq() | stats max(n)', `t: ${ALL}`],
    ['table t | top 3 b', 't: b'],
    ['table t | rex "(?<n>x)" | stats count', 't: '],
    ['table t | rex "(?<n>x)(?<b>y)" | stats count by b', 't: b line'],
    ['table t | rex field=b "(?<n>x)" | stats count by n', 't: b'],
    ['table t | parse "a*" as n, "b*" as m | stats count by m', 't: line'],
    ['table t | explode l | stats count', 't: l'],
    ['table t | lookup users b output dept | stats count', 't: '],
    ['table t | lookup users b output dept | stats count by dept', 't: b'],
    ['table t | bin span=1h | stats count by _time', 't: _time'],
    ['table t | bin span=1 a as n | stats count', 't: '],
    ['table t | timechart sum(c) by b', 't: _time b c'],
    ['table t | pivot avg(c) rows a cols b', 't: a b c'],
    ['table t | tojson | stats count by _json', `t: ${ALL} a b c line l when`],
    ['table t | tojson a, b | stats count by _json', 't: a b'],
    ['table t | matchnet field=b guid=11111111-1111-1111-1111-111111111111 | stats count', 't: b'],
    ['table t | matchnet field=b tag=t guid=11111111-1111-1111-1111-111111111111 | stats count', 't: '],
    ['table t | import t | stats count', `t: ${ALL} a b c line l when`],
    ['table t | rename a as b | stats sum(b)', 't: a'],
    ['table t | fillnull value=1 b, c | stats sum(c)', 't: c'],
    ['table t | drop', `t: ${ALL} a b c line l when`],
    ['table t | streamstats sum(a) as s by b | stats max(s)', `t: ${ALL} a b`],
    ['table t | streamstats sum(a) as s by b | stats count', 't: '],
    ['table t | prev b, c | stats max(prev_c)', `t: ${ALL} c`],
    ['table t | prev c | stats count', 't: '],
    ['table t | rollup sum(a) as s, max(c) by b | stats max(s)', 't: a b'],
    ['table t | cube count by a, b | stats count', 't: a b'],
    ['table o | eval n = kvjoin("=", ";") | stats count(n)', 'o: a + all'],
    ['table t | eval n = kvjoin("=", ";", "^[ab]$") | stats count(n)', 't: a b'],
    ['table t | signature | stats count by signature', 't: line'],
    ['table t | parsemap field=l | stats count by a', 't: a l'],
    ['table t | matchport port=a protocol=b guid=11111111-1111-1111-1111-111111111111 | stats count', 't: a b'],
    ['table t | matchblackip fields=a,b tag=t guid=11111111-1111-1111-1111-111111111111 | stats count', 't: '],
    ['table t | lookup geoip b output city, asn | stats count by city', 't: b'],
    ['table t | memlookup op=build name=m key=a b | stats count', 't: '],
    ['table t | memlookup op=build name=m key=a b | lookup m c output b as d | stats count by d', `t: ${ALL} a b c`],
    ['fulltext "x" from t | stats count', 't: a b c line l when'],
    ['fulltext b == "x" from t | stats count', 't: b'],
    ['fulltext "x" from o | stats count', 'o: a + all'],
    ['fulltext b == [ table t | fields a, c ] from t | stats count', 't: b', 't: a'],
    ['table o | stats sum(a)', 'o: a'],
    ['table o | stats sum(z) by y', 'o:  + y z'],
    ['table o | fields z', `o: ${ALL} + z`],
    ['table o | parsekv | stats count by z', 'o:  + line z'],
    ['table o | parsejson field=a overlay=t | stats count', 'o: '],
    ['table o | parse kv | stats count by z', 'o:  + line z'],
    ['table t | join a [ table r ] | stats count by d', 't: a', 'r: a d'],
    ['table t | join type=leftonly a [ table r ] | stats max(c)', 't: a c', 'r: a'],
    ['table o | join z [ table o ] | stats count by y', 'o:  + y z', 'o:  + y z'],
    ['table t | union [ table r ] | stats sum(a)', 't: a', 'r: a'],
    ['table t | union [ table o ] | stats count by z', 't: ', 'o:  + z'],
    ['proc busy(3) | stats count', 't: a'],
  ];
  for (const [text, ...expected] of cases) {
    it(`are few: ${text}`, () => {
      expect(columns(text)).toEqual(expected);
    });
  }
});

describe('The span of time a scan needs', () => {
  const MORNING = '"2026-11-15 09:00:00"';
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['table t', '..'],
    ['table duration=1h t', '2026-11-15T02:00:00Z..2026-11-15T03:00:00Z'],
    ['table from=2026 to=2027 t', '2025-12-31T15:00:00Z..2026-12-31T15:00:00Z'],
    [`table t | search _time >= ${MORNING}`, '2026-11-15T00:00:00Z..'],
    [`table t | search _time > ${MORNING}`, '2026-11-15T00:00:00.001Z..'],
    [`table t | search _time < ${MORNING}`, '..2026-11-15T00:00:00Z'],
    [`table t | search _time <= ${MORNING}`, '..2026-11-15T00:00:00.001Z'],
    [`table t | search _time == ${MORNING}`, '2026-11-15T00:00:00Z..2026-11-15T00:00:00.001Z'],
    [`table t | search ${MORNING} < _time and a == 1`, '2026-11-15T00:00:00.001Z..'],
    [`set _timezone = "UTC" | table t | search _time >= ${MORNING}`, '2026-11-15T09:00:00Z..'],
    [
      `table from=2026 t | search _time >= "2020-01-01" and _time < ${MORNING}`,
      '2025-12-31T15:00:00Z..2026-11-15T00:00:00Z',
    ],
    [`table t | search _time != ${MORNING}`, '..'],
    [`table t | search _time >= ${MORNING} or a`, '..'],
    [`table t | search not(_time >= ${MORNING})`, '..'],
    ['table t | search _time >= "noon"', '..'],
    ['table t | search _time >= 5', '..'],
    [`table t | search when >= ${MORNING}`, '..'],
    [`table t | eval n = 1 | rename a as k | sort k | search _time >= ${MORNING}`, '2026-11-15T00:00:00Z..'],
    [`table t | rename _time as at | search at >= ${MORNING}`, '2026-11-15T00:00:00Z..'],
    [
      `table t | rex "(?<n>x)" | lookup users b output dept | bypass | search _time >= ${MORNING}`,
      '2026-11-15T00:00:00Z..',
    ],
    [`table t | bin span=1h | search _time >= ${MORNING}`, '..'],
    [`table t | bin span=1h _time as n | search _time >= ${MORNING}`, '2026-11-15T00:00:00Z..'],
    [`table t | eval _time = now() | search _time >= ${MORNING}`, '..'],
    [`table t | eval n = seq() | search _time >= ${MORNING}`, '..'],
    [`table t | search rand(2) == 0 and _time >= ${MORNING}`, '..'],
    [`table t | limit 5 | search _time >= ${MORNING}`, '..'],
    [`table t | search _time >= ${MORNING} | limit 5`, '2026-11-15T00:00:00Z..'],
    [`table t | search limit=5 _time >= ${MORNING} | search _time < "2026-11-16"`, '2026-11-15T00:00:00Z..'],
    [`table t | sort limit=5 a | search _time >= ${MORNING}`, '..'],
    [`table limit=5 t | search _time >= ${MORNING}`, '..'],
    [`table offset=5 t | search _time >= ${MORNING}`, '..'],
    [`table t | dedup a | search _time >= ${MORNING}`, '..'],
    [`table t | dedup a, _time | search _time >= ${MORNING}`, '2026-11-15T00:00:00Z..'],
    [`table t | stats count by _time | search _time >= ${MORNING}`, '2026-11-15T00:00:00Z..'],
    [`table t | stats count, max(_time) as at by a | search at >= ${MORNING}`, '..'],
    [`table t | eventstats count by _time | search _time >= ${MORNING}`, '2026-11-15T00:00:00Z..'],
    [`table t | eventstats count by a | search _time >= ${MORNING}`, '..'],
    [`table t | parsekv | search _time >= ${MORNING}`, '..'],
    [`table t | streamstats count by _time | search _time >= ${MORNING}`, '..'],
    [`table t | prev a | search _time >= ${MORNING}`, '..'],
    [`table t | rollup count by _time | search _time >= ${MORNING}`, '..'],
    [`table t | memlookup op=build name=m key=a b | search _time >= ${MORNING}`, '..'],
    [`table t | memlookup op=build name=m key=a b | lookup m a output b | search _time >= ${MORNING}`, '..'],
    [`table t | lookup geoip b output city | signature | search _time >= ${MORNING}`, '2026-11-15T00:00:00Z..'],
    [
      `table t | union [ table r | search _time < "2026-11-16" ] | search _time >= ${MORNING}`,
      '2026-11-15T00:00:00Z..',
      '2026-11-15T00:00:00Z..2026-11-15T15:00:00Z',
    ],
    [`table t | join a [ table r ] | search _time >= ${MORNING}`, '..', '..'],
    [`fulltext "x" and _time >= ${MORNING} from t`, '2026-11-15T00:00:00Z..'],
    [`fulltext "x" or _time >= ${MORNING} from t`, '..'],
    [`proc busy(1) | search _time >= ${MORNING}`, '2026-11-15T00:00:00Z..'],
  ];
  for (const [text, ...expected] of cases) {
    it(`is narrow: ${text}`, () => {
      expect(range(text)).toEqual(expected);
    });
  }
});
