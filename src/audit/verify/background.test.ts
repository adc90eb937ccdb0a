// The verification that follows a start: what was changed in the middle of the trail while the service was stopped is counted
// and named.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CapturedLog } from '#test/support/captured-log.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { databases, type Service, startService } from '#test/support/service.ts';
import { type Statement, Victim, writeLog } from '#test/support/tampering.ts';

const CASES: readonly { it: string; does(): Statement[]; logs: string }[] = [
  {
    it: 'an edited entry in the middle',
    does: () => [["update audit_entries set user_name = 'somebody else' where id = 40"]],
    logs: 'audit entry 40 does not verify (edited, altered): run vigil audit verify',
  },
  {
    it: 'a removed entry in the middle',
    does: () => [['delete from audit_entries where id = 41']],
    logs: 'audit entry 41 does not verify (missing, gap): run vigil audit verify',
  },
];

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`After a start on ${name}`, () => {
    const log = new CapturedLog();
    const clock = new ManualClock('2024-03-01T00:00:00Z');
    let service: Service;
    let victim: Victim;
    beforeAll(async () => {
      service = await startService({ database: name, clock, log });
      await writeLog(service);
      victim = await Victim.of(service.config);
      await victim[Symbol.asyncDispose]();
    });
    afterAll(() => service[Symbol.asyncDispose]());

    const alarms = async () =>
      Number(/^vigil_audit_alarms_total (\d+)$/m.exec((await service.call('GET', '/metrics')).text)?.[1]);
    const messages = () => log.errors.map(({ message }) => message);

    it.each(CASES)('$it is counted and named in the log', async ({ does, logs }) => {
      log.errors.length = 0;
      await victim.tamper(does());
      await victim[Symbol.asyncDispose]();
      await service.restart();
      const atStart = await alarms();
      expect(messages()).not.toContain(logs);
      clock.advance({ seconds: 1 });
      await expect.poll(alarms).toBe(atStart + 1);
      expect(messages()).toContain(logs);
      await service.stop();
      await victim.putBack();
      await victim[Symbol.asyncDispose]();
    });

    it('a recomputed tail is refused at once: the newest entry is not the one that the witness holds', async () => {
      await victim.tamper(victim.recompute(42));
      await victim[Symbol.asyncDispose]();
      await expect(service.restart()).rejects.toMatchObject({ code: 'audit-head-foreign' });
      await victim.putBack();
      await victim[Symbol.asyncDispose]();
    });

    it('a trail that is as it was raises no alarm, and a stop does not wait for it', async () => {
      log.errors.length = 0;
      await service.restart();
      clock.advance({ seconds: 1 });
      await service.stop();
      expect(messages()).toEqual([]);
    });
  });
}
