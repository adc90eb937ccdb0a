// Generated pipelines on DuckDB (16.3): as one statement, as one statement per command and locally they give the same
// rows; the counts of commands and pages of the rows are right too.

import fc from 'fast-check';
import type { MapValue } from '#query/model/values.ts';
import { groupedPipeline, pipeline } from '#test/support/pipeline-texts.ts';
import type { World } from '#test/support/query-examples.ts';
import type { QueryResult } from '#test/support/query-result.ts';
import { QueryRunner } from '#test/support/query-runner.ts';
import { smallWorld, UNDECLARED } from '#test/support/random-tables.ts';
import { areSameRows, type Row, rowsShown } from '#verification/same-rows.ts';
import { checkOf, SKIPPED } from './check.ts';
import { jsonText, rowsText } from './shown.ts';

export type Tables = Readonly<Record<'t' | 'r', readonly MapValue[]>>;

interface Case {
  readonly text: string;
  readonly isWritten: boolean;
  readonly world: World & { readonly tables: Tables };
  readonly page: { readonly offset: bigint; readonly limit: bigint };
}

/** Rows of union and join come in any order: what goes by it is the engine's choice. */
export const isLoose = (text: string): boolean => /\b(union|join)\b/.test(text);
const GOES_BY_ORDER = /\b(limit|dedup|seq|first|last|array|top|rare|offset)\b/;
export const isUndefined = (text: string): boolean => isLoose(text) && GOES_BY_ORDER.test(text);

/** The tables as queries to paste in place of `table t` and `table r`. */
export function worldText({ t, r }: Tables): string {
  const shown = (name: string, rows: readonly MapValue[]) => `  ${name}: ${rowsText(rows)}`;
  return [shown('table t', t), shown('table r', r)].join('\n');
}

/** Before a limit that has its rows a command may have handed on more or fewer: the counts from the last limit on. */
export function settled({ normalized, pushes }: Pick<QueryResult, 'normalized' | 'pushes'>): string {
  const commands = normalized.split(' | ');
  const last = commands.findLastIndex((command) => /^limit\b|\blimit=/.test(command));
  return `${last === -1 ? pushes : pushes.slice(last - commands.length)}`;
}

export const differ = (one: string, ones: readonly Row[], other: string, others: readonly Row[]): string =>
  `  ${one}\n${rowsShown(ones)}\n  ${other}\n${rowsShown(others)}`;

/** The rows of a table as they can be written in a query, without what JSON has no word for. */
const written = ({ text, isWritten, world }: Case): string =>
  isWritten ? text.replaceAll('table t |', `${jsonText(world.tables.t)} |`) : text;

async function judge(one: Case): Promise<string | undefined> {
  const { world, page } = one;
  const text = written(one);
  if (isUndefined(text)) return SKIPPED;
  await using runner = await QueryRunner.open(world, UNDECLARED);
  const told = (what: string) => `${text}\n${worldText(world.tables)}\n${what}`;
  const merged = await runner.run(text);
  if (merged.warnings.includes(90901)) return SKIPPED;
  const isOrdered = merged.isOrdered && !isLoose(text);
  const apart = await runner.run(text, { apart: 'all' });
  if (!areSameRows(merged.rows, apart.rows, isOrdered)) {
    return told(differ('one statement', merged.rows, 'command by command', apart.rows));
  }
  if (settled(merged) !== settled(apart)) {
    return told(`  counts ${merged.pushes}, by themselves ${apart.pushes}`);
  }
  const local = await runner.runLocally(text);
  if (!areSameRows(merged.rows, local, isOrdered)) return told(differ('DuckDB', merged.rows, 'local', local));
  if (!isOrdered) return undefined;
  const found = await runner.page(text, page);
  const wanted = merged.rows.slice(Number(page.offset), Number(page.offset + page.limit));
  return areSameRows(found, wanted, true) ? undefined : told(differ('page', found, 'of', wanted));
}

const few = fc.bigInt({ min: 0n, max: 3n });

export const pipelines = checkOf<Case>({
  name: 'pipelines',
  given: fc.record({
    text: pipeline,
    isWritten: fc.boolean(),
    world: smallWorld,
    page: fc.record({ offset: few, limit: few }),
  }),
  judge,
});

/** Counts through stages are those of statements that only count. */
async function judgeStages({ text, world }: Pick<Case, 'text' | 'world'>): Promise<string | undefined> {
  if (isUndefined(text)) return SKIPPED;
  await using runner = await QueryRunner.open(world, UNDECLARED);
  const told = (what: string) => `${text}\n${worldText(world.tables)}\n  ${what}`;
  const plain = await runner.run(text);
  if (plain.warnings.includes(90901)) return SKIPPED;
  const staged = await runner.run(text, { apart: 'counting' });
  if (settled(staged) !== settled(plain)) {
    return told(`counts ${plain.pushes}, through stages ${staged.pushes}`);
  }
  for (const [node, { rows, input }] of staged.stageCounts) {
    const own = await staged.counted(node);
    if (own !== rows) return told(`${node.text} has ${own} rows, its stage says ${rows}`);
    if (input === null && node.kind !== 'timechart') return told(`${node.text} does not tell its input`);
    const before = input !== null && 'input' in node && node.input ? await staged.counted(node.input) : input;
    if (before !== input) return told(`${node.text} was made of ${before} rows, its stage says ${input}`);
  }
  return undefined;
}

export const stages = checkOf<Pick<Case, 'text' | 'world'>>({
  name: 'stages',
  given: fc.record({ text: groupedPipeline, world: smallWorld }),
  judge: judgeStages,
});
