// Segments have columns of leaves, and the shapes of their objects in the catalog: nothing is to be done, but earlier versions, which would read
// such records without their objects, refuse the data folder.

import type { Migration } from './migration.ts';

export const leafColumns: Migration = { name: 'leaf-columns', statements: () => [] };
