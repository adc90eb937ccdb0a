import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSigningKey, openSigningKey } from '#audit/chain/keys.ts';
import { runCli } from '#test/support/cli.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { createCompanies, foldersOf, RENEW, renew, SIGNING_KEY_FILE, verify } from '#test/support/renewed-audit.ts';
import { databases, type Service, startService } from '#test/support/service.ts';
import { findingAfter, Victim, witnessIn } from '#test/support/tampering.ts';

const ENTRY = '/api/core/audit-logs?actions=service.renew-audit';

const keysIn = ({ config: { keys } }: Service) =>
  Object.fromEntries(
    readdirSync(keys)
      .toSorted()
      .map((name) => [name, readFileSync(join(keys, name), 'hex')]),
  );

const LOSSES: readonly { it: string; lose(keys: string): void; keepsWitness?: true }[] = [
  { it: 'the audit key', lose: (keys) => rmSync(join(keys, SIGNING_KEY_FILE)), keepsWitness: true },
  { it: 'the witness', lose: (keys) => rmSync(witnessIn(keys)) },
  { it: 'both', lose: removeBoth },
  { it: 'the audit key to another one', lose: replaceKey, keepsWitness: true },
  { it: 'lines of the witness', lose: (keys) => damage(witnessIn(keys)) },
];

function removeBoth(keys: string): void {
  for (const name of readdirSync(keys)) if (name.startsWith('audit-')) rmSync(join(keys, name));
}

function replaceKey(keys: string): void {
  rmSync(join(keys, SIGNING_KEY_FILE));
  makeSigningKey(join(keys, SIGNING_KEY_FILE));
}

