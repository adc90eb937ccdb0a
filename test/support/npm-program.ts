// Programs of packages that only a test of its own needs: installed from the lock file beside them, below node_modules/.cache. A change
// of the sources makes a new folder.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './sources.ts';

const runFile = promisify(execFile);
const CACHE = join(ROOT, 'node_modules/.cache/vigil-npm');

/** The folder of the program, with its packages, or why there is none. */
export async function npmProgram(
  name: string,
  sources: string,
): Promise<{ readonly folder: string } | { readonly reason: string }> {
  const files = readdirSync(sources)
    .filter((file) => file !== 'node_modules')
    .toSorted();
  const digest = createHash('sha256');
  for (const file of files) digest.update(readFileSync(join(sources, file)));
  const folder = join(CACHE, `${name}-${digest.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return { folder };
  const begun = `${folder}.begun`;
  rmSync(begun, { recursive: true, force: true });
  mkdirSync(begun, { recursive: true });
  for (const file of files) cpSync(join(sources, file), join(begun, file));
  try {
    await runFile('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: begun });
    renameSync(begun, folder);
    return { folder };
  } catch (cause) {
    return { reason: `${name} cannot be installed: ${cause instanceof Error ? cause.message : cause}` };
  }
}
