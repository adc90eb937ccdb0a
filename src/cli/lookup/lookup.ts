// Finds a stored lookup by name or GUID, and shows lookups.

import type { Client } from '#cli/kit/client.ts';
import type { Field } from '#cli/kit/output/records.ts';
import type { AnswerFor } from '#client/call.ts';
import { UsageError } from '#kernel/usage-error.ts';

export type Lookup = AnswerFor<'GET /api/core/lookups'>['lookups'][number];

export async function findLookup(client: Client, named: string): Promise<Lookup> {
  const { lookups } = await client.call('GET /api/core/lookups', {});
  const found = lookups.find(({ guid, name }) => name === named.normalize() || guid === named.toLowerCase());
  if (!found) throw new UsageError('no-such-lookup', { name: named });
  return found;
}

export const listedFields: readonly Field<Lookup>[] = [
  { title: 'field-name', text: ({ name }) => name },
  { title: 'field-key-column', text: ({ key }) => key },
  { title: 'field-columns', text: ({ columns }) => namesIn(columns).join(', ') },
  { title: 'field-rows', isNumeric: true, text: ({ row_count }) => String(row_count) },
  { title: 'field-version', isNumeric: true, text: ({ version }) => String(version) },
  { title: 'field-owner', text: ({ owner_name }) => owner_name ?? '' },
  { title: 'field-updated', isTime: true, text: ({ updated }) => updated },
  { title: 'field-guid', text: ({ guid }) => guid },
];

/** The type of a list is lost in the declaration of a family. */
const namesIn = (columns: unknown): readonly string[] => (Array.isArray(columns) ? columns.map(String) : []);
