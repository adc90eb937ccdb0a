// Connection profiles: databases and hosts that queries may use.

import type { Migration } from './migration.ts';

export const connectionProfiles: Migration = {
  name: 'connection profiles',
  statements: ({ text }) => [
    `create table connection_profiles (
      guid ${text} primary key,
      name ${text} not null unique,
      description ${text},
      kind ${text} not null,
      host ${text},
      port integer,
      "database" ${text},
      "user" ${text},
      password_box ${text},
      zone ${text},
      tls ${text},
      url ${text},
      headers_box ${text},
      header_names ${text},
      ca ${text},
      writable integer not null,
      timeout integer not null,
      max_rows integer not null,
      max_bytes bigint not null,
      max_connections integer not null,
      search ${text} not null,
      created_at bigint not null,
      updated_at bigint not null)`,
  ],
};
