// What the host makes of rows in tests, without the engine's way of handing them around.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HostSegment, topOf } from '#engines/duckdb/host/host-segment.ts';
import { isSink } from '#engines/duckdb/runs/staged-groups.ts';
import { rowLines } from '#queries/exports/row-lines.ts';
import type { HostCount } from '#query/analysis/push-counts.ts';
import { chainOf } from '#query/analysis/sub-plans.ts';
import type { RunFacts } from '#query/functions/function.ts';
import { HostPipeline } from '#query/host/host-pipeline.ts';
import type { Row } from '#query/host/row-steps.ts';
import type { Value } from '#query/model/values.ts';
import type { Import, Output, Plan, PlanNode } from '#query/nodes/plan.ts';
import type { CompileContext } from '#query/nodes/sql-compiler.ts';
import { hostLineOf, hostRowOf } from '#query/rows/row-texts.ts';
import { hostRowsStatement, type PlanStatement } from '#query/statements/statements.ts';

type Read = (statement: (around: CompileContext) => PlanStatement) => Promise<readonly (readonly unknown[])[]>;

/** A file of the rows of a segment. */
export async function hostLines(segment: HostSegment, run: RunFacts, read: Read) {
  const { source } = segment;
  if (source.kind === 'window') throw new Error('nothing arrives here');
  const found = await read((around) => hostRowsStatement(source.input, around));
  const pipeline = new HostPipeline(segment.nodes, { run, constants: new Map() });
  const rows: Row[] = [];
  for (const [text] of found) {
    if (pipeline.isSatisfied) break;
    rows.push(...pipeline.push(hostRowOf(String(text), source.input.rows)));
  }
  const folder = mkdtempSync(join(tmpdir(), 'vigil-lines-'));
  const path = join(folder, 'lines');
  writeFileSync(path, rows.map((row) => hostLineOf(row, topOf(segment).rows)).join(''));
  const isCut = pipeline.isSatisfied;
  const counts = [...pipeline.counts].map(([node, count]): [PlanNode, HostCount] => [node, { rows: count, isCut }]);
  return { path, longest: 2 ** 24, counts, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

export const sinksOf = (plan: Plan): (Import | Output)[] => chainOf(plan).filter(isSink);

export function writtenText(node: Output, rows: readonly ReadonlyMap<string, Value>[], zone: string): string {
  const lines = rowLines(node, zone);
  return lines.heading + rows.map((row) => lines.line(row)).join('');
}
