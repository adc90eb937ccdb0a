// Statements spell out no more columns of files than they read: whichever fields are asked for, each has the value it was
// stored with, over files with different columns, fresh rows beside them and every way of storing them.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel/json/canonical-json.ts';
import { DAY, record, TIME } from '#test/support/engine-conformance/samples.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';

// DuckDB calls the number of a row in its file so.
const FIELDS = ['n', 'text', '한글', 'mixed', 'File_Row_Number', 'nested', '_hidden', 'late', 'never'] as const;

type Stored = Readonly<Record<string, Json>>;

/** Two segments with different columns, and fresh rows with another one. */
const SEALED: readonly (readonly Stored[])[] = [
  [
    { n: 1, text: 'first', mixed: 5, nested: { a: 1 } },
    { n: 2, text: null, 한글: '김철수', mixed: 'five' },
  ],
  [
    { n: 3, File_Row_Number: 77, _hidden: 'h', mixed: true },
    { n: 4, text: 'TIMEOUT met', 한글: '시간초과', File_Row_Number: 78 },
  ],
];
const FRESH: readonly Stored[] = [{ n: 5, late: 2.5, mixed: [1], text: 'timeout' }, { n: 6 }];

const STEPS: readonly { readonly step: string; readonly keeps: (row: Stored) => boolean }[] = [
  { step: '', keeps: () => true },
  { step: '| limit 4', keeps: ({ n }) => Number(n) > 2 },
  { step: '| search n >= 2 and n < 5', keeps: ({ n }) => Number(n) >= 2 && Number(n) < 5 },
  { step: '| search contains(text, "TIMEOUT")', keeps: ({ text }) => String(text).includes('TIMEOUT') },
  { step: '| search mixed == "five"', keeps: ({ mixed }) => mixed === 'five' },
];

describe.each([
  { layout: 'columnar', protection: 'plain' },
  { layout: 'row', protection: 'plain' },
  { layout: 'columnar', protection: 'checked' },
  { layout: 'columnar', protection: 'encrypted' },
] as const)('Fields of a table, $layout $protection', ({ layout, protection }) => {
  it('are those that were stored, whichever are read beside them', async () => {
    await using home = await makeEngineHome();
    const spec = await home.createTable({ name: 'web', layout, compression: 'snappy' }, protection);
    const stored = [...SEALED.flat(), ...FRESH];
    const timed = (row: Stored) => record(JSON.stringify(row), TIME - DAY + Number(row.n) * 1000);
    for (const rows of SEALED) {
      const staging = await home.engine.stage(spec);
      await staging.add(rows.map(timed));
      await staging.commit(async () => {});
    }
    const asked = fc.record({
      fields: fc.shuffledSubarray([...FIELDS], { minLength: 1 }),
      condition: fc.constantFrom(...STEPS),
    });
    const requireStored = (known: readonly Stored[]) =>
      fc.asyncProperty(asked, async ({ fields, condition: { step, keeps } }) => {
        const kept = known.filter((row) => (step === '| limit 4' ? true : keeps(row))).toReversed();
        const wanted = step === '| limit 4' ? kept.slice(0, 4) : kept;
        const { rows, pushes } = await queryOn(home.engine, [spec], `table web ${step} | fields ${fields.join(', ')}`);
        expect(rows).toEqual(wanted.map((row) => fields.map((field) => row[field] ?? null)));
        expect(pushes.at(-1)).toBe(BigInt(wanted.length));
      });
    await fc.assert(requireStored(SEALED.flat()), { numRuns: 25 });
    await home.engine.append(spec, FRESH.map(timed));
    await fc.assert(requireStored(stored), { numRuns: 25 });
  });
});
