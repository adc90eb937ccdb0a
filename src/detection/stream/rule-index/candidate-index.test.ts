// The index finds every rule that a record fits: what is judged with it is what is judged without.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateStages, type Stages } from '#detection/stream/compiled-rule.ts';
import { LiveGroup } from '#detection/stream/groups/live-group.ts';
import { stagesOf } from '#detection/stream/stream-rule.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { EXAMPLE_NOW, EXAMPLE_ZONE } from '#test/support/query-examples.ts';
import { STREAM_GROUPS, streamConditions, streamRecord, testsOf, VALUES } from '#test/support/stream-conditions.ts';
import { buildIndex } from './candidate-index.ts';

const RUNS = Number(process.env.VIGIL_INDEX_RUNS ?? 300);

const groups = new Map(
  Object.entries(STREAM_GROUPS).map(([guid, ips]) => [
    guid,
    new LiveGroup(
      ips.map((ip) => ({ ip, expires_at: null })),
      () => EXAMPLE_NOW.epochMilliseconds,
    ),
  ]),
);
const AROUND = { zone: EXAMPLE_ZONE, groups: () => groups, now: () => EXAMPLE_NOW };

const ruleOf = (...texts: string[]): Stages =>
  runToEnd(
    stagesOf(
      texts.map((query, at) => ({ template_id: 1, query, invert: false, ordinal: at + 1 })),
      'tester',
      AROUND,
    ),
  );
const recordOf = (fields: Readonly<Record<string, Value>>): MapValue => new Map(Object.entries(fields));
const candidatesOf = (rule: Stages, fields: Readonly<Record<string, Value>>): number =>
  buildIndex([rule], AROUND).candidates(recordOf(fields)).length;

