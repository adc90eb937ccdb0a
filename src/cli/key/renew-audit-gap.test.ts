// What a renewal of the audit key leaves unproven: entries that no checkpoint of the older key and no line of a witness from
// before the renewal covers. They are reported, and nothing else is hidden by them.

import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSigningKey } from '#audit/chain/keys.ts';
import { newGuid } from '#kernel/guid.ts';
import { publicKeyText } from '#kernel/public-key.ts';
import { CapturedLog } from '#test/support/captured-log.ts';
import { runCli } from '#test/support/cli.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { callerOf, makeHome } from '#test/support/process.ts';
import { databases, MASTER_KEY, type Service, startService } from '#test/support/service.ts';
import { findingAfter, named, type Statement, Victim, verdictOn, witnessIn } from '#test/support/tampering.ts';

const KEY = 'audit-signing-key.pem';

type Caller = Pick<Service, 'call'>;
type Folders = Pick<Service['config'], 'data' | 'keys' | 'database'>;

const flagsOf = ({ data, keys, database }: Folders): string[] => [
  `--data=${data}`,
  `--keys=${keys}`,
  ...(database === undefined ? [] : [`--database=${database}`]),
];
const renew = async (folders: Folders) => (await runCli(['key', 'renew-audit', ...flagsOf(folders)])).exitCode;
const verify = (folders: Folders, flags: readonly string[] = [], environment = {}) =>
  runCli(['audit', 'verify', ...flagsOf(folders), ...flags], { environment });
const verdict = async (folders: Folders, ...flags: string[]) => {
  const { exitCode, stdout } = await verify(folders, ['--json', ...flags]);
  return { exitCode, ...JSON.parse(stdout) };
};

async function act({ call }: Caller, ...names: string[]): Promise<void> {
  for (const name of names) await call('POST', '/api/core/companies', { form: { name } });
}

function loseBoth(keys: string): void {
  for (const name of readdirSync(keys)) if (name.startsWith('audit-')) rmSync(join(keys, name));
}

async function tamper(folders: Folders, ...statements: Statement[]): Promise<void> {
  await using victim = await Victim.of(folders);
  await victim.tamper(statements);
}

