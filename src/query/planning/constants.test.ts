// Constants of a run (5): what set and setq give, and what is held against them once their values are known. The
// evaluator stands in: it knows texts, numbers, parameters, now() and concat(), which is all that is asked for here.

import { describe, expect, it } from 'vitest';
import type { Expression } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import { hasRows } from '#query/plan-nodes/plan.ts';
import { RunFailure } from '#query/values/failures.ts';
import { check, outcome, world } from '#test/support/query.ts';
import type { QueryContext } from './query-context.ts';

function evaluate(expression: Expression, constants: ReadonlyMap<string, Value>): Value {
  if (expression.kind === 'literal') return expression.value;
  if (expression.kind === 'parameter') {
    const { name, fallback } = expression;
    const value = constants.get(name) ?? null;
    return value === null && fallback ? evaluate(fallback, constants) : value;
  }
  if (expression.kind !== 'call') return null;
  if (expression.called.name === 'now') return Temporal.Instant.fromEpochMilliseconds(0);
  return expression.args.map((arg) => evaluate(arg, constants) ?? '').join('');
}

const first = (row: Record<string, Value>) => [new Map(Object.entries(row))];
const refused = (text: string, more: Partial<QueryContext> = {}) => outcome(text, world({ evaluate, ...more }));

describe('Constants that set gives', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['set d = "1x" | table duration=$("d") t', '90010 30..36'],
    ['set n = 0 | table t | search limit=$("n") a', '90008 35..41'],
    ['set n = "x" | table t | limit $("n")', '22400 30..36'],
    ['set r = "(" | table t | search match(a, $("r"))', '90303 40..46'],
    ['set r = concat("(", "?=x)") | table t | search match(a, $("r"))', '90304 56..62'],
    ['table t | search match(a, concat("[", ""))', '90303 26..41'],
    ['set u = "days" | table t | eval n = dateadd(when, $("u"), 1)', '90306 50..56'],
    ['set s = "5mon" | table t | eval n = datetrunc(when, $("s"))', '90010 52..58'],
    ['set z = "Mars" | table t | eval n = string(when, "yyyy", $("z"))', '90308 57..63'],
    ['set f = "Q" | table t | eval n = string(when, $("f"))', '90305 46..52'],
    ['set p = 101 | table t | stats percentile(a, $("p"))', '90302 44..50'],
    ['set g = "x" | table t | search matchnet($("g"), a)', '21301 40..46'],
    ['set g = "x" | table t | matchnet guid=$("g")', '21300 38..44'],
    ['set t = "outer" | table t | join type=$("t") a [ table r ]', '22500 38..44'],
    ['set f = now() | table t | rex field=$("f") "(?<n>x)"', '90008 36..42'],
    ['set f = 5 | table t | rex field=$("f") "(?<n>x)"', 'set f = 5 | table t | rex field=$("f") "(?<n>x)"'],
    ['table limit=$("p", a) t', '90401 19..20'],
    ['set s = 0 | table t | bin span=$("s")', '21501 31..37'],
    ['set n = now() | table t | eval m = $("n") + 1', '90209 35..41'],
  ];
  for (const [text, expected] of cases) {
    it(`are judged: ${text}`, () => {
      expect(refused(text)).toBe(expected);
    });
  }

  it('are literals in the plan', () => {
    const { plan } = check('set r = "a" | table t | search match(b, concat($("r"), "+"))', { evaluate });
    expect(plan.isComplete).toBe(true);
    expect(plan.result).toMatchObject({
      condition: { called: { name: 'match' }, args: [{ kind: 'field' }, { kind: 'literal', value: 'a+' }] },
    });
  });

  it('stay as they are where they are too large, to fail when the query runs', () => {
    const { plan } = check('table t | eval n = concat("a", "b")', {
      evaluate: () => {
        throw new RunFailure(93010, 100_000);
      },
    });
    expect(plan.result).toMatchObject({ assigned: [{ value: { kind: 'call' } }] });
  });

  it('belong to the text from left to right, and to subqueries as copies', () => {
    const { plan, warnings } = check('set a = $("b") | set b = $("a") | table t | eval n = $("b")', { evaluate });
    expect(warnings).toMatchObject([{ code: 90400, begin: 8, end: 14 }]);
    expect(plan.result).toMatchObject({ assigned: [{ value: { kind: 'literal', value: null } }] });
    expect(refused('union [ set k = 1 | table t ] | set k = 2 | limit $("k")')).toContain('limit $("k")');
  });

  it('keep the zone of the whole query, wherever it is set', () => {
    expect(check('table t | limit 1 | set _timezone = "Europe/Berlin"').zone).toBe('Europe/Berlin');
    expect(check('table t | union [ set _timezone = "UTC" | table r ]').zone).toBe('UTC');
    expect(check('table t').zone).toBe('Asia/Seoul');
    const { plan } = check('table t | eval z = $("_timezone") | set _timezone = "UTC"', { evaluate });
    expect(plan.commands[1]).toMatchObject({ assigned: [{ value: { value: 'UTC' } }] });
  });
});

