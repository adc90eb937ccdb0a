// A fingerprint of the last bytes that were read of a followed file: it tells a file that was rewritten from one that has grown.

import type { Migration } from './migration.ts';

export const fileTails: Migration = {
  name: 'file tails',
  statements: ({ text }) => [`alter table collected_files add column tail ${text}`],
};
