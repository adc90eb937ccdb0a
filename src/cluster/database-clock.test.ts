import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { DatabaseClock } from './database-clock.ts';

const postgres = databases.find(({ name }) => name === 'postgres');

describe.skipIf(postgres?.skip)('The clock of a shared database', () => {
  let store: Store;
  beforeEach(async () => {
    const url = await createMetadataDatabase(`clock_${newGuid().replaceAll('-', '')}`);
    store = await openStore(url, { groupCommitted() {}, storeFailed() {} });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await store.close();
  });

  /** By at most half of the second that an answer may take. */
  async function expectRight(clock: DatabaseClock): Promise<void> {
    const now = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now';
    const [before] = await store.reader.all(now);
    const told = clock.now().epochMilliseconds;
    const [after] = await store.reader.all(now);
    expect(told).toBeGreaterThan(Number(before?.now) - 600);
    expect(told).toBeLessThan(Number(after?.now) + 600);
  }

  it('goes on as the database does, whatever the clock of the machine says', async () => {
    using clock = await DatabaseClock.open(store);
    const before = Temporal.Now.instant();
    vi.spyOn(Temporal.Now, 'instant').mockReturnValue(before.subtract({ hours: 5 }));
    vi.spyOn(Date, 'now').mockReturnValue(before.subtract({ hours: 5 }).epochMilliseconds);
    await expectRight(clock);
  });

  it('takes no answer that came late', async () => {
    let asked = 0;
    const all: Store['reader']['all'] = async (...query) => {
      asked += 1;
      if (asked === 1) await new Promise((resolve) => setTimeout(resolve, 1500));
      return await store.reader.all(...query);
    };
    const late = new Proxy(store.reader, { get: (reader, name) => (name === 'all' ? all : Reflect.get(reader, name)) });
    using clock = await DatabaseClock.open({ dialect: store.dialect, reader: late });
    expect(asked).toBeGreaterThan(1);
    await expectRight(clock);
  });
});