describe('A key that is a parameter', () => {
  const text = 'table t | eval x = encrypt("AES/GCM", $("k"), b)';

  it.each([
    ['sixteen bytes!!!', undefined],
    ['too short', '90302 38..44'],
    [5n, '90302 38..44'],
  ])('has the size of a key: %s', (k, outcome) => {
    const more = { evaluate, constants: new Map([['k', k]]) };
    if (outcome === undefined) expect(check(text, more).plan.isComplete).toBe(true);
    else expect(refused(text, more)).toBe(outcome);
  });

  it('may be null', () => {
    expect(check(text, { evaluate, constants: new Map([['k', null]]) }).plan.isComplete).toBe(true);
  });
});

describe('Constants that setq gives', () => {
  const TEXT = 'setq [ table t | stats max(a) as m ] | table t | repeat count=$("m") | bin span=$("m") a';

  it('wait until it has run', () => {
    const waiting = check(TEXT, { evaluate });
    expect(waiting.plan.isComplete).toBe(false);
    const inner = check('setq [ table t | stats max(a) as m ] | union [ table t | limit $("m") ]', { evaluate });
    expect(inner.plan.result).toMatchObject({ right: { isComplete: false } });
    expect(waiting.next).toMatchObject({ kind: 'setq', query: { result: { command: 'stats' } } });
    const done = check(TEXT, { evaluate, setqResults: first({ m: 3n }) });
    expect(done.next).toBeUndefined();
    expect(done.plan.isComplete).toBe(true);
    expect(done.plan.commands[2]).toMatchObject({ kind: 'repeat', count: 3n });
  });

  it('are judged once they are known', () => {
    expect(refused(TEXT, { setqResults: first({ m: 0n }) })).toBe('21600 62..68');
    expect(refused(TEXT, { setqResults: first({}) })).toBe('21600 49..55');
    expect(refused('setq [ table t | fields b ] | table t | matchnet guid=$("b")')).not.toMatch(/^\d{5} /);
  });

  it('read as null where an open setq could have given them', () => {
    const text = 'setq [ table o ] | table t | search a == $("x") | limit $("n")';
    expect(refused(text)).toBe(text);
    expect(refused(text, { setqResults: first({ n: 5n }) })).toBe(text);
    expect(refused(text, { setqResults: first({ x: 5n }) })).toBe('22400 56..62');
  });

  it('come one after the other, inner ones first', () => {
    const text = 'setq [ setq [ json "{x:1}" ] | json "{y:2}" ] | setq [ json "{z:3}" ] | table t | limit $("z")';
    const results = [...first({ x: 1n }), ...first({ y: 2n }), ...first({ z: 3n })];
    const waiting = [0, 1, 2, 3].map((count) => {
      const { next } = check(text, { evaluate, setqResults: results.slice(0, count) });
      return next?.kind === 'setq' ? next.query.result.text : undefined;
    });
    expect(waiting).toEqual(['json "{x:1}"', 'json "{y:2}"', 'json "{z:3}"', undefined]);
  });
});

describe('Columns that charts make', () => {
  const TEXT = 'table t | timechart count by b | search x > 1 | pivot sum(y) rows x cols a | fields p, q';
  const charts = [['x', 'y'], ['p']].map((names) =>
    names.map((name) => ({ name, type: 'long' as const, cell: { key: name, aggregate: 0 } })),
  );

  it('are waited for one chart after the other', () => {
    const waiting = [0, 1, 2].map((count) => {
      const { next } = check(TEXT, { chartColumns: charts.slice(0, count) });
      return next?.kind === 'chart' ? next.planNode.command : undefined;
    });
    expect(waiting).toEqual(['timechart', 'pivot', undefined]);
  });

  it('are columns like others once they are known', () => {
    const { plan, warnings } = check(TEXT, { chartColumns: charts });
    const [, , search, pivot] = plan.commands.filter(hasRows);
    expect(search).toMatchObject({ condition: { left: { name: 'x', type: 'long', source: { kind: 'column' } } } });
    expect(pivot?.rows.columns.map(({ name }) => name)).toEqual(['x', 'p']);
    expect(pivot?.rows.dynamic).toBeUndefined();
    expect(plan.result.rows.columns.map(({ name, type }) => [name, type])).toEqual([
      ['p', 'long'],
      ['q', 'null'],
    ]);
    // A chart may make any name.
    expect(warnings.map(({ code }) => code)).toEqual([]);
  });
});
