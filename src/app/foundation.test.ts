import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { type Service, startService } from '#test/support/service.ts';
import { witnessIn } from '#test/support/tampering.ts';

describe('A start on an audit trail that was tampered with', () => {
  let service: Service;
  beforeEach(async () => {
    // The clock stands still, so that the verification in the background, which would count as well, does not begin.
    service = await startService({ clock: new ManualClock('2024-03-01T00:00:00Z') });
    for (const name of ['a', 'b']) await service.call('POST', '/api/core/companies', { form: { name } });
    await service.stop();
  });
  afterEach(() => service[Symbol.asyncDispose]());

  const tamper = (sql: string) => {
    const database = new DatabaseSync(join(service.config.data, 'metadata.db'));
    database.exec(sql);
    database.close();
  };
  const alarms = async () => {
    await service.restart();
    return /^vigil_audit_alarms_total (\d+)$/m.exec((await service.call('GET', '/metrics')).text)?.[1];
  };
  const proof = async () => (await service.call('GET', '/api/core/audit-logs/proof')).json;

  it('raises no alarm when nothing was changed', async () => {
    expect(await alarms()).toBe('0');
  });

  it('raises an alarm when the newest entry is not as the witness knows it', async () => {
    tamper("update audit_entries set hash = replace(hash, substr(hash, 1, 8), '00000000') where id = 3");
    expect(await alarms()).toBe('1');
  });

  it('raises an alarm when the tail was cut, and goes on writing', async () => {
    tamper('delete from audit_entries where id = 3; delete from audit_checkpoints');
    expect(await alarms()).toBe('1');
    expect((await service.call('POST', '/api/core/companies', { form: { name: 'c' } })).status).toBe(200);
  });

  it('raises an alarm when the witness is gone', async () => {
    rmSync(witnessIn(service.config.keys));
    expect(await alarms()).toBe('1');
  });

  it('does not build on a frontier that is nonsense, nor on a plausible one that is wrong', async () => {
    for (const frontier of ['nonsense', JSON.stringify(['a'.repeat(64), 'b'.repeat(64)])]) {
      tamper(`update audit_checkpoints set frontier = '${frontier}'`);
      await service.restart();
      await service.call('POST', '/api/core/companies', { form: { name: `with ${frontier.length}` } });
      await service.restart();
      const { checkpoints } = await proof();
      expect(new Set(checkpoints.map(({ root }: { root: string }) => root)).size).toBe(checkpoints.length);
      await service.stop();
    }
  });

  it('does not let the database choose where the witness is written', async () => {
    tamper("update installation set value = 'x/../../forged'");
    await expect(service.restart()).rejects.toMatchObject({ code: 'installation-not-guid' });
  });
});
