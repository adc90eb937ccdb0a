// A master secret that is there and cannot be read is like a wrong one.

import { mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const illegal = (message: string) => refused(500, 'illegal-state', message);

describe('A master secret', () => {
  const subject = serviceFor();
  const { call } = subject;
  const keys = () => subject.service.config.keys;

  it('is made at the first start, whole: nothing else is left beside it', async () => {
    const names = readdirSync(keys()).toSorted();
    expect(names).toEqual([
      'audit-signing-key.pem',
      expect.stringMatching(/^audit-witness-.*\.ndjson$/),
      expect.stringMatching(/^lock-[0-9a-f-]{36}\.db$/),
      'master-secret',
    ]);
    const profile = await created(subject, '/api/core/crypto-profiles', { name: 'p' });
    expect(readdirSync(keys()).toSorted()).toEqual(names);
    const storage = { crypto_profile_guid: profile, encryption: 'true' };
    const sealed = await createLogger(subject, { table: 'sealed', storage });
    const open = await createLogger(subject, { table: 'open' });
    for (const logger of [sealed, open]) await push(subject, logger, { body: '{"n":1}' });
  });

  it('that can be read no more puts nothing new under key, and keeps the service from its next start', async () => {
    const file = join(keys(), 'master-secret');
    const aside = join(keys(), 'aside');
    renameSync(file, aside);
    const create = async () => outcome(await call('POST', '/api/core/crypto-profiles', { form: { name: 'new' } }));
    expect(await create()).toEqual(illegal('master secret is missing'));
    // What is no file cannot be read by anybody, whatever their rights.
    mkdirSync(file, { mode: 0o700 });
    expect(await create()).toEqual(illegal('master secret is wrong'));
    expect(await rowsOf(subject, 'table open | stats count')).toEqual([{ count: 1 }]);
    await expect(subject.service.restart()).rejects.toMatchObject({ code: 'master-secret-foreign' });
    rmdirSync(file);
    renameSync(aside, file);
    await subject.service.restart();
    expect(await rowsOf(subject, 'table sealed | stats count')).toEqual([{ count: 1 }]);
  });
});
