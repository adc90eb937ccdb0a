// POST /tables

import { duplicatedName } from '#contract/errors.ts';
import { NO_COLUMNS } from '#engines/duckdb/storage/catalog.ts';
import type { LogEngine } from '#engines/engine.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { nothing } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchable } from '#kernel/folded.ts';
import type { Vault } from '#vault/vault.ts';
import { newTable } from './params.ts';
import { requireGroup, requireProfile, requireSchema } from './rules.ts';
import { findTable, insertTable } from './store.ts';

export const create = endpoint({
  title: 'Create table',
  notes:
    'Compression, layout and encryption cannot be changed afterwards. A retention of 0 keeps everything. A crypto ' +
    'profile without encryption checks what is read: damage is found and named.',
  method: 'POST',
  path: '/api/core/tables',
  access: 'ADMIN',
  audit: 'tables.create',
  params: newTable,
  answer: nothing,

  async run(input, { db, clock, engine, vault }: Call & Needs) {
    const { table: name, compression, layout, retention, encryption, group_guid, schema_code } = input;
    if (await findTable(db, name)) throw duplicatedName(name);
    await requireProfile(db, vault, input.crypto_profile_guid);
    if (encryption) engine.requireMemoryFolder();
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
      crypto_profile_guid: input.crypto_profile_guid ?? null,
      encrypted: encryption ? 1 : 0,
      ...EMPTY,
      search: searchable([name]),
      created_at: now,
      updated_at: now,
    });
    return {};
  },
});

interface Needs {
  readonly clock: Clock;
  readonly engine: LogEngine;
  readonly vault: Vault;
}

const EMPTY = { columns: NO_COLUMNS, last_id: 0, journal_from: 1, sealed_rows: 0, sealed_bytes: 0 };
