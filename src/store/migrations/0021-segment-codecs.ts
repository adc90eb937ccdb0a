// The codec of each segment. Segments of earlier versions have none: their files are SNAPPY or GZIP, and written anew when they
// are merged or become dense.

import type { Migration } from './migration.ts';

export const segmentCodecs: Migration = {
  name: 'segment-codecs',
  statements: ({ text }) => [
    `alter table log_segments add column codec ${text} not null default ''`,
    `create index log_segments_not_dense on log_segments (day) where codec <> 'zstd'`,
  ],
};
