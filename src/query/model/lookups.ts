// Lookups as a query sees them, and the names of those that the language itself knows.

import type { KnownColumn } from './columns.ts';

export interface KnownLookup {
  readonly name: string;
  /** Each value of this column is there once. */
  readonly key: string;
  readonly columns: readonly KnownColumn[];
  /** GUID of a stored lookup; absent for a lookup in memory. */
  readonly guid?: string;
  /** Whether the account may write a stored lookup. */
  readonly isWritable?: boolean;
}

/** Most columns of a stored lookup. */
export const MAX_LOOKUP_COLUMNS = 100;

/** A name that stands in a query without quotes; a stored lookup has no other. */
export const PLAIN_LOOKUP_NAME = /^[\p{L}\p{M}\p{Nd}_-]+$/u;
export const MAX_LOOKUP_NAME = 50;

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

/** The source of the rows of `memlookup` alone: not an identifier, so no `system` command can name it. */
export const MEMORY_LOOKUPS = 'memory lookups';
