// Keys that may send logs and nothing else. All keys of older databases may do what their accounts may.

import type { Migration } from './migration.ts';

export const keyScopes: Migration = {
  name: 'key-scopes',
  statements: ({ text }) => [`alter table api_keys add column scope ${text} not null default 'all'`],
};
