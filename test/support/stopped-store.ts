// What a service has on record, looked at and changed behind its back.

import type { Db } from '#store/kysely.ts';
import { openStore } from '#store/store.ts';
import type { Subject } from './suites.ts';

/** While the service is stopped. */
export async function inStore<T>({ service }: Pick<Subject, 'service'>, work: (db: Db) => Promise<T>): Promise<T> {
  const { database, data } = service.config;
  const store = await openStore(database ?? data, { groupCommitted() {}, storeFailed() {} });
  try {
    return await store.write(work);
  } finally {
    await store.close();
  }
}
