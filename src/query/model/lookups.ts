// Lookups as a query sees them, and the names of those that the language itself knows.

import type { KnownColumn } from './columns.ts';

export interface KnownLookup {
  readonly name: string;
  readonly key: string;
  readonly columns: readonly KnownColumn[];
  /** Belongs to the caller, and may be dropped by a query. */
  readonly isInMemory?: true;
}

/** The built-in lookup of address locations. */
export const GEOIP: KnownLookup = {
  name: 'geoip',
  key: 'network',
  columns: [
    { name: 'country', type: 'string' },
    { name: 'region', type: 'string' },
    { name: 'city', type: 'string' },
    { name: 'latitude', type: 'double' },
    { name: 'longitude', type: 'double' },
    { name: 'asn', type: 'long' },
  ],
};

/** The source of the rows of `memlookup op=list`: not an identifier, so no `system` command can name it. */
export const MEMORY_LOOKUPS = 'memory lookups';
