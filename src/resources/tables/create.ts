// POST /tables

import { duplicatedName } from '#contract/errors.ts';
import type { SilentSources } from '#detection/alarms/silent-sources.ts';
import { newTableRow } from '#ingest/pushes/new-table.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { LogStore } from '#logs/log-store.ts';
import { requireAlarmGroup } from '#objects/expectations.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import type { Vault } from '#vault/vault.ts';
import { newTable } from './params.ts';
import { requireGroup, requireProfile, requireSchema } from './rules.ts';
import { findTable } from './store.ts';

export const create = endpoint({
  title: 'Create table',
  notes:
    'Compression, layout and encryption cannot be changed afterwards. A retention of 0 keeps everything. A crypto ' +
    'profile without encryption authenticates stored data: corruption is found and named. Without a profile, ' +
    'corruption of a journal is found, of a segment only if it is missing, cut off or no Parquet file.\n\n' +
    'Encrypted tables need Linux, a memory folder on tmpfs (500 `memory-folder is not usable`) and memory for the ' +
    'segments that one query reads (500 `no memory left: <table>`). Without the profile’s key, operations that ' +
    'need records are 500 `table is closed: <table>`, and a new table is 500 `crypto profile is closed: <guid>`; ' +
    'listing, changing and dropping work.',
  method: 'POST',
  path: '/api/core/tables',
  access: 'ADMIN',
  audit: 'tables.create',
  params: newTable,
  answer: nothing,

  async run(input, { db, clock, engine, vault, silentSources, afterCommit }: Call & Needs) {
    const { table: name, compression, layout, retention, encryption, group_guid, schema_code } = input;
    if (await findTable(db, name)) throw duplicatedName(name);
    await requireProfile(db, vault, input.crypto_profile_guid);
    if (encryption) engine.requireMemoryFolder();
    await requireGroup(db, group_guid);
    await requireSchema(db, schema_code);
    await requireAlarmGroup(db, input.alarm_group_guid);
    const row = newTableRow(name, clock.now().epochMilliseconds, {
      layout,
      compression,
      retention,
      group_guid: group_guid ?? null,
      schema_code: schema_code ?? null,
      crypto_profile_guid: input.crypto_profile_guid ?? null,
      encrypted: encryption ? 1 : 0,
      expect_every: input.expect_every,
      alarm_group_guid: input.alarm_group_guid ?? null,
    });
    await engine.insertTable(db, row);
    if (input.expect_every > 0) afterCommit(() => silentSources.changed());
    return {};
  },
});

interface Needs {
  readonly clock: Clock;
  readonly engine: LogStore;
  readonly vault: Vault;
  readonly silentSources: SilentSources;
}
