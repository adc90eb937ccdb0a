// The stretch from evalc on runs locally (8, 15.10): its rows and counts are those of the statement without it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Value } from '#query/model/values.ts';
import { pipeline } from '#test/support/pipeline-texts.ts';
import type { World } from '#test/support/query-examples.ts';
import { QueryRunner } from '#test/support/query-runner.ts';
import { smallWorld, UNDECLARED } from '#test/support/random-tables.ts';
import { resultText } from '#test/support/result-rows.ts';

type Row = ReadonlyMap<string, Value>;

/** Sums of doubles differ in their last digits. */
function rounded(value: Value): Value {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : Number(value.toPrecision(12));
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, rounded(item)]));
  return Array.isArray(value) ? value.map(rounded) : value;
}

const DRIVER = /^(?:table|fulltext|json)[^|[]*(?= \| )/;

/** Pipelines of one driver, behind which evalc can stand. */
const comparable = pipeline.filter((text) => DRIVER.test(text) && !/\b(union|join)\b/.test(text));

async function agree(text: string, world: World): Promise<boolean> {
  await using runner = await QueryRunner.open(world, UNDECLARED);
  const [driver = ''] = DRIVER.exec(text) ?? [];
  const plain = await runner.run(text);
  if (plain.warnings.includes(90901)) return false;
  const locally = `${driver} | evalc zz = 0${text.slice(driver.length)}`;
  const made = await runner.run(locally);
  const shown = (rows: readonly Row[]) => {
    const texts = resultText(rows.map((row) => new Map([...row].map(([name, value]) => [name, rounded(value)]))));
    return { text: locally, rows: plain.isOrdered ? texts : texts.sort() };
  };
  expect(shown(made.rows)).toEqual(shown(plain.rows));
  expect({ text, columns: made.columns }).toEqual({ text, columns: plain.columns });
  return true;
}

/** Four of seven generated pipelines are comparable. */
const RUNS = 34;

describe('Commands behind evalc', () => {
  it('give the same rows as without it', async () => {
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(comparable, smallWorld, async (text, world) => {
        tried += (await agree(text, world)) ? 1 : 0;
      }),
      { numRuns: RUNS },
    );
    expect(tried).toBeGreaterThan(10);
  });
});
