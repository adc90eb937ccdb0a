// Random pipelines of the grammar by which a user verifies an engine, over the small tables: what a store may answer itself.

import fc from 'fast-check';
import type { Dice } from '#kernel/dice.ts';
import type { Value } from '#query/model/values.ts';
import { drawPipeline } from '#verification/pipeline-grammar.ts';
import type { SampledField, SampledTable } from '#verification/sampled-table.ts';
import { recordStep } from './pipeline-texts.ts';
import { EXAMPLE_ZONE } from './query-examples.ts';
import { LINES, TIMES, WORDS } from './random-tables.ts';

const field = (name: string, type: SampledField['type'], values: readonly Value[]): SampledField => ({
  name,
  type,
  values,
  isSummable: true,
});

/** What most of the columns hold; some have values of other types, too. */
const FIELDS = [
  field('n', 'long', [1n, 2n, 3n, 10n]),
  field('s', 'string', WORDS),
  field('d', 'double', [0.5, 2.5, -1.5, 100]),
  field('line', 'string', LINES),
  field('m', 'any', [1n, 2.5, true, 'a', '한글']),
  field('rare', 'any', [5n, 'B', null]),
  field('odd "name"', 'any', [1n, 'x']),
];

const TABLES = ['t', 'r'].map((name): SampledTable => ({ name, fields: FIELDS, times: TIMES }));

const dice = fc.gen().map((make): Dice => ({ below: (n) => make(fc.nat, { max: n - 1 }) }));

/** Also where one of the conditions is none that a store tests. */
export const drawnPipeline: fc.Arbitrary<string> = fc
  .tuple(dice, fc.oneof({ weight: 3, arbitrary: fc.constant('') }, recordStep))
  .map(([drawn, after]) => [drawPipeline(drawn, TABLES, EXAMPLE_ZONE), ...(after === '' ? [] : [after])].join(' | '));
