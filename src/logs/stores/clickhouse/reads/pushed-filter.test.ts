// Rows that ClickHouse leaves out never matter: plans with conditions give the rows and counts of the embedded engine.

import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { seededDice, times } from '#kernel/dice.ts';
import type { TableSpec } from '#logs/log-store.ts';
import { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { foldedText } from '#query/functions/clues.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { makeClickhouseHome } from '#test/support/clickhouse-engine.ts';
import { filteredPipeline, record as recordText } from '#test/support/condition-generator.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import type { EngineHome } from '#test/support/engine-conformance/suite.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { FUZZ_SEED, SUITE_SEED } from '#test/support/fuzz-seed.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';
import { FOLDED_TO_ASCII } from './pushed-filter.ts';

const RUNS = Number(process.env.VIGIL_FUZZ_RUNS ?? 60);
const RECORDS = 120;
/** Of the plans; a drawn seed may have a few more (40 of 60 were seen) than the fixed one. */
const MAX_EMPTY = FUZZ_SEED === SUITE_SEED ? 2 / 3 : 5 / 6;

interface Stored {
  readonly home: EngineHome;
  readonly tables: readonly TableSpec[];
}

describe.skipIf(inject('clickhouse').reason)('A filter of ClickHouse', () => {
  let server: ClickhouseServer;
  let clickhouse: Stored;
  let embedded: Stored;
  beforeAll(async () => {
    server = await startClickhouse();
    clickhouse = await filled(await makeClickhouseHome({ servers: [server] }));
    embedded = await filled(await makeEngineHome());
  });
  afterAll(async () => {
    for (const { home } of [clickhouse, embedded]) await home[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  afterEach(() => void vi.restoreAllMocks());

  it(`leaves out rows that do not matter, and no others: ${RUNS} plans from seed ${FUZZ_SEED}`, async () => {
    const download = vi.spyOn(ClickhouseClient.prototype, 'download');
    const wrong: unknown[] = [];
    let refused = 0;
    let empty = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const text = filteredPipeline(seededDice(FUZZ_SEED * 1_000_003 + run));
      const [found, wanted] = await Promise.all([answerOf(clickhouse, text), answerOf(embedded, text)]);
      if ('error' in wanted) refused += 1;
      else if (wanted.rows.length === 0) empty += 1;
      if (!isDeepStrictEqual(found, wanted)) wrong.push({ text, found, wanted });
    }
    expect(wrong).toEqual([]);
    expect({ refused, empty }).toEqual({
      refused: expect.toSatisfy((n) => n < RUNS / 4),
      empty: expect.toSatisfy((n) => n < RUNS * MAX_EMPTY),
    });
    // Most of these plans have a condition that ClickHouse can evaluate.
    const filtered = download.mock.calls.filter(([, { params }]) => params && 'p0' in params);
    expect(filtered.length).toBeGreaterThan(RUNS / 4);
  });

  it('finds words whose letters are written by others that fold into them', async () => {
    const texts = ['\u017fe\u017f\u017fion', '\u212aELVIN', '\u0130stanbul', 'SESSION of kelvin', 'nothing'];
    const [found, wanted] = await Promise.all(
      [clickhouse, embedded].map(async ({ home }) => {
        const table = await home.createTable({ name: 'odd', layout: 'columnar', compression: 'snappy' });
        const records = texts.map((message, at) => record(JSON.stringify({ message }), TIME - at * 1000));
        await home.engine.append(table, records);
        const words = ['session', 'kelvin', 'istanbul', 'nothing', 'of'];
        return await Promise.all(
          words.map((word) => answerOf({ home, tables: [table] }, `fulltext "${word}" from odd | fields message`)),
        );
      }),
    );
    expect(found).toEqual(wanted);
    expect(wanted?.map((one) => ('rows' in one ? one.rows.length : -1))).toEqual([1, 2, 1, 1, 1]);
  });

  it('knows every letter that is one of ASCII when it is folded', () => {
    const letters = times(0x110000, (code) => code)
      .filter((code) => code > 0x7f && (code < 0xd800 || code > 0xdfff))
      .map((code) => String.fromCodePoint(code))
      .map((letter) => [letter, foldedText(letter).replaceAll(/[^\0-\x7f]/g, '')])
      .filter(([, folded]) => folded !== '');
    expect(letters).toEqual(FOLDED_TO_ASCII);
  });
});

/** Rows in any order, and counts; or the error. */
async function answerOf({ home, tables }: Stored, text: string) {
  try {
    const { rows, pushes } = await queryOn(home.engine, tables, text);
    return { rows: rows.map((row) => JSON.stringify(row)).sort(), pushes };
  } catch (error) {
    return { error: String(error) };
  }
}

/** The same records in both layouts, in several appends. */
async function filled(home: EngineHome): Promise<Stored> {
  const tables = [
    await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' }),
    await home.createTable({ name: 'rows', layout: 'row', compression: 'deflate' }),
  ];
  for (const [position, table] of tables.entries()) {
    const dice = seededDice(FUZZ_SEED + position);
    for (let from = 0; from < RECORDS; from += RECORDS / 3) {
      // Late records, too: each append has times of all.
      await home.engine.append(
        table,
        times(RECORDS / 3, (index) => record(recordText(dice), TIME - index * 1000 - from)),
      );
    }
  }
  return { home, tables };
}
