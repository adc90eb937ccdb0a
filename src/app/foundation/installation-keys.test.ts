// Starts with keys that are not those of the installation.

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSigningKey, openSigningKey } from '#audit/chain/keys.ts';
import { publicKeyText } from '#kernel/public-key.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { databases, type Service, startService } from '#test/support/service.ts';
import { inStore } from '#test/support/stopped-store.ts';

const SECRET = 'master-secret';
const KEY = 'audit-signing-key.pem';

const REFUSED: readonly { it: string; spoil(keys: string): void; code: string }[] = [
  { it: 'no audit key in its file', spoil: (keys) => writeFileSync(join(keys, KEY), 'x'), code: 'audit-key-foreign' },
  { it: 'no master secret', spoil: (keys) => rmSync(join(keys, SECRET)), code: 'master-secret-foreign' },
  {
    it: 'another master secret',
    spoil: (keys) => writeFileSync(join(keys, SECRET), Buffer.alloc(32, 7)),
    code: 'master-secret-foreign',
  },
  { it: 'no audit key', spoil: (keys) => rmSync(join(keys, KEY)), code: 'audit-key-foreign' },
  { it: 'another audit key', spoil: replaceKey, code: 'audit-key-foreign' },
  { it: 'an empty keys folder', spoil: (keys) => emptied(keys), code: 'master-secret-foreign' },
];

function replaceKey(keys: string): void {
  rmSync(join(keys, KEY));
  makeSigningKey(join(keys, KEY));
}

function emptied(keys: string): void {
  rmSync(keys, { recursive: true });
  mkdirSync(keys, { mode: 0o700 });
}

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`A start on ${name} is refused`, () => {
    let service: Service;
    beforeEach(async () => {
      service = await startService({ database: name, clock: new ManualClock('2024-03-01T00:00:00Z') });
      await service.stop();
    });
    afterEach(() => service[Symbol.asyncDispose]());

    const recorded = () =>
      inStore({ service }, async (db) => {
        const rows = await db.selectFrom('installation').selectAll().execute();
        return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
      });

    it.each(REFUSED)('with $it, and changes nothing', async ({ spoil, code }) => {
      const before = await recorded();
      expect(before).toMatchObject({ [SECRET]: expect.stringMatching(/^[0-9a-f]{32}$/) });
      expect(before['audit-key']).toBe(publicKeyText(openSigningKey(service.config.keys)));
      spoil(service.config.keys);
      const file = join(service.config.keys, code === 'audit-key-foreign' ? KEY : SECRET);
      const values = { fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/), file };
      await expect(service.restart()).rejects.toMatchObject({ code, values });
      expect(await recorded()).toEqual(before);
    });

    it('with the keys of another installation, and not with its own wherever they are', async () => {
      const { keys } = service.config;
      await using other = await startService();
      await other.stop();
      renameSync(keys, `${keys}-aside`);
      renameSync(other.config.keys, keys);
      await expect(service.restart()).rejects.toMatchObject({ code: 'master-secret-foreign' });
      rmSync(keys, { recursive: true });
      renameSync(`${keys}-aside`, keys);
      await service.restart();
    });

    it('from the first start on that knows its keys: a database of an older version learns them', async () => {
      const before = await recorded();
      await inStore({ service }, (db) => db.deleteFrom('installation').where('key', '!=', 'guid').execute());
      rmSync(join(service.config.keys, SECRET));
      await service.restart();
      await service.stop();
      const after = await recorded();
      expect(after).toEqual({ ...before, [SECRET]: expect.stringMatching(/^[0-9a-f]{32}$/) });
      rmSync(join(service.config.keys, SECRET));
      await expect(service.restart()).rejects.toMatchObject({
        code: 'master-secret-foreign',
        values: { fingerprint: after[SECRET] },
      });
    });
  });
}
