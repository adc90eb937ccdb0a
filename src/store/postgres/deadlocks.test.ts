// Reads beside a migration of a newer version, which locks tables in an order of its own: the server ends one of the two.

import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { readNodes } from '#cluster/members/membership.ts';
import { newGuid } from '#kernel/guid.ts';
import { openStore } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';

const WAITING = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
const NOT_OBSERVED = { groupCommitted() {}, storeFailed() {} };

describe.skipIf(inject('postgresReason'))('A read and a migration that wait for each other', () => {
  const prepared = async () => {
    const database = await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`);
    const store = await openStore(database, NOT_OBSERVED);
    const other = new pg.Client({ connectionString: database });
    await other.connect();
    return {
      store,
      other,
      waiting: async () => (await store.reader.all(WAITING)).length,
      async [Symbol.asyncDispose]() {
        await other.end();
        await store.close();
      },
    };
  };

  it('end with the rows of the read, once the migration is through', async () => {
    await using subject = await prepared();
    const { store, other, waiting } = subject;
    /** False where the read had looked for a deadlock before there was one: it looks once. */
    const isEnded = async (): Promise<boolean> => {
      // The server ends the one that looks first, so this one never looks.
      await other.query("begin; set local deadlock_timeout = '10min'; set local lock_timeout = '3s'");
      await other.query('lock table logs_keeper in access exclusive mode');
      const read = readNodes(store, 'n1');
      await expect.poll(waiting).toBe(1);
      const locked = await other.query('lock table nodes in access exclusive mode').then(
        () => true,
        () => false,
      );
      await other.query('rollback');
      expect((await read).nodes).toEqual([]);
      return locked;
    };
    await expect.poll(isEnded).toBe(true);
  });
});
