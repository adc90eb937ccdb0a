// Generated pipelines on DuckDB (16.3, 16.4): as one statement, as one statement per command and by the host they give
// the same rows, and the counts of commands are those of the statements of their own. Names and texts are data.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoted } from '#query/strings.ts';
import type { Value } from '#query/values.ts';
import { groupedPipeline, pipeline, smallWorld } from '#test/support/pipeline-generator.ts';
import { type Dice, seededDice } from '#test/support/query-dice.ts';
import { QueryRunner } from '#test/support/query-runner.ts';
import { resultText } from '#test/support/result-rows.ts';

/** Where rows may come in any order, what goes by it is the engine's choice. */
const isFree = (text: string): boolean => /\b(union|join)\b/.test(text) && /limit|dedup|seq|first|last|sort/.test(text);

/** Of values that are one group either may be shown, and sums of doubles differ in their last digits. */
function rounded(value: Value): Value {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : Number(value.toPrecision(12));
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, rounded(item)]));
  return Array.isArray(value) ? value.map(rounded) : value;
}

async function agree(dice: Dice): Promise<void> {
  const runner = await QueryRunner.open(smallWorld(dice), ['rare', 'odd "name"']);
  const text = pipeline(dice);
  const merged = await runner.run(text);
  if (merged.warnings.includes(90901) || isFree(text)) return;
  const shown = (rows: readonly ReadonlyMap<string, Value>[]) => {
    const texts = resultText(rows.map((row) => new Map([...row].map(([name, value]) => [name, rounded(value)]))));
    return { text, rows: merged.isOrdered ? texts : texts.sort() };
  };
  const apart = await runner.run(text, { apart: 'all' });
  expect(shown(merged.rows)).toEqual(shown(apart.rows));
  expect({ text, pushes: merged.pushes }).toEqual({ text, pushes: apart.pushes });
  expect(shown(merged.rows)).toEqual(shown(await runner.onHost(text)));
  if (!merged.isOrdered) return;
  const [offset, limit] = [dice.below(4), dice.below(4)];
  const page = await runner.page(text, { offset: BigInt(offset), limit: BigInt(limit) });
  expect(shown(page)).toEqual(shown(merged.rows.slice(offset, offset + limit)));
}

describe('Pipelines', () => {
  it('give the same as one statement, command by command and on the host', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => await agree(seededDice(seed))),
      { numRuns: 100 },
    );
  }, 300_000);
});

/** Counts through stages are those of statements that only count. */
async function countAlike(dice: Dice): Promise<void> {
  const runner = await QueryRunner.open(smallWorld(dice), ['rare', 'odd "name"']);
  const text = groupedPipeline(dice);
  const plain = await runner.run(text);
  if (plain.warnings.includes(90901) || isFree(text)) return;
  const staged = await runner.run(text, { apart: 'counting' });
  expect({ text, pushes: staged.pushes }).toEqual({ text, pushes: plain.pushes });
  for (const [node, { rows, input }] of staged.stageCounts) {
    expect({ text, rows }).toEqual({ text, rows: await staged.counted(node) });
    if (input === null) expect(node.kind).toBe('timechart');
    else if ('input' in node && node.input) {
      expect({ text, input }).toEqual({ text, input: await staged.counted(node.input) });
    }
  }
}

describe('Stages', () => {
  it('count their input', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => await countAlike(seededDice(seed))),
      { numRuns: 60 },
    );
  }, 300_000);

  const ROWS = [
    { _time: '@2026-11-15 09:10:00+0900', at: '@2026-11-15 09:10:00+0900', k: 'x' },
    { _time: '@2026-11-15 09:10:00+0900', at: null, k: 'y' },
    { _time: '@2026-11-15 09:10:00+0900', at: '@0001-01-01 12:00:00+0000', k: 'z' },
    { _time: '@2026-11-15 09:10:00+0900', at: '@2026-11-15 12:10:00+0900', k: 'x' },
  ];
  const CHARTED = 'table t | eval _time = at';

  it.each([
    ['table t | stats count by k', 3n, 4n],
    ['table t | stats count', 1n, 4n],
    ['table t | drop | stats count', 1n, 0n],
    ['table t | drop | stats count by k', 0n, 0n],
    ['table t | top 1 k', 1n, 4n],
    ['table t | rare 1 k by at', 4n, 4n],
    ['table t | drop | pivot count cols k', 0n, 0n],
    ['table t | pivot count rows k cols at', 3n, 4n],
    [`${CHARTED} | timechart span=1h count`, 3n, 4n],
    [`${CHARTED} | search k == "x" | timechart cont=t span=1h count by k`, 4n, 2n],
    [`${CHARTED} | search k != "z" | timechart cont=t span=1h fill=0 limit=1 count by k`, 4n, 3n],
    [`${CHARTED} | timechart span=1y count by k`, 1n, 4n],
    [`${CHARTED} | timechart span=1h limit=1 useother=f count by k`, 2n, null],
    [`${CHARTED} | timechart span=1h values(k)`, 3n, null],
    [`${CHARTED} | search k == "y" | timechart span=1h count`, 0n, null],
  ])('of %s', async (text, rows, input) => {
    const runner = await QueryRunner.open({ tables: { t: ROWS } });
    const { stageCounts } = await runner.run(text, { apart: 'counting' });
    expect([...stageCounts.values()]).toEqual([{ rows, input }]);
  });
});

