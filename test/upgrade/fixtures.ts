// Fixtures: installations that earlier versions wrote, each packed into an archive beside a manifest of its content. The
// generator (`write-fixture.ts`) writes them, and the suites open a copy of each with the present version.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MetadataDatabase } from '#test/parts.ts';

export const FIXTURES = join(import.meta.dirname, 'fixtures');
/** Where the installations of a version keep metadata and logs, by the names of their folders. */
const STORES = {
  sqlite: { database: 'sqlite', logs: 'embedded' },
  postgres: { database: 'postgres', logs: 'embedded' },
  clickhouse: { database: 'sqlite', logs: 'clickhouse' },
} as const;
const ARCHIVE = 'installation.tar.gz';
const MANIFEST = 'manifest.json';
/** In the archive of an installation on PostgreSQL: statements that restore its metadata database. */
export const DUMP = 'database.sql';
/** In the archive of an installation with logs on ClickHouse: the folder of its tables there. */
export const CLICKHOUSE_TABLES = 'clickhouse';

export type FixtureStores = keyof typeof STORES;
export type Protection = 'plain' | 'authenticated' | 'encrypted';

/** What an installation held when its version was killed. */
export interface Manifest {
  readonly commit: string;
  readonly database: MetadataDatabase;
  /** Just after the version was killed, as ISO text. */
  readonly written_at: string;
  readonly master_key: string;
  /** The cookie of an open console session. */
  readonly cookie: string;
  readonly keys: readonly FixtureKey[];
  readonly tables: readonly FixtureTable[];
  readonly queries: readonly FixtureQuery[];
  readonly objects: readonly FixtureObject[];
  readonly uploads: readonly FixtureUpload[];
  readonly rules: readonly FixtureRule[];
  /** GUIDs of scheduled queries that run every minute. */
  readonly schedules: readonly string[];
  readonly connection_profile: { readonly guid: string; readonly header: readonly [name: string, value: string] };
  readonly audit_head: { readonly id: number; readonly hash: string };
}

export interface FixtureKey {
  readonly login: string;
  readonly role: 'MASTER' | 'ADMIN' | 'MEMBER';
  readonly scope: 'all' | 'push';
  readonly key: string;
  readonly revoked: boolean;
}

export interface FixtureTable {
  readonly name: string;
  readonly protection: Protection;
  readonly rows: number;
  /** Values of the field `n` in records that were acknowledged and not sealed. */
  readonly unsealed: readonly number[];
}

export interface FixtureQuery {
  readonly q: string;
  /** Lines of the answer, as text: numbers may exceed those of JavaScript. */
  readonly lines: readonly string[];
}

/** An object as a GET request returned it. */
export interface FixtureObject {
  readonly path: string;
  readonly answer: unknown;
}

export interface FixtureUpload {
  readonly token: string;
  readonly table: string;
  /** Bytes that were acknowledged. */
  readonly offset: number;
  /** The rest of the file. */
  readonly rest: string;
  readonly rows: number;
  /** Value of the field `source` in all its records. */
  readonly source: string;
}

/** A rule that raises an event for a record in `table`. */
export interface FixtureRule {
  readonly path: 'batch-rules' | 'stream-rules';
  readonly guid: string;
  readonly table: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly msg: string;
}

export interface Fixture {
  readonly commit: string;
  readonly database: MetadataDatabase;
  /** Where tables are unless they need a crypto profile. */
  readonly logs: 'embedded' | 'clickhouse';
  /** Folder of the archive and the manifest. */
  readonly folder: string;
}

export const fixtureOf = (commit: string, stores: FixtureStores): Fixture => ({
  commit,
  ...STORES[stores],
  folder: join(FIXTURES, commit, stores),
});

export const allFixtures = (): readonly Fixture[] =>
  readdirSync(FIXTURES)
    .sort()
    .flatMap((commit) => storesOf(commit).map((stores) => fixtureOf(commit, stores)));

const storesOf = (commit: string): readonly FixtureStores[] => readdirSync(join(FIXTURES, commit)).filter(isStores);
const isStores = (folder: string): folder is FixtureStores => Object.hasOwn(STORES, folder);

export const readManifest = ({ folder }: Fixture): Manifest => JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));

/** Packs the content of `installation` without names of owners, so that an archive does not depend on its machine. */
export function pack({ folder }: Fixture, installation: string, manifest: Manifest): void {
  mkdirSync(folder, { recursive: true });
  const neutral = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=${manifest.written_at}`];
  // Every start makes it again.
  const left = ['--exclude=./data/disk-reserve'];
  const compressed = ['--use-compress-program', 'gzip -9n'];
  execFileSync('tar', ['-c', ...neutral, ...left, ...compressed, '-f', join(folder, ARCHIVE), '-C', installation, '.']);
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Unpacks data, keys, and what was dumped of PostgreSQL or ClickHouse into an existing folder. */
export function unpack({ folder }: Fixture, into: string): void {
  execFileSync('tar', ['-x', '-z', '-p', '--no-same-owner', '-f', join(folder, ARCHIVE), '-C', into]);
}
