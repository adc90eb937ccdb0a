// Audit entries of sinks (11): an entry for each sink of a query, with the text and the number of rows.

import { truncateText } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { PlanReferences } from '#query/analysis/references.ts';
import type { DatabaseOutput } from '#query/nodes/dboutput.ts';
import type { Import } from '#query/nodes/import.ts';
import type { Output } from '#query/nodes/output.ts';
import type { LookupFill } from '#query/nodes/outputlookup.ts';
import type { LiveQuery } from './live-query.ts';

/** `references` are those of the phase that has ended. */
export async function auditSinks(
  query: LiveQuery,
  references: PlanReferences,
  trail: Pick<Trail, 'record'>,
): Promise<void> {
  const { remoteIp, text } = query.request;
  for (const { node, module, method, target } of sinksOf(references)) {
    const account = query.checker.account(node.account);
    const rows = Number(query.progress.of(node)?.pushCount ?? 0n);
    await trail.record({
      user_guid: account.userGuid,
      user_name: account.login,
      company_guid: account.companyGuid,
      remote_ip: remoteIp,
      module,
      method,
      params: { q: truncateText(text) },
      msg_params: { ...target, rows, query_id: query.id },
    });
  }
}

/** Of a table of a database: also where the query fails later, because stored batches stay. */
export async function auditStored(
  query: LiveQuery,
  trail: Pick<Trail, 'record'>,
  { profile, table, account: guid }: DatabaseOutput,
  rows: number,
): Promise<void> {
  const account = query.checker.account(guid);
  await trail.record({
    user_guid: account.userGuid,
    user_name: account.login,
    company_guid: account.companyGuid,
    remote_ip: query.request.remoteIp,
    module: 'query',
    method: 'store',
    params: { q: truncateText(query.request.text) },
    msg_params: { profile, table: truncateText(table.join('.')), rows, query_id: query.id },
  });
}

interface Sink {
  readonly node: Import | Output | LookupFill;
  readonly module: 'query' | 'lookups';
  readonly method: 'import' | 'export' | 'load';
  readonly target: Readonly<Record<string, string>>;
}

/** In the order of the text. */
function sinksOf(references: PlanReferences): Sink[] {
  const imports = references.imports.map(
    (node): Sink => ({ node, module: 'query', method: 'import', target: { table: node.table } }),
  );
  const exports = references.outputs.map(
    (node): Sink => ({ node, module: 'query', method: 'export', target: { path: truncateText(writtenPath(node)) } }),
  );
  const filled = references.filledLookups.map(
    (node): Sink => ({ node, module: 'lookups', method: 'load', target: { name: node.lookup } }),
  );
  return [...imports, ...exports, ...filled].sort((one, other) => one.node.begin - other.node.begin);
}

/** The path as the text has it, times as patterns. */
const writtenPath = ({ path }: Output): string =>
  path.map((part) => (typeof part === 'string' ? part : `{${part.moment}:${part.pattern}}`)).join('');