const MARK = 'hostile7f3';
const HOSTILE = [
  `${MARK}'); drop table stored_1; --`,
  `a" from x; select "${MARK}`,
  `$1::varchar ${MARK}`,
  `vigil_source_1 ${MARK}`,
  `vigil_value_1::bigint vigil_name_1 ${MARK}`,
  `/*${MARK}*/ c1`,
  `]${MARK}[`,
  `\\'${MARK}\n;`,
  `~1/${MARK}~0$.*`,
];

describe('Hostile names, texts and patterns', () => {
  const field = (name: string) => `field(${quoted(name)})`;
  const PIPELINES: readonly ((name: string) => string)[] = [
    (name) => `table t | search ${field(name)} == ${quoted(name)} | eval ${field(name)} = concat(${field(name)}, "!")`,
    (name) => `table t | stats count, values(${field(name)}) as ${field(`${name}2`)} by ${field(name)}`,
    (name) => `table t | eventstats count as ${field(name)} | sort -${field(name)} | dedup ${field(name)}`,
    (name) => `table t | timechart cont=t fill=${quoted(name)} count as ${field(name)} by s`,
    (name) => `table t | pivot count as ${field(name)}, dc(s) as d rows ${field(name)} cols s`,
    (name) => `table t | rename ${field(name)} as ${field(`x${name}`)} | tojson output=${quoted(name)}`,
    (name) => `table t | join type=full ${field(name)} [ table t | fields ${field(name)}, s ]`,
    (name) =>
      `table t | parsekv field=s pairdelim=${quoted(name)} kvdelim=${quoted(name.slice(0, 3))} | fields s, ${field(name)}`,
    (name) => `table t | parse field=s ${quoted(name.replaceAll('*', ''))} as q`.replace(/" as q$/, '*" as q'),
    (name) => `table t | fillnull value=${quoted(name)} ${field(name)}, none | top 3 ${field(name)}`,
    (name) => `table t | search match(s, ${quoted(`(?i)\\Q${name.replaceAll('\\', '')}\\E`)}) | explode ${field(name)}`,
    (name) =>
      `table t | streamstats count as ${field(`${name}2`)} by ${field(name)} | prev ${field(name)} | eval k = kvjoin(${quoted(name)}, ";")`,
    (name) => `table t | rollup label=${quoted(name)} count as ${field(`${name}2`)} by ${field(name)}, s`,
    (name) =>
      `table t | memlookup op=build name=${quoted(name)} key=${quoted(name)} s | lookup ${field(name)} s as ${field(name)} output s as ${field(name)}`,
    (name) => `fulltext ${field(name)} == ${quoted(name.replaceAll('*', ''))} or "${MARK}" from t`,
  ];

  it.each(HOSTILE)('stay out of SQL: %j', async (name) => {
    const rows = [{ [name]: name, s: name }, { [name]: 5, s: 'b' }, { s: name }];
    for (const undeclared of [[], [name]]) {
      const runner = await QueryRunner.open({ tables: { t: rows } }, undeclared);
      for (const make of PIPELINES) {
        const text = make(name);
        const { rows: found, isOrdered } = await runner.run(text);
        // A declared column is read by its name, quoted; nothing else of a query is in its statement.
        const statement = (await runner.statement(text)).replaceAll(`"${name.replaceAll('"', '""')}"`, '');
        expect(statement).not.toContain(MARK);
        const [one, other] = [resultText(found), resultText(await runner.onHost(text))];
        expect({ text, rows: isOrdered ? one : one.sort() }).toEqual({ text, rows: isOrdered ? other : other.sort() });
      }
    }
  });
});
