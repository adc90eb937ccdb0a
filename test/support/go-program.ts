// Programs that are built with Go from sources beside a test, with modules of the versions and digests that its go.sum pins. Modules,
// build files and programs stay below node_modules/.cache; a change of the sources makes a new program.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './sources.ts';

const runFile = promisify(execFile);
const CACHE = join(ROOT, 'node_modules/.cache/vigil-go');

/** The program, or why there is none. Its first build takes minutes. */
export async function goProgram(
  name: string,
  sources: string,
): Promise<{ readonly path: string } | { readonly reason: string }> {
  const digest = createHash('sha256');
  for (const file of readdirSync(sources).toSorted()) digest.update(readFileSync(join(sources, file)));
  const path = join(CACHE, `${name}-${digest.digest('hex').slice(0, 16)}`);
  if (existsSync(path)) return { path };
  mkdirSync(CACHE, { recursive: true });
  const env = {
    ...process.env,
    GOCACHE: join(CACHE, 'build'),
    GOMODCACHE: join(CACHE, 'modules'),
    // Modules can be removed as the rest of node_modules.
    GOFLAGS: '-modcacherw -trimpath -buildvcs=false',
    GOTOOLCHAIN: 'local',
  };
  try {
    await runFile('go', ['build', '-ldflags=-s -w', '-o', path, '.'], { cwd: sources, env });
    return { path };
  } catch (cause) {
    return { reason: `${name} cannot be built with Go: ${cause instanceof Error ? cause.message : cause}` };
  }
}
