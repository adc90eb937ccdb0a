// What a query has stored is on record (11): an entry for each of its imports, with the text and the number of rows.

import { cut } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { LiveQuery } from './live-query.ts';
import { importsOf } from './plan-nodes.ts';

export async function recordImports(query: LiveQuery, trail: Pick<Trail, 'record'>): Promise<void> {
  const { caller, remoteIp, text } = query.request;
  for (const node of importsOf(query.checked.plan)) {
    const rows = Number(query.cells.of(node)?.pushCount ?? 0n);
    await trail.record({
      user_guid: caller.userGuid,
      user_name: caller.login,
      company_guid: caller.companyGuid,
      remote_ip: remoteIp,
      module: 'query',
      method: 'import',
      params: { q: cut(text) },
      msg_params: { table: node.table, rows, query_id: query.id },
    });
  }
}
