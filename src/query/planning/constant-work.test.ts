// Constants are computed while a query is planned, and short texts can ask for very much of that.

import { describe, expect, it } from 'vitest';
import type { Value } from '#query/model/values.ts';
import { checkQuery } from '#query/query.ts';
import { evaluateConstant } from '#query/values/evaluator/evaluator.ts';
import { marked } from '#test/support/marked-queries.ts';
import { outcome, world } from '#test/support/query.ts';
import { EXAMPLE_NOW, EXAMPLE_USER, EXAMPLE_ZONE } from '#test/support/query-examples.ts';
import type { QueryContext } from './query-context.ts';

const run = { now: EXAMPLE_NOW, zone: EXAMPLE_ZONE, user: EXAMPLE_USER, groups: new Map(), nextRow: () => 1n };
const context = (constants: Readonly<Record<string, Value>> = {}): QueryContext =>
  world({
    evaluate: (expression, known) => evaluateConstant(expression, run, known),
    constants: new Map(Object.entries(constants)),
  });

const DAY = 'daterange(date("2026-01-01"), date("2026-01-02"), "1m")';
/** A million letters. */
const LONG = `set p = lpad("", 10000, "y") | set a = concat(${'$("p"), '.repeat(99)}$("p"))`;
const doubled = (times: number) =>
  Array.from({ length: times }, (_, at) => `set d${at + 1} = array($("d${at}"), $("d${at}"))`).join(' | ');

describe('Constants that are too much work', () => {
  const refused: readonly string[] = [
    `set l = ${DAY} | set x = «foreach(foreach(1, $("l")), $("l"))» | table t`,
    `set x = «foreach(lpad("", 10000), ${DAY})» | table t`,
    `set l = ${DAY} | ${LONG} | set x = «foreach(concat($("a"), _1), $("l"))» | table t`,
    `set x = «strjoin(lpad("", 10000), ${DAY})» | table t`,
    `${LONG} | set x = «replace($("a"), "y", $("a"))» | table t`,
    `${LONG} | set x = «replace($("a"), "^.*$", "${'$0'.repeat(100)}", "re")» | table t`,
    `${LONG} | set x = «groups($("a"), "(y{1000})")» | table t`,
    `${LONG} | set x = «concat(${'$("a"), '.repeat(99)}$("a"))» | table t`,
    `set d0 = array(1) | ${doubled(18)} | set x = «array(${'$("d18"), '.repeat(8)}1)» | table t`,
    `${LONG} | table t | search b == upper(«concat(${'$("a"), '.repeat(70)}"")»)`,
    'set x = «daterange(date("2000-01-01"), date("2100-01-01"))» | table t',
    'table t | eval x = «daterange(date("2026-01-01"), date("2026-01-02"), "1s")»',
  ];
  for (const text of refused) {
    it(`are refused in their place: ${text.slice(0, 100)}`, () => {
      const { text: query, begin, end } = marked(text);
      expect(outcome(query, context())).toBe(`90009 ${begin}..${end}`);
    });
  }

  it('are counted together over a whole text', () => {
    const text = (times: number) => `${LONG} | ${'set x = upper($("a")) | '.repeat(times)}table t`;
    expect(outcome(text(1), context())).toContain('table t');
    expect(outcome(text(5), context())).toMatch(/^90009 /);
    expect(outcome(`${LONG} | union [ ${text(2)} ] | union [ ${text(2)} ]`, context())).toMatch(/^90009 /);
  });
});

describe('Constants that are not', () => {
  const values = (text: string) =>
    checkQuery(text, context()).plan.constants.map((step) => 'value' in step && step.value);

  it('are computed, elements of foreach() included', () => {
    expect(values('set x = foreach(_1 * 10, array(1, 2)) | table t')).toMatchObject([{ value: [10n, 20n] }]);
    expect(values('set x = foreach(foreach(_1 + 1, array(_1)), array(1, 2)) | table t')).toMatchObject([
      { value: [[2n], [3n]] },
    ]);
    const square = `set l = subarray(${DAY}, 0, 500), x = foreach(foreach(_1, $("l")), $("l")) | table t`;
    expect(outcome(square, context())).toBe(square);
    expect(outcome('proc busy(valueof(foreach(_1 + 1, array(4)), 0))', context())).toContain('proc busy');
    expect(outcome('set x = foreach(_2, array(1)) | table t', context())).toBe('90401 16..18');
  });

  it('may be large where they are only read', () => {
    const list = Array.from({ length: 500_000 }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
    const text = `table t${' | search contains($("list"), b)'.repeat(100)}`;
    expect(outcome(text, context({ list }))).toBe(text);
  });
});
