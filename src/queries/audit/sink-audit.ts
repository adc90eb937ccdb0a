// Audit entries of sinks (11): an entry for each sink of a query, with the text and the number of rows.

import { truncateText } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { KeptRows } from '#logs/run.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { PlanReferences } from '#query/analysis/references.ts';
import type { DatabaseOutput } from '#query/plan-nodes/dboutput.ts';
import type { Import } from '#query/plan-nodes/import.ts';
import type { Output } from '#query/plan-nodes/output.ts';
import type { LookupFill } from '#query/plan-nodes/outputlookup.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { recordDeed } from './run-audit.ts';

/** `references` are those of the phase that has ended. */
export async function auditSinks(
  query: LiveQuery,
  references: PlanReferences,
  trail: Pick<Trail, 'record'>,
): Promise<void> {
  for (const sink of sinksOf(references)) {
    await recordSink(query, sink, Number(query.progress.of(sink.planNode)?.pushCount ?? 0n), trail);
  }
}

/** As `auditSinks`, of a phase that has not ended in order: of sinks that have stored rows nevertheless. */
export async function auditKept(
  query: LiveQuery,
  references: PlanReferences,
  trail: Pick<Trail, 'record'>,
  kept: readonly KeptRows[],
): Promise<void> {
  const isSame = (one: PlanNode, { begin, end, kind }: PlanNode) =>
    one.begin === begin && one.end === end && one.kind === kind;
  for (const sink of sinksOf(references)) {
    const rows = kept.find(({ planNode: node }) => isSame(node, sink.planNode))?.rows ?? 0n;
    if (rows > 0n) await recordSink(query, sink, Number(rows), trail);
  }
}

async function recordSink(
  query: LiveQuery,
  { planNode: node, module, method, target }: Sink,
  rows: number,
  trail: Pick<Trail, 'record'>,
): Promise<void> {
  await recordDeed(query, { account: node.account, module, method, facts: { ...target, rows } }, trail);
}

/** Of a table of a database: also where the query fails later, because stored batches stay. */
export async function auditStored(
  query: LiveQuery,
  trail: Pick<Trail, 'record'>,
  { profile, table, account }: DatabaseOutput,
  rows: number,
): Promise<void> {
  const facts = { profile, table: truncateText(table.join('.')), rows };
  await recordDeed(query, { account, module: 'query', method: 'store', facts }, trail);
}

interface Sink {
  readonly planNode: Import | Output | LookupFill;
  readonly module: 'query' | 'lookups';
  readonly method: 'import' | 'export' | 'load';
  readonly target: Readonly<Record<string, string>>;
}

/** In the order of the text. */
function sinksOf(references: PlanReferences): Sink[] {
  const imports = references.imports.map(
    (node): Sink => ({ planNode: node, module: 'query', method: 'import', target: { table: node.table } }),
  );
  const exports = references.outputs.map(
    (node): Sink => ({
      planNode: node,
      module: 'query',
      method: 'export',
      target: { path: truncateText(writtenPath(node)) },
    }),
  );
  const filled = references.filledLookups.map(
    (node): Sink => ({ planNode: node, module: 'lookups', method: 'load', target: { name: node.lookup } }),
  );
  return [...imports, ...exports, ...filled].sort((one, other) => one.planNode.begin - other.planNode.begin);
}

/** The path as the text has it, times as patterns. */
const writtenPath = ({ path }: Output): string =>
  path.map((part) => (typeof part === 'string' ? part : `{${part.moment}:${part.pattern}}`)).join('');
