// Generated expressions on both evaluators (16.2): DuckDB must give what the host gives, value and type. A long run is
// `npm run test:fuzz`; a failure names the seed that repeats it.

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { QueryMistake } from '#query/mistake.ts';
import { COMPARED, expressionText } from '#test/support/expression-texts.ts';
import { DuckRows, isSame, onHost, planned } from '#test/support/expressions.ts';
import { POOL_COLUMNS, poolRows } from '#test/support/value-pools.ts';
import { textOf } from './conversions.ts';
import { isTrue } from './truth.ts';

const RUNS = Number(process.env.VIGIL_FUZZ_RUNS ?? 150);
const ROWS = 60;
const ZONES = ['Asia/Seoul', 'America/New_York'];

const rows = poolRows(ROWS, 20_261_115);
let duck: DuckRows;

beforeAll(async () => {
  duck = await DuckRows.open(POOL_COLUMNS, rows);
});

const shown = (value: Parameters<typeof textOf>[0]) => textOf(value, 'UTC');

/** Every row on both; undefined where the front end refuses the text. */
async function differences(text: string, zone: string): Promise<string[] | undefined> {
  let expression: ReturnType<typeof planned>;
  try {
    expression = planned(text, POOL_COLUMNS, zone);
  } catch (failure) {
    if (failure instanceof QueryMistake) return undefined;
    throw failure;
  }
  const host = onHost(expression, rows, zone);
  const found = await duck.values(expression, zone);
  const kept = await duck.kept(expression, zone);
  const isKept = new Set(kept.map(Number));
  return rows.flatMap((row, index) => {
    const [wanted = null, given = null] = [host[index], found[index]];
    const used = Object.fromEntries(Object.entries(row).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text)));
    const told = `${JSON.stringify(used, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))}`;
    if (!isSame(given, wanted)) return [`${told}: DuckDB ${shown(given)}, host ${shown(wanted)}`];
    return isTrue(wanted) === isKept.has(index) ? [] : [`${told}: kept ${isKept.has(index)}, host ${shown(wanted)}`];
  });
}

describe('Generated expressions', () => {
  for (const zone of ZONES) {
    it(`give one result in ${zone}`, { timeout: RUNS * 4000 }, async () => {
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(expressionText(3), async (text) => {
          const found = await differences(text, zone);
          fc.pre(found !== undefined);
          compared += ROWS;
          expect(found).toEqual([]);
        }),
        { numRuns: RUNS, maxSkipsPerRun: 20 },
      );
      expect(compared).toBeGreaterThanOrEqual(RUNS * ROWS);
    });
  }

  it('of one call each, of every function', { timeout: 120_000 }, async () => {
    for (const { name } of COMPARED) {
      const texts = fc.sample(
        expressionText(1).filter((text) => text.startsWith(`${name}(`)),
        { numRuns: 3, seed: 7 },
      );
      for (const text of texts) expect([text, (await differences(text, 'Asia/Seoul')) ?? []]).toEqual([text, []]);
    }
  });
});
