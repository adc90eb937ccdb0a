import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { type Service, startService } from '#test/support/service.ts';
import { witnessIn } from '#test/support/tampering.ts';
import { openFoundation } from './foundation.ts';
import { renewAudit } from './renew-audit.ts';

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

  const headForeign = () => ({
    code: 'audit-head-foreign',
    values: { id: '3', file: witnessIn(service.config.keys) },
  });

  it('is refused when the newest entry is not as the witness knows it', async () => {
    tamper("update audit_entries set hash = replace(hash, substr(hash, 1, 8), '00000000') where id = 3");
    await expect(service.restart()).rejects.toMatchObject(headForeign());
  });

  it('is refused when the tail was cut, until the witness is moved away and the key is renewed', async () => {
    tamper('delete from audit_entries where id = 3; delete from audit_checkpoints');
    await expect(service.restart()).rejects.toMatchObject(headForeign());
    const witness = witnessIn(service.config.keys);
    renameSync(witness, `${witness}.aside`);
    await renewAudit(service.config, systemClock);
    expect(await alarms()).toBe('0');
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

describe('A copy of a data folder with the keys of its original', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startService();
    await service.call('POST', '/api/core/companies', { form: { name: 'a' } });
    await service.stop();
    cpSync(service.config.data, copy(), { recursive: true });
  });
  afterEach(() => service[Symbol.asyncDispose]());

  const copy = () => `${service.config.data}-copy`;
  const observer = { groupCommitted: () => undefined, storeFailed: () => undefined };
  const openCopy = () => openFoundation({ ...service.config, data: copy() }, { clock: systemClock, observer });

  it('does not start beside it', async () => {
    await service.restart();
    const file = witnessIn(service.config.keys);
    await expect(openCopy()).rejects.toMatchObject({ code: 'witness-in-use', values: { file } });
    await service.stop();
  });

  it('does not start once the original has gone on, and the original does not once the copy has', async () => {
    await service.restart();
    await service.call('POST', '/api/core/companies', { form: { name: 'b' } });
    await service.stop();
    await expect(openCopy()).rejects.toMatchObject({ code: 'audit-head-foreign' });
    const witness = witnessIn(service.config.keys);
    rmSync(copy(), { recursive: true });
    cpSync(service.config.data, copy(), { recursive: true });
    const opened = await openCopy();
    await opened.trail.change(
      async () => undefined,
      () => ({ user_name: '-', remote_ip: '127.0.0.1', module: 'tables', method: 'drop' }),
    );
    await opened.close();
    await expect(service.restart()).rejects.toMatchObject({ code: 'audit-head-foreign', values: { file: witness } });
  });
});
