// Verification around a living service: beside it, after a restart on a log that was tampered with, and after kill -9.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { callerOf, makeHome, type VigilProcess } from '#test/support/process.ts';
import { databases, MASTER_KEY, type Service, startService } from '#test/support/service.ts';
import { named, type Statement, swapIds, Victim, verdictOn, writeLog } from '#test/support/tampering.ts';

/** Calls at the same time that leave one entry each; `done` is told of each answer. */
async function act({ call }: Pick<Service, 'call'>, times: number, done: () => void = () => {}): Promise<void> {
  const forms = Array.from({ length: times }, () => ({ name: newGuid() }));
  await Promise.all(forms.map((form) => call('POST', '/api/core/companies', { form }).then(done)));
}

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`A service on ${name}`, () => {
    let service: Service;
    beforeAll(async () => {
      service = await startService({ database: name });
    });
    afterAll(() => service[Symbol.asyncDispose]());

    it('can be verified while it writes', async () => {
      let isWriting = true;
      const writing = (async () => {
        while (isWriting) await act(service, 20);
      })();
      const verdicts = [];
      for (let round = 0; round < 5; round += 1) verdicts.push(await verdictOn(service.config));
      isWriting = false;
      await writing;
      expect(verdicts.map(named)).toEqual(Array(5).fill('nothing'));
    });

    describe('that is started on a log that was tampered with', () => {
      let victim: Victim;
      beforeAll(async () => {
        await writeLog(service);
        victim = await Victim.of(service.config);
      });
      afterAll(() => victim[Symbol.asyncDispose]());

      async function foundAfterRestart(statements: readonly Statement[], calls: number): Promise<string> {
        await victim.tamper(statements);
        await victim[Symbol.asyncDispose]();
        await service.restart();
        await act(service, calls);
        await service.stop();
        return await foundNow();
      }

      /** The newest entry is not the one that the witness holds: the service does not go on. */
      async function foundAfterRefusal(statements: readonly Statement[]): Promise<string> {
        await victim.tamper(statements);
        await victim[Symbol.asyncDispose]();
        await expect(service.restart()).rejects.toMatchObject({ code: 'audit-head-foreign' });
        return await foundNow();
      }

      async function foundNow(): Promise<string> {
        const verdict = await verdictOn(service.config);
        await victim.putBack();
        return named(verdict);
      }

      const rules: readonly { it: string; does(head: number): Statement[]; finds: string }[] = [
        {
          it: 'an edited entry',
          does: () => [["update audit_entries set method = 'x' where id = 80"]],
          finds: 'edited 80',
        },
        { it: 'a deleted entry', does: () => [['delete from audit_entries where id = 80']], finds: 'missing 80' },
        { it: 'two entries that changed places', does: () => swapIds(80, 90), finds: 'reordered 80' },
        { it: 'a removed checkpoint', does: () => [['delete from audit_checkpoints']], finds: 'bad-checkpoint' },
      ];
      for (const { it: what, does, finds } of rules) {
        it(`does not hide ${what}`, async () => {
          expect(await foundAfterRestart(does(victim.entries.length), 3)).toContain(finds);
        });
      }

      it('is refused, and does not hide an entry that was edited with all hashes made anew', async () => {
        expect(await foundAfterRefusal(victim.recompute(80))).toContain('recomputed 80');
      });

      it('is refused, and does not hide a last entry that was edited and hashed anew', async () => {
        const head = victim.entries.length;
        expect(await foundAfterRefusal(victim.recompute(head))).toBe(`recomputed ${head}`);
      });

      it('does not confirm entries that were added to the database directly', async () => {
        const head = victim.entries.length;
        await victim.tamper(victim.append(3));
        await victim[Symbol.asyncDispose]();
        await service.restart();
        await act(service, 5);
        await service.stop();
        expect(await verdictOn(service.config)).toMatchObject({
          ok: true,
          entries: head + 8,
          remarks: [{ remark: 'unwitnessed', count: 3, from: head + 1, to: head + 3 }],
        });
        await victim.putBack();
      });

      it('is refused, and does not hide a cut that left the checkpoints', async () => {
        const from = victim.entries.length - 2;
        expect(await foundAfterRefusal([['delete from audit_entries where id >= ?', from]])).toBe(`tail-cut ${from}`);
      });

      it('is refused, and does not hide a cut', async () => {
        const from = victim.entries.length - 20;
        const cut: Statement[] = [
          ['delete from audit_entries where id >= ?', from],
          ['delete from audit_checkpoints where id >= ?', from],
        ];
        expect(await foundAfterRefusal(cut)).toBe(`tail-cut ${from}`);
      });
    });

    it('that is killed while it writes leaves a log that is proven, again and again', async () => {
      using home = makeHome();
      const database =
        name === 'postgres' ? { database: await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`) } : {};
      const folders = { data: join(home.folder, 'data'), keys: join(home.folder, 'keys'), ...database };
      const variables = {
        VIGIL_MASTER_KEY: MASTER_KEY,
        ...(database.database ? { VIGIL_DATABASE: database.database } : {}),
      };
      let owed = 0;
      for (const answers of [20, 60]) {
        owed += await killAfter(answers, home.serve(variables));
        const verdict = await verdictOn(folders);
        expect(verdict).toMatchObject({ ok: true });
        expect(verdict.ok && verdict.entries).toBeGreaterThan(owed);
      }
    });
  });
}

/** Kills the process after so many answers, of more calls than that. Gives how many were answered. */
async function killAfter(answers: number, { ready, child, exited }: VigilProcess): Promise<number> {
  const caller = callerOf(await ready());
  let answered = 0;
  const noteAnswer = () => {
    answered += 1;
    if (answered === answers) child.kill('SIGKILL');
  };
  await act(caller, 4 * answers, noteAnswer).catch(() => undefined);
  await exited();
  return answered;
}
