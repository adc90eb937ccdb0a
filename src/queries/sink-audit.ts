// Audit entries of commands that reach beyond the tables (11): an entry for each sink of a query, with the text and the number
// of rows, and for each file driver, with the paths.

import { truncateText } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { PlanReferences } from '#query/analysis/references.ts';
import type { FileRows } from '#query/nodes/files.ts';
import type { Import } from '#query/nodes/import.ts';
import type { Output } from '#query/nodes/output.ts';
import type { LiveQuery } from './live-query.ts';
import type { NodeRequests } from './web-requests.ts';

export async function auditSinks(query: LiveQuery, trail: Pick<Trail, 'record'>): Promise<void> {
  const { remoteIp, text } = query.request;
  for (const { node, method, target } of sinksOf(query.checked.references)) {
    const account = query.checker.account(node.account);
    const rows = Number(query.progress.of(node)?.pushCount ?? 0n);
    await trail.record({
      user_guid: account.userGuid,
      user_name: account.login,
      company_guid: account.companyGuid,
      remote_ip: remoteIp,
      module: 'query',
      method,
      params: { q: truncateText(text) },
      msg_params: { ...target, rows, query_id: query.id },
    });
  }
}

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

interface Sink {
  readonly node: Import | Output;
  readonly method: 'import' | 'export';
  readonly target: Readonly<Record<string, string>>;
}

/** In the order of the text. */
function sinksOf(references: PlanReferences): Sink[] {
  const imports = references.imports.map((node): Sink => ({ node, method: 'import', target: { table: node.table } }));
  const exports = references.outputs.map(
    (node): Sink => ({ node, method: 'export', target: { path: truncateText(writtenPath(node)) } }),
  );
  return [...imports, ...exports].sort((one, other) => one.node.begin - other.node.begin);
}

/** The path as the text has it, times as patterns. */
const writtenPath = ({ path }: Output): string =>
  path.map((part) => (typeof part === 'string' ? part : `{${part.moment}:${part.pattern}}`)).join('');
