// What the calls of the cluster mean for one process alone and for one of several.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { openStore, type Store } from '#store/store.ts';
import { clusterOn } from '#test/support/cluster-on.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';

describe.each(databases)('The cluster on $name', ({ name, skip }) => {
  const isAlone = name === 'sqlite';
  const folder = mkdtempSync(join(tmpdir(), 'vigil-cluster-'));
  let store: Store;

  const opened = async () => {
    const location = isAlone ? folder : await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`);
    store = await openStore(location, { groupCommitted() {}, storeFailed() {} });
    return await clusterOn(store);
  };

  afterEach(async () => {
    await store?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.skipIf(skip)('reads what others may have written, and only then', async () => {
    const cluster = await opened();
    let works = 0;
    await cluster.withOthers(async () => {
      works += 1;
    });
    const cache = cluster.cache<number>();
    cache.reading()('one', 1);
    const keep = cache.reading();
    cache.clear();
    keep('two', 2);
    expect({
      latest: await cluster.latest('known', async () => 'read'),
      works,
      look: cluster.nextLook(1000, 500),
      cached: [cache.get('one'), cache.get('two')],
      form: cluster.form({ alone: () => 'alone', shared: () => 'shared' }),
      leads: await cluster.leads(),
    }).toEqual({
      latest: isAlone ? 'known' : 'read',
      works: isAlone ? 0 : 1,
      look: isAlone ? undefined : 1500,
      cached: [undefined, undefined],
      form: isAlone ? 'alone' : 'shared',
      leads: true,
    });
    cache.reading()('three', 3);
    expect(cache.get('three')).toBe(isAlone ? 3 : undefined);
    await cluster.close();
  });
});
