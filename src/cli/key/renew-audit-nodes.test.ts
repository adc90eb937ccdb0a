// The key of a node among several, whose logs are on ClickHouse.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type ClickhouseServer, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { createCompanies, renew, SIGNING_KEY_FILE, verify } from '#test/support/renewed-audit.ts';
import { type Service, startService } from '#test/support/service.ts';
import { findingAfter, Victim, witnessIn } from '#test/support/tampering.ts';

describe.skipIf(inject('clickhouse').reason || inject('postgresReason'))('vigil key renew-audit of a node', () => {
  let server: ClickhouseServer;
  let service: Service;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    const flags = { logs: logsUrl([server], await server.createDatabase()) };
    service = await startService({ database: 'postgres', flags, clock: new ManualClock('2024-03-01T00:00:00Z') });
    await createCompanies(service, 'a', 'b', 'c');
    await service.stop();
  });
  afterEach(() => service[Symbol.asyncDispose]());

  it('says what stays unproven, as where one key signs for all', async () => {
    rmSync(join(service.config.keys, SIGNING_KEY_FILE));
    rmSync(witnessIn(service.config.keys));
    const { exitCode, stdout } = await renew(service);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('Entry 6 records') });
    const remarks = [
      { remark: 'renewed', id: 6 },
      { remark: 'end-unwitnessed', id: 6, last: 4 },
    ];
    expect(await verify(service)).toMatchObject({ exitCode: 0, ok: true, entries: 6, remarks });
    await service.restart();
    const file = join(service.config.data, 'export.ndjson');
    writeFileSync(file, (await service.call('GET', '/api/core/audit-logs/export')).text);
    await service.stop();
    const bare = { exitCode: 1, reason: 'before-renewal', gaps: [{ from: 1, to: 4, renewal: 6 }] };
    expect(await verify(service, `--export=${file}`)).toMatchObject(bare);
    await using victim = await Victim.of(service.config);
    // The entry of the renewal names this checkpoint.
    expect(await findingAfter([['delete from audit_checkpoints where id = 4']], victim)).toBe('bad-checkpoint 4');
  });

  it('leaves nothing of the new key where its entry cannot be written', async () => {
    rmSync(join(service.config.keys, SIGNING_KEY_FILE));
    const state = async () => {
      const client = new pg.Client({ connectionString: service.config.database });
      await client.connect();
      const counts = `(select count(*) from audit_entries) as entries, (select count(*) from audit_checkpoints) as checkpoints`;
      const { rows } = await client.query(`select public_key, ${counts} from nodes`);
      await client.end();
      return rows;
    };
    const before = await state();
    const refused = 'alter table installation add constraint kept check (length(value) < 1) not valid';
    await using victim = await Victim.of(service.config);
    await victim.tamper([[refused]]);
    expect((await renew(service)).exitCode).toBe(1);
    expect(await state()).toEqual(before);
    await victim.tamper([['alter table installation drop constraint kept']]);
    expect((await renew(service)).exitCode).toBe(0);
    expect(await verify(service)).toMatchObject({ exitCode: 0, ok: true, remarks: [{ remark: 'renewed', id: 6 }] });
  });
});
