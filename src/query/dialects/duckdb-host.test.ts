// The stretch from evalc on runs in the host (8, 15.10): its rows and counts are those of the statement without it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Value } from '#query/values.ts';
import { pipeline, smallWorld } from '#test/support/pipeline-generator.ts';
import { type Dice, seededDice } from '#test/support/query-dice.ts';
import { QueryRunner } from '#test/support/query-runner.ts';
import { resultText } from '#test/support/result-rows.ts';

type Row = ReadonlyMap<string, Value>;

/** Sums of doubles differ in their last digits. */
function rounded(value: Value): Value {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : Number(value.toPrecision(12));
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, rounded(item)]));
  return Array.isArray(value) ? value.map(rounded) : value;
}

const DRIVER = /^(?:table|fulltext|json)[^|[]*(?= \| )/;

async function agree(dice: Dice): Promise<boolean> {
  const runner = await QueryRunner.open(smallWorld(dice), ['rare', 'odd "name"']);
  const text = pipeline(dice);
  const [driver] = DRIVER.exec(text) ?? [];
  if (driver === undefined) return false;
  const plain = await runner.run(text);
  if (plain.warnings.includes(90901) || /\b(union|join)\b/.test(text)) return false;
  const inHost = `${driver} | evalc zz = 0${text.slice(driver.length)}`;
  const made = await runner.run(inHost);
  const shown = (rows: readonly Row[]) => {
    const texts = resultText(rows.map((row) => new Map([...row].map(([name, value]) => [name, rounded(value)]))));
    return { text: inHost, rows: plain.isOrdered ? texts : texts.sort() };
  };
  expect(shown(made.rows)).toEqual(shown(plain.rows));
  expect({ text, columns: made.columns }).toEqual({ text, columns: plain.columns });
  return true;
}

describe('Commands behind evalc', () => {
  it('give the same rows as without it', async () => {
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        tried += (await agree(seededDice(seed))) ? 1 : 0;
      }),
      { numRuns: 60 },
    );
    expect(tried).toBeGreaterThan(10);
  }, 120_000);
});