describe('The index of rules', () => {
  it('finds the rules that judge a record, whatever they are and whatever it is', () => {
    const rules = fc.array(streamConditions, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(rules, fc.array(streamRecord, { minLength: 1, maxLength: 10 }), (given, records) => {
        const compiled = given.flatMap((conditions) => {
          try {
            return [runToEnd(stagesOf(conditions, 'tester', AROUND))];
          } catch {
            return [];
          }
        });
        const index = buildIndex(compiled, AROUND);
        for (const record of records) {
          const naive = compiled.filter((rule) => evaluateStages(rule, record));
          const found = index.candidates(record).filter((rule) => evaluateStages(rule, record));
          expect(textsOf(compiled.filter((rule) => found.includes(rule)))).toEqual(textsOf(naive));
          expect(found.length).toBe(naive.length);
        }
      }),
      { numRuns: RUNS },
    );
  });

  const subjects = ['a', 'lower(a)', 'long(a)', 'nvl(a, "abc")', 'concat(a, "c")'];
  it.each(subjects)('finds every test of %s that a value passes, and hardly others', (of) => {
    const rules = testsOf(of).map((test) => ruleOf(`search ${test}`));
    const index = buildIndex(rules, AROUND);
    const all = { naive: 0, candidates: 0 };
    for (const value of VALUES) {
      const record = recordOf({ a: value });
      const naive = rules.filter((rule) => evaluateStages(rule, record));
      const candidates = index.candidates(record);
      const missed = naive.filter((rule) => !candidates.includes(rule));
      expect(textsOf(missed), `of ${String(value)}`).toEqual([]);
      expect(new Set(candidates).size).toBe(candidates.length);
      all.naive += naive.length;
      all.candidates += candidates.length;
    }
    expect(all.naive).toBeGreaterThan(0);
    expect(all.candidates).toBeLessThan(rules.length * VALUES.length * 0.6);
  });

  const needs: readonly (readonly [string, Readonly<Record<string, Value>>, Readonly<Record<string, Value>>])[] = [
    ['search status == 500', { status: '5e2' }, { status: 501n }],
    ['search status == "500"', { status: 500 }, { status: '5e2' }],
    ['search user == "kim" and status > 3', { user: 'kim' }, { user: 'lee', status: 5n }],
    ['search in(user, "kim", "l*e")', { user: 'little' }, { user: 'bob' }],
    ['search path == "/etc/*"', { path: 'GET /etc/x' }, { path: '/var' }],
    ['search contains(path, "passwd")', { path: 'passwd' }, { path: 'password' }],
    ['search contains(lower(path), lower("PASSWD"))', { path: 'PassWd' }, { path: 'pass' }],
    ['search eqi(user, "Kim")', { user: 'KIM' }, { user: 'lee' }],
    ['search match(line, "(?i)fail(ed|ure) for (root|admin)")', { line: 'FAILURE FOR ROOT' }, { line: 'failure' }],
    ['search match(line, "root|admin")', { line: 'admin' }, { line: 'kim' }],
    ['search user == "kim" or ip == "10.0.0.1"', { ip: '10.0.0.1' }, { ip: '10.0.0.2', user: 'lee' }],
    ['eval x = 1 | search user == "kim"', { user: 'kim' }, { user: 'lee' }],
    ['search in(long(port), 80, 443)', { port: '443' }, { port: 22n }],
    ['matchnet field=ip guid=11111111-1111-1111-1111-111111111111', { ip: '10.1.1.1' }, { ip: '11.1.1.1' }],
    ['search a == true', { a: 'true' }, { a: 'yes' }],
    ['search bytes > 1000', { bytes: ' 1000.5 ' }, { bytes: 1000n }],
    ['search bytes >= 1000', { bytes: 1000 }, { bytes: 'many' }],
    ['search bytes < 9007199254740993', { bytes: 2 ** 53 }, { bytes: 2n ** 53n + 1n }],
    ['search bytes <= 1000', { bytes: 1000n }, { bytes: 1000.5 }],
    ['search 5 < bytes', { bytes: 1n }, {}],
    ['search user', { user: false }, { user: null }],
    ['search user != "kim"', { user: 'kim' }, {}],
    ['search user == "*"', { user: '' }, {}],
    ['search innet(ip, "10.0.0.0/8")', { ip: 'x' }, {}],
    ['search (a and user == "kim") or (b > 1 and in(ip, "x"))', { ip: 'x' }, { a: 1n, b: 2n }],
    ['search _time == "2026-11-15"', { _time: Temporal.Instant.from('2026-11-14T15:00:00Z') }, { _time: '2026' }],
    ['search a == 9007199254740993', { a: 2n ** 53n + 1n }, { a: 2n ** 53n }],
  ];
  it.each(needs)('knows what %s needs', (text, fitting, other) => {
    expect([candidatesOf(ruleOf(text), fitting), candidatesOf(ruleOf(text), other)]).toEqual([1, 0]);
  });

  const unknowable = ['search not(user == "kim")', 'search isnull(user)', 'search if(a, b, true)', 'eval a = 1'];
  it.each(unknowable)('always counts %s', (text) => {
    expect(candidatesOf(ruleOf(text), {})).toBe(1);
  });

  it('looks for what the fewest rules look for', () => {
    const rules = ['kim', 'lee', 'park'].map((user) => ruleOf(`search event == "login" and user == "${user}"`));
    const index = buildIndex(rules, AROUND);
    expect(index.candidates(recordOf({ event: 'login', user: 'lee' }))).toEqual([rules[1]]);
  });

  it('is not misled by fields that were given another name', () => {
    const renamed = ruleOf('rename line as s | search s == "x"');
    const plain = ruleOf('search s == "y"');
    const index = buildIndex([renamed, plain, ruleOf('search s == "x"')], AROUND);
    expect(index.candidates(recordOf({ line: 'x', s: 'y' }))).toEqual([renamed, plain]);
  });

  it('takes lists and maps for whatever texts are looked for', () => {
    expect(candidatesOf(ruleOf('search contains(a, "x")'), { a: ['x'] })).toBe(1);
  });

  it('knows what later conditions need where the first let the record out as it is', () => {
    expect(candidatesOf(ruleOf('search a > 1', 'search user == "kim"'), { user: 'lee', a: 2n })).toBe(0);
    expect(candidatesOf(ruleOf('eval user = "kim"', 'search user == "kim"'), { user: 'lee' })).toBe(1);
  });
});

const textsOf = (rules: readonly Stages[]): string[][] => rules.map(({ stages }) => stages.map(({ text }) => text));
