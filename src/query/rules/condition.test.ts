// Conditions of stream rules on records (13): every example of their commands and of all functions, the fields that
// they may read, and that no record makes a rule fail.

import { describe, expect, it } from 'vitest';
import { runToEnd } from '#kernel/sliced-work.ts';
import { queryExamples } from '#query/examples/index.ts';
import { functions } from '#query/functions/index.ts';
import type { ExampleValue } from '#query/model/example.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { CONDITION_COMMANDS } from '#query/pipeline.ts';
import { AddressGroup } from '#query/values/addresses/address-group.ts';
import { RULE_CONTEXT } from '#test/differential/records.ts';
import { isSame } from '#test/support/expressions.ts';
import { EXAMPLE_NOW, exampleValue, rowOf } from '#test/support/query-examples.ts';
import { compileRule } from './condition.ts';
import type { RuleContext } from './record-facts.ts';

const judged = (text: string, record: MapValue, context: Partial<RuleContext> = {}): MapValue | undefined =>
  runToEnd(compileRule(text, { ...RULE_CONTEXT, ...context })).judge(record);

const recordOf = (fields: Readonly<Record<string, Value>>): MapValue => new Map(Object.entries(fields));

/** Examples compare numbers by value: 6 is 6.0; a field that is not written is null. */
const asWritten = (value: Value): Value => {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  return Array.isArray(value) ? value.map(asWritten) : value;
};
const shown = (row: MapValue): Map<string, Value> =>
  new Map(
    [...row]
      .filter(([, value]) => value !== null)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => [name, asWritten(value)]),
  );

const isOfRule = (command: string): boolean =>
  CONDITION_COMMANDS.includes(command.split(' ', 1)[0] ?? '') && !/^search (offset|limit)=/.test(command);

/** A rule may not use these: their values differ with every call. */
const REFUSED = ['seq', 'rand', 'guid', 'encrypt', 'randbytes'];
const isRefused = (text: string): boolean => REFUSED.some((name) => text.includes(`${name}(`));

describe('Examples in the local evaluator', () => {
  for (const { query, tables, groups = {}, constants = {}, gives } of queryExamples()) {
    const [driver = '', ...commands] = query.split(' | ');
    const rows = driver === 'table given' ? tables?.given : undefined;
    if (!gives || !rows || !commands.every(isOfRule) || isRefused(query)) continue;

    it(query, () => {
      const { judge } = runToEnd(
        compileRule(commands.join(' | '), {
          ...RULE_CONTEXT,
          constants: rowOf(constants),
          groups: () => new Map(Object.entries(groups).map(([guid, entries]) => [guid, new AddressGroup(entries)])),
        }),
      );
      const found = rows.flatMap((row) => judge(rowOf(row)) ?? []).map(shown);
      const wanted = gives.map((row) => shown(rowOf(row)));
      expect(found.length).toBe(wanted.length);
      expect(found.filter((row, at) => !isSame(row, wanted[at] ?? null))).toEqual([]);
    });
  }

  const constants = rowOf({ secret_key: '0123456789abcdef' });

  for (const { examples } of functions) {
    for (const { text, gives } of examples) {
      it(text, () => {
        if (isRefused(text)) {
          expect(() => judged(`eval result = ${text}`, new Map(), { constants })).toThrow(QueryError);
          return;
        }
        const found = asWritten(judged(`eval result = ${text}`, new Map(), { constants })?.get('result') ?? null);
        const wanted = asWritten(exampleValue(gives as ExampleValue)); // Written as JSON in the declarations.
        if (!isSame(found, wanted)) expect(found).toEqual(wanted);
      });
    }
  }
});

