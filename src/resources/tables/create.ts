// POST /tables

import { duplicatedName, notFound } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { nothing } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchable } from '#kernel/folded.ts';
import { newTable } from './params.ts';
import { requireGroup, requireSchema } from './rules.ts';
import { findTable, insertTable } from './store.ts';

export const create = endpoint({
  title: 'Create table',
  notes: 'Compression and layout cannot be changed afterwards. A retention of 0 keeps everything.',
  method: 'POST',
  path: '/api/core/tables',
  access: 'ADMIN',
  audit: 'tables.create',
  params: newTable,
  answer: nothing,

  async run(input, { db, clock }: Call & { clock: Clock }) {
    const { table: name, compression, layout, retention, crypto_profile_guid, group_guid, schema_code } = input;
    if (await findTable(db, name)) throw duplicatedName(name);
    // No profile exists yet, so none can be named.
    if (crypto_profile_guid !== undefined) throw notFound('crypto profile', crypto_profile_guid);
    await requireGroup(db, group_guid);
    await requireSchema(db, schema_code);
    const now = clock.now().epochMilliseconds;
    await insertTable(db, {
      name,
      layout,
      compression,
      retention,
      group_guid: group_guid ?? null,
      schema_code: schema_code ?? null,
      ...EMPTY,
      search: searchable([name]),
      created_at: now,
      updated_at: now,
    });
    return {};
  },
});

const EMPTY = { columns: '[]', last_id: 0, journal_from: 1, sealed_rows: 0, sealed_bytes: 0 };
