// Audit entries of commands that reach beyond the tables (11): for each file driver the paths, for each wget the hosts.

import { truncateText } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { FileRows } from '#query/nodes/files.ts';
import type { LiveQuery } from './live-query.ts';
import type { NodeRequests } from './web-requests.ts';

/** Paths in one entry; an entry says how many there are. */
const MAX_PATHS = 100;

/** Written before the first file is opened. */
export async function auditFiles(
  query: LiveQuery,
  node: FileRows,
  { paths, trail }: { readonly paths: readonly string[]; readonly trail: Pick<Trail, 'record'> },
): Promise<void> {
  const { remoteIp, text } = query.request;
  const account = query.checker.account(node.account);
  await trail.record({
    user_guid: account.userGuid,
    user_name: account.login,
    company_guid: account.companyGuid,
    remote_ip: remoteIp,
    module: 'query',
    method: 'read-files',
    params: { q: truncateText(text) },
    msg_params: { paths: paths.slice(0, MAX_PATHS).map(truncateText), count: paths.length, query_id: query.id },
  });
}

/** Hosts in one entry. */
const MAX_HOSTS = 100;

/** At the end of a run, however it has ended; without headers and bodies. */
export async function auditRequests(
  query: LiveQuery,
  used: readonly NodeRequests[],
  trail: Pick<Trail, 'record'>,
): Promise<void> {
  const { remoteIp, text } = query.request;
  for (const { node, hosts, count } of used) {
    const account = query.checker.account(node.account);
    const profile = 'profile' in node.target ? { profile: node.target.profile } : {};
    await trail.record({
      user_guid: account.userGuid,
      user_name: account.login,
      company_guid: account.companyGuid,
      remote_ip: remoteIp,
      module: 'query',
      method: 'request',
      params: { q: truncateText(text) },
      msg_params: { ...profile, hosts: [...hosts].slice(0, MAX_HOSTS), count, query_id: query.id },
    });
  }
}