describe('A rule', () => {
  it('returns the resulting row', () => {
    const record = recordOf({ line: 'user=kim', _time: EXAMPLE_NOW, level: 3n, gone: null });
    expect(judged('search level > 2', record)).toEqual(record);
    expect(judged('search level > 3', record)).toBeUndefined();
    expect(judged('search level > 2 | parsekv | rename user as who', record)).toEqual(
      recordOf({ _time: EXAMPLE_NOW, who: 'kim' }),
    );
    expect(judged('eval n = level * 2 | search n == 6 | fields n, gone', record)).toEqual(recordOf({ n: 6n }));
    expect(judged('fields - line | eval line2 = line', record)).toEqual(recordOf({ _time: EXAMPLE_NOW, level: 3n }));
  });

  it.each([
    ['rename line as l', { _time: EXAMPLE_NOW, level: 3n, l: 'user=kim' }],
    ['rename line as l | eval line = null', { _time: EXAMPLE_NOW, level: 3n, l: 'user=kim' }],
    ['rename line as l, l as m | eval n = line', { _time: EXAMPLE_NOW, level: 3n, m: 'user=kim' }],
    ['rename line as level', { _time: EXAMPLE_NOW, level: 'user=kim' }],
    ['rename level as line', { _time: EXAMPLE_NOW, line: 3n }],
    ['rename line as l | parsekv field=l overlay=t', { _time: EXAMPLE_NOW, level: 3n, l: 'user=kim', user: 'kim' }],
    ['rename line as l | parsejson field=l', { _time: EXAMPLE_NOW, level: 3n, l: 'user=kim' }],
    ['parsejson | fields - line', { _time: EXAMPLE_NOW, level: 3n }],
    ['rename line as l | fields - l, _time, level | eval k = kvjoin("=", ",")', { k: '' }],
  ])('leaves nothing behind of a known column that went: %s', (text, expected) => {
    const record = recordOf({ line: 'user=kim', _time: EXAMPLE_NOW, level: 3n });
    expect(judged(text, record)).toEqual(recordOf(expected));
  });

  it('reads all fields of the record before and after a command has changed it', () => {
    const record = recordOf({ user: 'kim', n: 1n });
    const joined = 'kvjoin("=", "&") == "n=1&user=kim"';
    expect(judged(`search ${joined}`, record)).toEqual(record);
    expect(judged(`eval x = null | search ${joined}`, record)).toEqual(record);
  });

  it('does not change the record', () => {
    const record = recordOf({ line: 'a=1', a: 'old', b: [1n] });
    const before = new Map(record);
    judged('parsekv overlay=t | eval a = 5, b = null | rename a as line', record);
    expect(record).toEqual(before);
  });

  it('uses one time per record', () => {
    const moments = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
    let at = -1;
    const now = () => {
      at += 1;
      return Temporal.Instant.from(moments[Math.max(0, at - 1)] ?? '');
    };
    const { judge } = runToEnd(compileRule('eval a = now(), b = ago("1d"), c = now() == a', { ...RULE_CONTEXT, now }));
    for (const moment of moments.slice(0, 2)) {
      const found = judge(new Map());
      expect(found?.get('a')).toEqual(Temporal.Instant.from(moment));
      expect(found?.get('b')).toEqual(Temporal.Instant.from(moment).subtract({ hours: 24 }));
      expect(found?.get('c')).toBe(true);
    }
  });

  it('reads its constants, its zone and its account', () => {
    const constants = new Map<string, Value>([
      ['least', 3n],
      ['pattern', '^k'],
    ]);
    const text = 'search n >= $("least") and match(s, $("pattern")) | eval z = $("_timezone"), w = whoami()';
    const record = recordOf({ n: 3n, s: 'kim' });
    expect(judged(text, record, { constants })).toEqual(
      new Map<string, Value>([...record, ['z', 'Asia/Seoul'], ['w', 'tester']]),
    );
    expect(judged(text, recordOf({ n: 3n, s: 'lee' }), { constants })).toBeUndefined();
    const each = 'eval r = foreach(concat(_1, $("least"), $("_timezone"), $("none", "!")), array("a")) | fields r';
    expect(judged(each, record, { constants })).toEqual(recordOf({ r: ['a3Asia/Seoul!'] }));
  });

  it('uses the groups that exist when the record arrives', () => {
    const guid = '11111111-1111-1111-1111-111111111111';
    let entries = ['10.0.0.0/8', '2001:db8::/32'];
    const groups = () => new Map([[guid, new AddressGroup(entries)]]);
    const rules = [`matchnet field=ip guid=${guid}`, `search matchnet("${guid}", ip)`].map((text) =>
      runToEnd(compileRule(text, { ...RULE_CONTEXT, groups })),
    );
    const matches = (ip: Value) => rules.map(({ judge }) => judge(recordOf({ ip })) !== undefined);
    expect([matches('10.1.1.1'), matches('2001:DB8::5'), matches('11.0.0.1'), matches(5n), matches(null)]).toEqual(
      [true, true, false, false, false].map((one) => [one, one]),
    );
    entries = ['11.0.0.1'];
    expect([matches('10.1.1.1'), matches('11.0.0.1')]).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it.each([
    ['search match(s, $("bad"))', 90303],
    ['search match(s, string(now(), "yyyy"))', 90302],
    ['matchnet field=s guid=22222222-2222-2222-2222-222222222222', 21301],
    ['search s == "x" | stats count', 92002],
    ['search rand(2) == 1', 92002],
  ])('%s is refused with %i', (text, code) => {
    const constants = new Map<string, Value>([['bad', '(']]);
    expect(() => judged(text, new Map(), { constants })).toThrow(expect.objectContaining({ code }));
  });
});

describe('No record makes a rule fail', () => {
  const deep = (levels: number): Value => {
    let value: Value = 'x';
    for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : new Map([['k', value]]);
    return value;
  };
  const RECORDS: readonly (readonly [string, MapValue])[] = [
    ['nested a hundred thousand levels', recordOf({ a: deep(100_000), line: 'k=v' })],
    ['with a text of a million letters', recordOf({ a: 'ab'.repeat(500_000), line: 'x'.repeat(1_000_000) })],
    ['of a hundred thousand fields', new Map(Array.from({ length: 100_000 }, (_, at) => [`f${at}`, BigInt(at)]))],
    ['with JSON nested deeply', recordOf({ line: '['.repeat(200_000), a: '{"a":'.repeat(5000) })],
    ['with odd names', recordOf({ '': 1n, __proto__x: 2n, constructor: 3n, 'a.b': 4n, line: null })],
  ];
  const TEXTS = [
    'search a == "x*" or a != 5 or not(a < "b")',
    'search in(a, 1, "x", "y*") and eqi(a, "z*") or contains(a, "x") or match(a, "(a|b)+c")',
    'eval s = string(a), l = len(a), h = hash("sha256", a), u = unique(array(a, a)), c = concat(a, a, a, a)',
    'eval r = replace(a, "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), p = lpad(a, 9223372036854775807, "x"), j = strjoin("-", a)',
    'eval d = daterange(date("0001-01-01"), now(), "1s"), f = flatten(a), m = min(a, 1), k = ipkey(a), n = a * a + 1',
    'parsejson field=a overlay=t flatten=t | parsejson | parsekv | rex "(?<q>.*)$" | fields q, k',
    'parsekv overlay=t field=a | rename a as b | eval b = lower(b) | search b == a',
  ];
  for (const [what, record] of RECORDS) {
    it(what, () => {
      for (const text of TEXTS) expect(() => judged(text, record)).not.toThrow();
    });
  }

  it('and a value that cannot be computed is null', () => {
    const record = recordOf({ a: deep(100_000) });
    expect(judged('search not(string(a))', record)).toBeUndefined();
    expect(judged('eval d = daterange(date("0001-01-01"), now(), "1s"), k = 1 | fields d, k', record)).toEqual(
      recordOf({ k: 1n }),
    );
  });
});
