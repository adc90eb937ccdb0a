// A database that others may write to: what is changed there behind a service judges its logs before long.

import { describe, expect, it } from 'vitest';
import { ChangedKinds } from '#cluster/changes/changes.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Db } from '#store/kysely.ts';
import { openStore } from '#store/store.ts';
import { databases, startService } from '#test/support/service.ts';
import { createGroup, createStream, createStreamRule, found } from '#test/support/stream-rules.ts';

const postgres = databases.find(({ name }) => name === 'postgres');

describe.skipIf(postgres?.skip)('Stream rules on a PostgreSQL database that others write to', () => {
  it('judge by what another process has changed: rules and addresses', async () => {
    await using service = await startService({ database: 'postgres' });
    const elsewhere = async (work: (db: Db) => Promise<unknown>) => {
      const store = await openStore(service.config.database ?? '', { groupCommitted() {}, storeFailed() {} });
      store.onGroup(new ChangedKinds(() => undefined));
      await store.write(work).finally(() => store.close());
    };
    const stream = await createStream(service);
    const group = await createGroup(service);
    let n = 0;
    /** Whether the newest log is found. */
    const isFound = async (rule: string) => {
      n += 1;
      await stream.push({ n, ip: '10.0.0.1' });
      return (await found(service, rule)).includes(n);
    };
    const { schema } = stream;
    const rule = await createStreamRule(service, { schema, where: ['search n'] });
    expect(await isFound(rule)).toBe(true);
    await elsewhere((db) => db.updateTable('rules').set({ enabled: 0 }).where('guid', '=', rule).execute());
    await expect.poll(() => isFound(rule)).toBe(false);
    await elsewhere((db) => db.updateTable('rules').set({ enabled: 1 }).where('guid', '=', rule).execute());
    await expect.poll(() => isFound(rule)).toBe(true);
    const known = await createStreamRule(service, { schema, where: [`matchnet field=ip guid=${group}`] });
    expect(await isFound(known)).toBe(false);
    await elsewhere(async (db) => {
      const dated = { search: '', created_at: 0, updated_at: 0 };
      const address = { guid: newGuid(), group_guid: group, ip: '10.0.0.0/24', description: null, expires_at: null };
      await db
        .insertInto('addresses')
        .values({ ...address, hits: 0, ...dated })
        .execute();
      await db.updateTable('address_groups').set({ version: 99 }).where('guid', '=', group).execute();
    });
    await expect.poll(() => isFound(known)).toBe(true);
  });
});