/** A stopped service as a crash would have left it: the last checkpoint was never signed. */
async function stopUnsigned(service: Service): Promise<void> {
  await service.stop();
  await tamper(service.config, ['delete from audit_checkpoints where id = (select max(id) from audit_checkpoints)']);
  const witness = witnessIn(service.config.keys);
  const lines = readFileSync(witness, 'utf8').trimEnd().split('\n');
  expect(lines.at(-1)).toContain('"checkpoint"');
  writeFileSync(
    witness,
    lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

const GAP = { exitCode: 1, ok: false, kind: 'unwitnessed', reason: 'before-renewal' };

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`After a renewal of the audit key on ${name}`, () => {
    const log = new CapturedLog();
    const clock = new ManualClock('2024-03-01T00:00:00Z');
    let service: Service;
    /** Entries 1 to 3 are signed for, 4 to 8 are not. */
    beforeEach(async () => {
      log.errors.length = 0;
      service = await startService({ database: name, clock, log });
      await act(service, 'a', 'b');
      await service.restart();
      await act(service, 'c', 'd', 'e', 'f', 'g');
      await stopUnsigned(service);
    });
    afterEach(() => service[Symbol.asyncDispose]());

    const removeTail: Statement = ['delete from audit_entries where id >= 7'];

    it('entries without evidence are named in both languages', async () => {
      const { config } = service;
      await tamper(config, removeTail);
      loseBoth(config.keys);
      expect(await renew(config)).toBe(0);
      const english = await verify(config);
      expect(english.exitCode).toBe(1);
      expect(english.stdout).toMatch(
        /^NOT PROVEN\. Not covered: entries 4 to 6\nNothing contradicts the log, and all /,
      );
      expect(english.stdout).toContain('the renewal of the audit key (entry 7) covers entries 4–6');
      const korean = await verify(config, [], { LANG: 'ko_KR.UTF-8' });
      expect(korean.exitCode).toBe(1);
      expect(korean.stdout).toMatch(/^증명되지 않음\. 보증 없음: 기록 4부터 6까지\n.*7번.*4–6번/);
      const gaps = [{ from: 4, to: 6, renewal: 7 }];
      expect(await verdict(config)).toMatchObject({ ...GAP, first_bad_id: 4, last_bad_id: 6, gaps });
    });

    it('the gap stays the same while the trail goes on, and a second one is told of beside it', async () => {
      const { config } = service;
      loseBoth(config.keys);
      expect(await renew(config)).toBe(0);
      await service.restart();
      await act(service, 'h');
      await service.restart();
      await act(service, 'i', 'j');
      await stopUnsigned(service);
      expect(await verdict(config)).toMatchObject({ ...GAP, first_bad_id: 4, last_bad_id: 8 });
      loseBoth(config.keys);
      expect(await renew(config)).toBe(0);
      const gaps = [
        { from: 4, to: 8, renewal: 9 },
        { from: 11, to: 12, renewal: 13 },
      ];
      expect(await verdict(config)).toMatchObject({ ...GAP, first_bad_id: 4, last_bad_id: 8, gaps });
    });

    it('an export with its proof has the same gap, and without a proof no signature at all for what is before', async () => {
      const { config } = service;
      await tamper(config, removeTail);
      loseBoth(config.keys);
      expect(await renew(config)).toBe(0);
      await service.restart();
      await act(service, 'h');
      const proof = join(config.data, 'proof.json');
      const file = join(config.data, 'export.ndjson');
      writeFileSync(proof, (await service.call('GET', '/api/core/audit-logs/proof')).text);
      writeFileSync(file, (await service.call('GET', '/api/core/audit-logs/export')).text);
      const gaps = [{ from: 4, to: 6, renewal: 7 }];
      const given = [`--export=${file}`, `--proof=${proof}`];
      expect(await verdict(config, ...given)).toMatchObject({ ...GAP, gaps });
      expect((await verify(config, given)).stdout).not.toContain('--proof');
      const publicKey = `--public-key=${publicKeyText(openSigningKey(config.keys))}`;
      const outside = await runCli(['audit', 'verify', '--json', publicKey, ...given]);
      expect({ exitCode: outside.exitCode, ...JSON.parse(outside.stdout) }).toMatchObject({ ...GAP, gaps });
      const bare = await verify(config, [`--export=${file}`]);
      expect(bare.stdout).toMatch(/^NOT PROVEN\. Not covered: entries 1 to 6\n/);
      expect(bare.stdout).toContain('--proof');
    });

    it('a witness that survived proves what it saw', async () => {
      const { config } = service;
      rmSync(join(config.keys, KEY));
      expect(await renew(config)).toBe(0);
      expect(await verdict(config)).toMatchObject({ exitCode: 0, ok: true, entries: 9 });
    });

    it('a witness that survived tells of removed entries', async () => {
      const { config } = service;
      await tamper(config, removeTail);
      rmSync(join(config.keys, KEY));
      expect(await renew(config)).toBe(0);
      expect(await verdict(config)).toMatchObject({ exitCode: 1, kind: 'tail-cut', first_bad_id: 7 });
    });

    it('a copy of the lost witness proves what it saw, and tells of removed entries', async () => {
      const { config } = service;
      const copy = join(config.data, 'copy.log');
      copyFileSync(witnessIn(config.keys), copy);
      rmSync(witnessIn(config.keys));
      expect(await renew(config)).toBe(0);
      expect(await verdict(config)).toMatchObject({ ...GAP, first_bad_id: 4, last_bad_id: 8 });
      const both = `--witness=${copy},${witnessIn(config.keys)}`;
      expect(await verdict(config, both)).toMatchObject({ exitCode: 0, ok: true, entries: 9 });
      await tamper(config, ['delete from audit_entries where id >= 7']);
      expect(await verdict(config, both)).toMatchObject({ exitCode: 1, kind: 'tail-cut', first_bad_id: 7 });
    });

    it('a proof that was saved before covers its own entries', async () => {
      const { config } = service;
      await service.restart();
      const proof = join(config.data, 'proof.json');
      writeFileSync(proof, (await service.call('GET', '/api/core/audit-logs/proof')).text);
      await act(service, 'h');
      await stopUnsigned(service);
      loseBoth(config.keys);
      expect(await renew(config)).toBe(0);
      expect(await verdict(config)).toMatchObject({ ...GAP, gaps: [{ from: 4, to: 10, renewal: 11 }] });
      expect(await verdict(config, `--proof=${proof}`)).toMatchObject({
        ...GAP,
        gaps: [{ from: 9, to: 10, renewal: 11 }],
      });
    });

    it('a witness that was begun anew covers its own lines only', async () => {
      const { config } = service;
      rmSync(witnessIn(config.keys));
      await service.restart();
      await act(service, 'h', 'i');
      await stopUnsigned(service);
      expect(await renew(config)).toBe(0);
      expect(await verdict(config)).toMatchObject({ ...GAP, gaps: [{ from: 4, to: 8, renewal: 11 }] });
    });

    it('checkpoints of a key that nobody knows any more vouch for nothing', async () => {
      const { config } = service;
      await tamper(config, ["delete from installation where key = 'audit-key'"]);
      loseBoth(config.keys);
      expect(await renew(config)).toBe(0);
      expect(await verdict(config)).toMatchObject({ ...GAP, gaps: [{ from: 1, to: 8, renewal: 9 }] });
    });

    it('faults are found before the gap, in it and after it', async () => {
      const { config } = service;
      loseBoth(config.keys);
      expect(await renew(config)).toBe(0);
      await service.restart();
      await act(service, 'h', 'i');
      await service.stop();
      await using victim = await Victim.of(config);
      const edit = (id: number): Statement => ['update audit_entries set user_name = ? where id = ?', 'x', id];
      const remove = (id: number): Statement => ['delete from audit_entries where id = ?', id];
      for (const id of [2, 5, 9, 10]) {
        expect(await findingAfter([edit(id)], victim)).toBe(`edited ${id}`);
        expect(await findingAfter([remove(id)], victim)).toBe(`missing ${id}`);
      }
      expect(await findingAfter([remove(11)], victim)).toBe('tail-cut 11');
      expect(await findingAfter(victim.recompute(2), victim)).toMatch(/^(recomputed|bad-checkpoint) /);
      expect(await findingAfter(victim.recompute(5), victim)).toMatch(/^recomputed /);
      expect(await findingAfter(victim.recompute(10), victim)).toMatch(/^recomputed 10/);
      // The renewal names the newest checkpoint that was there, so that the gap cannot be made wider afterwards.
      expect(await findingAfter([['delete from audit_checkpoints where id = 3']], victim)).toBe('bad-checkpoint 3');
      expect(named(await verdictOn(config))).toBe('unwitnessed 4-8');
    });

    it('no start raises an alarm for the gap, and every one does for a fault', async () => {
      const { config } = service;
      loseBoth(config.keys);
      expect(await renew(config)).toBe(0);
      const alarms = async () =>
        Number(/^vigil_audit_alarms_total (\d+)$/m.exec((await service.call('GET', '/metrics')).text)?.[1]);
      using heard = vi.spyOn(Worker.prototype, 'emit');
      const isGapHeard = () =>
        heard.mock.calls.some(([event, said]) => event === 'message' && said.answer?.reason === GAP.reason);
      for (let start = 0; start < 2; start += 1) {
        await service.restart();
        heard.mockClear();
        clock.advance({ seconds: 1 });
        await expect.poll(isGapHeard).toBe(true);
        expect(await alarms()).toBe(0);
        await service.stop();
      }
      expect(log.errors).toEqual([]);
      await tamper(config, ["update audit_entries set user_name = 'x' where id = 2"]);
      await service.restart();
      clock.advance({ seconds: 1 });
      await expect.poll(alarms).toBe(1);
    });

    it('a process that was killed leaves a gap from its last checkpoint on', async () => {
      using home = makeHome();
      const database =
        name === 'postgres' ? { database: await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`) } : {};
      const folders = { data: join(home.folder, 'data'), keys: join(home.folder, 'keys'), ...database };
      const variables = {
        VIGIL_MASTER_KEY: MASTER_KEY,
        ...(database.database ? { VIGIL_DATABASE: database.database } : {}),
      };
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        const { ready, child, exited } = home.serve(variables);
        await act(callerOf(await ready()), `${signal} 1`, `${signal} 2`, `${signal} 3`);
        child.kill(signal);
        await exited();
      }
      await tamper(folders, ['delete from audit_entries where id >= 7']);
      loseBoth(folders.keys);
      expect(await renew(folders)).toBe(0);
      expect(await verdict(folders)).toMatchObject({ ...GAP, gaps: [{ from: 5, to: 6, renewal: 7 }] });
    });
  });
}
