// A master secret that is there and cannot be read is like a wrong one: its tables are closed, all others work.

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
  const query = async (table: string) =>
    outcome(await call('GET', `/api/core/query?q=${encodeURIComponent(`table ${table}`)}`));

  it('is made whole: nothing else is left beside it', async () => {
    const before = readdirSync(keys());
    const profile = await created(subject, '/api/core/crypto-profiles', { name: 'p' });
    expect(readdirSync(keys()).filter((name) => !before.includes(name))).toEqual(['master-secret']);
    const storage = { crypto_profile_guid: profile, encryption: 'true' };
    const sealed = await createLogger(subject, { table: 'sealed', storage });
    const open = await createLogger(subject, { table: 'open' });
    for (const logger of [sealed, open]) await push(subject, logger, { body: '{"n":1}' });
  });

  it('that cannot be read closes its tables and no other', async () => {
    await subject.service.stop();
    const [file, aside] = [join(keys(), 'master-secret'), join(keys(), 'aside')];
    renameSync(file, aside);
    // What is no file cannot be read by anybody, whatever their rights.
    mkdirSync(file);
    await subject.service.restart();
    expect(await query('sealed')).toEqual(illegal('table is closed: sealed'));
    expect(await rowsOf(subject, 'table open | stats count')).toEqual([{ count: 1 }]);
    const form = { name: 'new' };
    expect(outcome(await call('POST', '/api/core/crypto-profiles', { form }))).toEqual(
      illegal('master secret is wrong'),
    );
    await subject.service.stop();
    rmdirSync(file);
    renameSync(aside, file);
    await subject.service.restart();
    expect(await rowsOf(subject, 'table sealed | stats count')).toEqual([{ count: 1 }]);
  });
});
