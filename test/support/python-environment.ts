// Python environments below the user's cache folder. The first use installs what a requirements.txt pins; a change of that file
// makes a new environment.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

/** The folder of its executables, or why there is none. */
export async function pythonEnvironment(
  name: string,
  requirements: string,
): Promise<{ readonly bin: string } | { readonly reason: string }> {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vigil', `${name}-${digest}`);
  const complete = join(folder, 'complete');
  const bin = join(folder, 'bin');
  if (existsSync(complete)) return { bin };
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await runFile('python3', ['-m', 'venv', folder]);
    await runFile(join(bin, 'pip'), ['install', '--quiet', '--no-input', '--requirement', requirements]);
    writeFileSync(complete, '');
    return { bin };
  } catch (cause) {
    return { reason: `${name} cannot be installed: ${cause instanceof Error ? cause.message : cause}` };
  }
}

/** Says loudly that suites are skipped, which is a failure with CI=true. */
export function tellSkipped(what: string, reason: string): void {
  if (process.env.CI === 'true') throw new Error(`with CI=true a skipped suite is a failure: ${reason}`);
  console.error(`\n*** ${what} IS SKIPPED: ${reason} ***\n`);
}
