// The family of connection profiles, for the conformance suite of all families.

import type { FamilyCase } from './family-cases.ts';

const NO_GRANTS = { shared_users: [], shared_groups: [] };
const CONNECTION_DEFAULTS = {
  writable: false,
  timeout: 60,
  max_rows: 1_000_000,
  max_bytes: 268_435_456,
  max_connections: 4,
};

export const CONNECTION_PROFILES: FamilyCase = {
  path: 'connection-profiles',
  thing: 'connection profile',
  labels: ['connection profile', 'connection profiles'],
  singular: 'connection_profile',
  plural: 'connection_profiles',
  longest: 50,
  onlyAtCreation: ['kind'],
  least: { kind: 'postgresql', host: 'db.example.com', database: 'crm', user: 'reader' },
  leastRead: {
    kind: 'postgresql',
    host: 'db.example.com',
    port: 5432,
    database: 'crm',
    user: 'reader',
    has_password: false,
    ...CONNECTION_DEFAULTS,
    tls: 'verify',
    ...NO_GRANTS,
  },
  most: {
    kind: 'postgresql',
    host: 'db.example.com',
    port: '5433',
    database: 'crm',
    user: 'reader',
    zone: 'Asia/Seoul',
    tls: 'off',
    ca: '-----BEGIN CERTIFICATE-----',
    writable: 'true',
    timeout: '5',
    max_rows: '10',
    max_bytes: '1000',
    max_connections: '1',
    shared_users: '[{"guid":"$master","read_only":false}]',
  },
  mostRead: {
    kind: 'postgresql',
    host: 'db.example.com',
    port: 5433,
    database: 'crm',
    user: 'reader',
    has_password: false,
    zone: 'Asia/Seoul',
    tls: 'off',
    ca: '-----BEGIN CERTIFICATE-----',
    writable: true,
    timeout: 5,
    max_rows: 10,
    max_bytes: 1000,
    max_connections: 1,
    shared_users: [{ guid: '$master', name: 'master', read_only: false, created: '$now' }],
    shared_groups: [],
  },
  alone: ['shared_users', 'shared_groups'],
};
