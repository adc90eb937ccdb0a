// What the local evaluator makes of rows in tests, without the engine's way of handing them around.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalChain, topOf } from '#logs/runs/local/local-chain.ts';
import { rowLines } from '#queries/exports/row-lines.ts';
import type { LocalCount } from '#query/analysis/push-counts.ts';
import { chainOf, runningPlans } from '#query/analysis/sub-plans.ts';
import { LocalPipeline } from '#query/local/local-pipeline.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import type { Import } from '#query/plan-nodes/import.ts';
import type { MemoryBuild } from '#query/plan-nodes/memlookup.ts';
import type { Output } from '#query/plan-nodes/output.ts';
import type { LookupFill } from '#query/plan-nodes/outputlookup.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import type { CompileContext } from '#query/plan-nodes/shared/compile-context.ts';
import type { WebRequests } from '#query/plan-nodes/wget.ts';
import type { Row } from '#query/rows/row.ts';
import { localLineOf, localRowOf } from '#query/rows/row-texts.ts';
import { localRowsStatement, type PlanStatement } from '#query/statements/statements.ts';
import { decodeLossy } from '#query/values/text/charsets.ts';
import { known } from '#test/support/known-plan-node.ts';
import { listed, recordRow } from './local-rows.ts';

type Read = (statement: (context: CompileContext) => PlanStatement) => Promise<readonly (readonly unknown[])[]>;

/** Where the rows of a chain come from. */
interface Sources {
  readonly read: Read;
  /** Rows of a node that has no input. */
  outside(node: PlanNode): Promise<readonly Row[]>;
  /** Rows with the answers of hosts. */
  answered(node: WebRequests, rows: readonly Row[]): Promise<readonly Row[]>;
}

/** A file of the rows of a chain. */
export async function localLines(chain: LocalChain, run: RunFacts, sources: Sources) {
  const pipeline = new LocalPipeline(chain.planNodes, { run, constants: new Map() });
  const rows: Row[] = [];
  for (const row of await givenRows(chain.source, sources)) {
    if (pipeline.isSatisfied) break;
    rows.push(...pipeline.push(row));
  }
  const isCut = pipeline.isSatisfied;
  const counts = [...pipeline.counts].map(([node, count]): [PlanNode, LocalCount] => [node, { rows: count, isCut }]);
  return { counts, ...linesFile(rows, topOf(chain)) };
}

async function givenRows(source: PlanNode, { read, outside, answered }: Sources): Promise<readonly Row[]> {
  const { input } = source;
  if (!input) return await outside(source);
  const found = await read((context) => localRowsStatement(input, context));
  const rows = found.map(([text]) => localRowOf(String(text), input.rows));
  const asked = known(source);
  return asked.kind === 'wget' ? await answered(asked, rows) : rows;
}

/** A file of the rows of a driver. */
export const driverLines = (records: readonly ReadonlyMap<string, Value>[], node: PlanNode) =>
  linesFile(
    records.map((record) => listed(recordRow(record, node.rows))),
    node,
  );

function linesFile(rows: readonly Row[], node: PlanNode) {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-lines-'));
  const path = join(folder, 'lines');
  writeFileSync(path, rows.map((row) => localLineOf(row, node.rows)).join(''));
  return { path, longest: 2 ** 24, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

export const sinksOf = (plan: Plan): (Import | Output | MemoryBuild | LookupFill)[] =>
  runningPlans(plan)
    .flatMap(chainOf)
    .map(known)
    .filter(
      (node) =>
        node.kind === 'import' || node.kind === 'output' || node.kind === 'memlookup' || node.kind === 'outputlookup',
    );

export function writtenText(node: Output, rows: readonly ReadonlyMap<string, Value>[], zone: string): string {
  const lines = rowLines(node, zone);
  const text = lines.heading + rows.map((row) => lines.line(row)).join('');
  return decodeLossy(lines.encode(text), node.form.encoding);
}