function damage(file: string): void {
  const [first = '', ...lines] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [first, '{"damaged', ...lines].join('\n'));
}

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`vigil key renew-audit on ${name}`, () => {
    let service: Service;
    beforeEach(async () => {
      service = await startService({ database: name, clock: new ManualClock('2024-03-01T00:00:00Z') });
      await createCompanies(service, 'a', 'b');
      await service.restart();
      await createCompanies(service, 'c');
      await service.stop();
    });
    afterEach(() => service[Symbol.asyncDispose]());

    it.each(LOSSES)('goes on with the trail of an installation that has lost $it', async ({ lose, keepsWitness }) => {
      const { keys } = service.config;
      lose(keys);
      const { exitCode, stdout, stderr } = await renew(service);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(/^The audit trail continues with the key [0-9a-f]{32}\. Entry 5 records the renewal\.\n$/);
      const renewed = { remark: 'renewed', id: 5, key: expect.stringMatching(/^[0-9a-f]{32}$/) };
      const endUnwitnessed = { remark: 'end-unwitnessed', id: 5, last: 4 };
      const proven = {
        exitCode: 0,
        ok: true,
        entries: 5,
        remarks: keepsWitness ? [renewed] : [renewed, endUnwitnessed],
      };
      expect(await verify(service)).toMatchObject(proven);
      expect(readdirSync(keys).filter((file) => file.startsWith(SIGNING_KEY_FILE))).toEqual([SIGNING_KEY_FILE]);
      await service.restart();
      await createCompanies(service, 'd');
      const [english] = (await service.call('GET', `${ENTRY}&locale=en`)).json.audit_logs;
      expect(english).toMatchObject({ id: 5, category: 'Service', action: 'Renew audit key', result: 'Success' });
      await service.restart();
      expect(await verify(service)).toMatchObject({ ...proven, entries: 6 });
      const file = join(service.config.data, 'export.ndjson');
      const proof = join(service.config.data, 'proof.json');
      writeFileSync(proof, (await service.call('GET', '/api/core/audit-logs/proof')).text);
      writeFileSync(file, (await service.call('GET', '/api/core/audit-logs/export')).text);
      const remarks = [...proven.remarks, { remark: 'goes-on', to: 8 }];
      const exported = { exitCode: 0, ok: true, entries: 7, remarks };
      expect(await verify(service, `--export=${file}`, `--proof=${proof}`)).toMatchObject(exported);
      // The older checkpoints are in the database, and the new witness does not know them.
      const bare = { exitCode: 1, reason: 'before-renewal', gaps: [{ from: 1, to: 4, renewal: 5 }] };
      expect(await verify(service, `--export=${file}`)).toMatchObject(keepsWitness ? exported : bare);
    });

    it('may be needed more than once', async () => {
      for (const id of [5, 6]) {
        rmSync(join(service.config.keys, SIGNING_KEY_FILE));
        rmSync(witnessIn(service.config.keys));
        expect((await renew(service)).exitCode).toBe(0);
        expect(await verify(service)).toMatchObject({ ok: true, entries: id });
      }
    });

    it('mends a witness that a start has begun anew', async () => {
      rmSync(witnessIn(service.config.keys));
      await service.restart();
      await service.stop();
      expect(await verify(service)).toMatchObject({ exitCode: 1, reason: 'witness-begins-late' });
      expect((await renew(service)).exitCode).toBe(0);
      expect(await verify(service)).toMatchObject({ exitCode: 0, ok: true });
    });

    it('does not hide what is changed before it or after it', async () => {
      rmSync(join(service.config.keys, SIGNING_KEY_FILE));
      rmSync(witnessIn(service.config.keys));
      await renew(service);
      await service.restart();
      await createCompanies(service, 'd', 'e');
      await service.stop();
      await using victim = await Victim.of(service.config);
      const edit = (id: number) => ['update audit_entries set user_name = ? where id = ?', 'x', id] as const;
      expect(await findingAfter([edit(2)], victim)).toBe('edited 2');
      expect(await findingAfter([edit(5)], victim)).toBe('edited 5');
      expect(await findingAfter([edit(6)], victim)).toBe('edited 6');
      // Beside the new key, the new witness and the old signatures nothing of the old trail can be made anew.
      expect(await findingAfter(victim.recompute(2), victim)).toMatch(/^(recomputed|bad-checkpoint) /);
      expect(await findingAfter(victim.recompute(6), victim)).toMatch(/^recomputed 6/);
      expect(await findingAfter([['delete from audit_entries where id = 7']], victim)).toBe('tail-cut 7');
    });

    it('cannot be made up by somebody who writes to the database alone', async () => {
      await using victim = await Victim.of(service.config);
      const forged = victim.renewal({ new_public_key: 'x', witness: 'lost' });
      expect(await findingAfter([forged], victim)).toBe('bad-checkpoint 5');
    });

    it('changes nothing where nothing was lost, while the service runs, and where the trail cannot be written', async () => {
      const before = keysIn(service);
      const needless = await renew(service);
      expect(needless.exitCode).toBe(1);
      expect(needless.stderr).toContain('neither the audit key nor the witness is missing');
      await service.restart();
      const running = await renew(service);
      expect(running.exitCode).toBe(1);
      expect(running.stderr).toContain('is in use by another Vigil process');
      await service.stop();
      const { keys } = service.config;
      expect(keysIn(service)[SIGNING_KEY_FILE]).toBe(before[SIGNING_KEY_FILE]);
      rmSync(join(keys, SIGNING_KEY_FILE));
      const lost = keysIn(service);
      {
        await using victim = await Victim.of(service.config);
        await victim.tamper([['alter table audit_texts rename to audit_texts_away']]);
      }
      expect((await renew(service)).exitCode).toBe(1);
      expect(Object.keys(keysIn(service))).toEqual(Object.keys(lost));
      expect(existsSync(join(keys, SIGNING_KEY_FILE))).toBe(false);
      {
        await using victim = await Victim.of(service.config);
        await victim.tamper([['alter table audit_texts_away rename to audit_texts']]);
      }
      expect((await renew(service)).exitCode).toBe(0);
    });
  });
}

describe('vigil key renew-audit', () => {
  it('leaves the key of other installations that share the keys folder', async () => {
    await using one = await startService();
    await using other = await startService({ flags: { keys: one.config.keys } });
    await one.stop();
    await other.stop();
    const key = openSigningKey(one.config.keys);
    const [witness = ''] = readdirSync(one.config.keys).filter((name) => name.startsWith('audit-witness-'));
    rmSync(join(one.config.keys, witness));
    const outcomes = [(await renew(one)).exitCode, (await renew(other)).exitCode];
    expect(outcomes.toSorted()).toEqual([0, 1]);
    expect(openSigningKey(one.config.keys).equals(key)).toBe(true);
    await one.restart();
    await other.restart();
  });

  it('speaks Korean', async () => {
    await using service = await startService();
    await service.stop();
    appendFileSync(witnessIn(service.config.keys), '{"damaged\n');
    const { stdout } = await runCli([...RENEW, ...foldersOf(service)], { environment: { LANG: 'ko_KR.UTF-8' } });
    expect(stdout).toMatch(/^감사 기록은 이제 새 키로 이어집니다: [0-9a-f]{32}\. 갱신은 기록 2번에 남겼습니다\.\n$/);
    await service.restart();
    const { json } = await service.call('GET', `${ENTRY}&locale=ko`);
    expect(json.audit_logs[0]).toMatchObject({ category: '서비스', action: '감사 키 갱신' });
  });
});
