// The law of phases (16.4): a query split at its phases into several runs gives the same tables, lookups and last result.

import fc from 'fast-check';
import type { MapValue } from '#query/model/values.ts';
import { pipeline } from '#test/support/pipeline-texts.ts';
import type { World } from '#test/support/query-examples.ts';
import { QueryRunner } from '#test/support/query-runner.ts';
import { smallWorld, UNDECLARED } from '#test/support/random-tables.ts';
import { areSameRows, rowsShown } from '#verification/same-rows.ts';
import { checkOf, SKIPPED } from './check.ts';
import { worldText } from './pipelines.ts';

interface Phase {
  /** `set k0 = 1`: goes before the driver. */
  readonly constants: readonly string[];
  readonly text: string;
}

interface Case {
  readonly phases: readonly Phase[];
  readonly world: World & { readonly tables: Readonly<Record<'t' | 'r', readonly MapValue[]>> };
}

const SOURCES = [
  'table dst',
  'table t | table dst',
  'table $("from")',
  'table r | union [ table dst | drop | table r ]',
];
const STEPS = [
  'search n >= $("k", 0)',
  'eval c = field(concat("", "n"))',
  'eval c = field(if(isnull(s), "n", "s"))',
  'stats count, max(n) as n, values(field(if(isnull(d), "n", "d"))) as v by s',
  'search isnotnull(field(nvl(s, "n")))',
  'limit 2',
];
const SINKS = ['import dst', 'import dst | drop', 'memlookup op=build name=m key=n s', 'drop', 'bypass'];
const CONSTANTS = ['set k = 1', 'set k = nvl($("k"), 1) + 1, from = "t"', 'setq [ table dst | stats count as k ]'];

const phase: fc.Arbitrary<Phase> = fc
  .record({
    constants: fc.array(fc.constantFrom(...CONSTANTS), { maxLength: 2 }),
    source: fc.oneof(
      pipeline.filter((text) => !text.startsWith('union')),
      fc.constantFrom(...SOURCES),
    ),
    steps: fc.array(fc.constantFrom(...STEPS), { maxLength: 2 }),
    sink: fc.constantFrom(...SINKS),
  })
  .map(({ constants, source, steps, sink }) => ({ constants, text: [source, ...steps, sink].join(' | ') }));

const isSettled = (text: string) => !/\b(seq|rand|guid|evalc)\(/.test(text);

export const phaseLaw = checkOf<Case>({
  name: 'phases',
  given: fc.record({ phases: fc.array(phase, { minLength: 2, maxLength: 3 }), world: smallWorld }),
  judge: async ({ phases, world }) => {
    const tables = { ...world.tables, dst: [] };
    const texts = phases.map(({ constants: own, text }) => [...own, text].join(' | '));
    const whole = texts.join(' | ');
    if (!isSettled(whole)) return SKIPPED;
    const constants = { from: 'dst' };
    await using once = await QueryRunner.open({ ...world, tables, constants }, UNDECLARED);
    await using split = await QueryRunner.open({ ...world, tables, constants }, UNDECLARED);
    const plain = await once.run(whole);
    if (plain.warnings.includes(90901)) return SKIPPED;
    const results = [];
    for (const text of texts) {
      const result = await split.run(text);
      // Parameters of earlier phases stay set.
      split.context = { ...split.context, constants: result.constants };
      results.push(result);
    }
    const last = results.at(-1);
    const told = (what: string) => `${whole}\n${worldText(world.tables)}\n  ${what}`;
    if (!last || !areSameRows(plain.rows, last.rows, plain.isOrdered && last.isOrdered))
      return told(`gives\n${rowsShown(plain.rows)}\n  and split\n${rowsShown(last?.rows ?? [])}`);
    if (!areSameRows(once.stored('dst'), split.stored('dst'), false)) return told('stores other rows');
    const pushes = results.flatMap((one) => one.pushes);
    return `${pushes}` === `${plain.pushes}` ? undefined : told(`counts ${plain.pushes}, and split ${pushes}`);
  },
});
