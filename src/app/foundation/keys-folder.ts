// Checks the modes of the keys folder: a reader of it has the master secret and can sign audit checkpoints.

import { existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '#kernel/usage-error.ts';

const GROUP = 0o070;
const OTHERS = 0o007;

/**
 * Throws a UsageError for a folder open to others; returns a warning for one open to the group of the process. The master secret
 * may be a file elsewhere.
 */
export function checkKeysFolder(folder: string, groups = groupsOfProcess()): string | undefined {
  // Without POSIX modes there is nothing to check.
  if (!groups || !existsSync(folder)) return undefined;
  const found = [
    folder,
    ...(statSync(folder).isDirectory() ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []).map((name) =>
      join(folder, name),
    ),
  ]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .filter((stats): stats is Stats => stats !== undefined);
  if (found.some(({ mode }) => (mode & OTHERS) !== 0)) throw new UsageError('keys-folder-open', { who: 'o', folder });
  const open = found.filter(({ mode }) => (mode & GROUP) !== 0);
  if (open.some(({ gid }) => !groups.includes(gid))) throw new UsageError('keys-folder-open', { who: 'g', folder });
  return open.length === 0 ? undefined : `the group of this process can read the keys folder: chmod -R g= ${folder}`;
}

function groupsOfProcess(): readonly number[] | undefined {
  const { getegid, getgroups } = process;
  return getegid && getgroups ? [getegid.call(process), ...getgroups.call(process)] : undefined;
}
