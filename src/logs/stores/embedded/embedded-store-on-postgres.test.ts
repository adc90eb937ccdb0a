// What the embedded engine promises as every engine does, with its catalog in PostgreSQL.

import { afterAll, beforeAll } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { engineConformance } from '#test/support/engine-conformance/index.ts';
import { makeEngineHome, openSharedStore, type SharedStore } from '#test/support/log-engine.ts';
import { databases } from '#test/support/service.ts';

const skip = databases.find(({ name }) => name === 'postgres')?.skip;
let shared: SharedStore | undefined;
beforeAll(async () => {
  if (!skip) shared = await openSharedStore(await createMetadataDatabase(`e_${newGuid().replaceAll('-', '')}`));
});
afterAll(() => shared?.store.close());

engineConformance({
  name: 'The embedded engine over PostgreSQL',
  skip,
  open: () => {
    if (!shared) throw new Error('the database is not open');
    return makeEngineHome({ shared });
  },
  // The catalog is the same for all forms: each property of a form is there once.
  forms: [
    { layout: 'columnar', compression: 'snappy', protection: 'plain' },
    { layout: 'row', compression: 'deflate', protection: 'checked' },
    { layout: 'columnar', compression: 'deflate', protection: 'encrypted' },
  ],
});
