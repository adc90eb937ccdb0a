// Audit entries of sinks (11): an entry for each sink of a query, with the text and the number of rows.

import { cut } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { Import, Output } from '#query/nodes/plan.ts';
import type { LiveQuery } from './live-query.ts';
import { importsOf, outputsOf } from './plan-nodes.ts';

export async function auditSinks(query: LiveQuery, trail: Pick<Trail, 'record'>): Promise<void> {
  const { remoteIp, text } = query.request;
  const { plan } = query.checked;
  for (const node of [...importsOf(plan), ...outputsOf(plan)].sort((one, other) => one.begin - other.begin)) {
    const account = query.checker.account(node.account);
    const rows = Number(query.progress.of(node)?.pushCount ?? 0n);
    await trail.record({
      user_guid: account.userGuid,
      user_name: account.login,
      company_guid: account.companyGuid,
      remote_ip: remoteIp,
      module: 'query',
      method: node.kind === 'import' ? 'import' : 'export',
      params: { q: cut(text) },
      msg_params: { ...targetOf(node), rows, query_id: query.id },
    });
  }
}

const targetOf = (node: Import | Output): Readonly<Record<string, string>> =>
  node.kind === 'import' ? { table: node.table } : { path: cut(writtenPath(node)) };

/** The path as the text has it, times as patterns. */
const writtenPath = ({ path }: Output): string =>
  path.map((part) => (typeof part === 'string' ? part : `{${part.moment}:${part.pattern}}`)).join('');
