// Versions of the product beside this one, each in a folder of its own and run from its sources, with the packages that are
// installed here.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Version extends Disposable {
  readonly executable: string;
  /** As its nodes show it. */
  readonly version: string;
}

const ROOT = join(import.meta.dirname, '../..');
const EXECUTABLE = 'bin/vigil.js';
const MIGRATIONS = 'src/store/migrations/index.ts';

/** This one. */
export const presentVersion = (): Version => ({
  executable: join(ROOT, EXECUTABLE),
  version: versionIn(ROOT),
  [Symbol.dispose]() {},
});

/** Expands all that a migration may: a column in every table, an index, and a table. */
const NEXT_MIGRATION = `import type { Migration } from './migration.ts';

export const ofNextVersion: Migration = {
  name: 'of the next version',
  statements: () => ['create table of_next_version (id integer primary key)'],
  async fill(connection) {
    const tables = await connection.all(
      "select tablename as name from pg_tables where schemaname = current_schema() and tablename <> 'migrations' order by 1");
    for (const { name } of tables) {
      await connection.exec(\`alter table "\${name}" add column of_next_version text not null default 'made by the next version'\`);
    }
    await connection.exec('create index users_of_next_version on users (of_next_version)');
  },
};
`;

/** These sources with one more migration, and with the version that `as` says: needs no history of the repository. */
export function nextVersion(as = '999.0.0'): Version {
  const root = emptyRoot();
  for (const path of ['src', 'bin', 'package.json']) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...manifest, version: as }));
  const list = join(root, MIGRATIONS);
  const text = readFileSync(list, 'utf8');
  const end = text.lastIndexOf('];');
  writeFileSync(join(root, 'src/store/migrations/of-next-version.ts'), NEXT_MIGRATION);
  writeFileSync(
    list,
    `import { ofNextVersion } from './of-next-version.ts';\n${text.slice(0, end)}  ofNextVersion,\n${text.slice(end)}`,
  );
  return versionAt(root);
}

/** The sources of a commit. Its packages must be those of this one. */
export function versionOf(commit: string): Version {
  const root = emptyRoot();
  const archive = git('archive', '--format=tar', commit, 'src', 'bin', 'package.json');
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  return versionAt(root);
}

/**
 * The newest commit before this one whose database has fewer migrations, where its nodes know of each other; otherwise the one
 * before this one.
 */
export function commitBefore(): string {
  const present = migrationsAt('HEAD');
  const changes = gitText('log', '--first-parent', '--format=%H', 'HEAD', '--', MIGRATIONS).split('\n');
  const parents = changes.map((commit) => `${commit}~1`);
  const older = parents.find((commit) => {
    const known = migrationsAt(commit);
    return known.length < present.length && known.every((name, at) => name === present[at]);
  });
  const isShared = older !== undefined && migrationsAt(older).includes('lookupContents');
  return gitText('rev-parse', isShared ? older : 'HEAD~1');
}

const migrationsAt = (commit: string): string[] => {
  const [, list = ''] = gitText('show', `${commit}:${MIGRATIONS}`).split(/^export const migrations.*\[$/m);
  return list.match(/\w+/g) ?? [];
};

const git = (...words: readonly string[]): Buffer =>
  execFileSync('git', words, { cwd: ROOT, maxBuffer: 1024 ** 3, stdio: ['ignore', 'pipe', 'inherit'] });

const gitText = (...words: readonly string[]): string =>
  git(...words)
    .toString('utf8')
    .trim();

const versionIn = (root: string): string => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

function emptyRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'vigil-version-'));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

const versionAt = (root: string): Version => ({
  executable: join(root, EXECUTABLE),
  version: versionIn(root),
  [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
});
