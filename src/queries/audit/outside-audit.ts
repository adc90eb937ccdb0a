// Audit entries of commands that reach beyond the tables (11): for each file driver the paths, for each wget the hosts.

import { truncateText } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { PlanNodeRequests } from '#queries/runs/web-requests.ts';
import type { FileRows } from '#query/plan-nodes/files.ts';
import { recordDeed } from './run-audit.ts';

/** Paths in one entry; an entry says how many there are. */
const MAX_PATHS = 100;

/** Written before the first file is opened. */
export async function auditFiles(
  query: LiveQuery,
  node: FileRows,
  { paths, trail }: { readonly paths: readonly string[]; readonly trail: Pick<Trail, 'record'> },
): Promise<void> {
  const facts = { paths: paths.slice(0, MAX_PATHS).map(truncateText), count: paths.length };
  await recordDeed(query, { account: node.account, module: 'query', method: 'read-files', facts }, trail);
}

/** Hosts in one entry. */
const MAX_HOSTS = 100;

/** At the end of a run, however it has ended; without headers and bodies. */
export async function auditRequests(
  query: LiveQuery,
  used: readonly PlanNodeRequests[],
  trail: Pick<Trail, 'record'>,
): Promise<void> {
  for (const { planNode: node, hosts, count } of used) {
    const profile = 'profile' in node.target ? { profile: node.target.profile } : {};
    const facts = { ...profile, hosts: [...hosts].slice(0, MAX_HOSTS), count };
    await recordDeed(query, { account: node.account, module: 'query', method: 'request', facts }, trail);
  }
}
