// The source of a query, as the contract names it.

import type { Caller } from '#access/caller.ts';

export const QUERY_SOURCES = [
  'adhoc',
  'console',
  'scheduled-query',
  'rest-api',
  'java-client',
  'python-client',
  'system',
  'core',
  'batch-rule',
] as const;
export type QuerySource = (typeof QUERY_SOURCES)[number];

export const isQuerySource = (value: unknown): value is QuerySource => QUERY_SOURCES.some((source) => source === value);

/** Clients by their user agent. */
const CLIENTS: Readonly<Record<string, QuerySource>> = {
  'vigil-java/': 'java-client',
  'vigil-python/': 'python-client',
  'vigil-shell/': 'console',
};

export function sourceOf({ sessionGuid }: Caller, userAgent: string): QuerySource {
  const client = Object.entries(CLIENTS).find(([prefix]) => userAgent.startsWith(prefix));
  return client?.[1] ?? (sessionGuid === undefined ? 'rest-api' : 'adhoc');
}
