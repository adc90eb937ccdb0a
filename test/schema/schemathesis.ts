// Schemathesis, the fuzzer of OpenAPI documents, in a Python environment below the user's cache folder. The first run
// installs it at the versions that requirements.txt pins; a change of that file makes a new environment.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const HOOKS = join(import.meta.dirname, 'hooks.py');
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** The checks of answers alone: by contract an operation may refuse with 500, and ignores parameters it does not know. */
const CHECKS = [
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

const runFile = promisify(execFile);

/** The executable, or why there is none. */
export async function installSchemathesis(): Promise<{ readonly executable: string } | { readonly reason: string }> {
  const pinned = readFileSync(REQUIREMENTS);
  const digest = createHash('sha256').update(pinned).digest('hex').slice(0, 16);
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vigil', `schemathesis-${digest}`);
  const complete = join(folder, 'complete');
  const executable = join(folder, 'bin', 'schemathesis');
  if (existsSync(complete)) return { executable };
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await runFile('python3', ['-m', 'venv', folder]);
    await runFile(join(folder, 'bin', 'pip'), ['install', '--quiet', '--no-input', '--requirement', REQUIREMENTS]);
    writeFileSync(complete, '');
    return { executable };
  } catch (cause) {
    return { reason: `schemathesis cannot be installed: ${cause instanceof Error ? cause.message : cause}` };
  }
}

/** What the hooks replace generated values with. */
export interface World {
  /** The parameters of a path that name an object which exists. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly queries: readonly string[];
  /** Of upload streams that wait for their bytes. */
  readonly tokens: readonly string[];
}

export interface Fuzzing {
  readonly url: string;
  readonly key: string;
  readonly world: World;
  readonly phases: string;
  /** Generated requests per operation and phase. */
  readonly examples: number;
}

/** Its report, and whether every answer was within its declaration. */
export async function fuzz(executable: string, fuzzing: Fuzzing): Promise<{ passed: boolean; report: string }> {
  const { url, key, world, phases, examples } = fuzzing;
  const options = {
    header: `Authorization: Bearer ${key}`,
    checks: CHECKS.join(','),
    phases,
    'max-examples': String(examples),
    // The first use of a part of the service loads it, which takes long on a busy machine.
    'request-timeout': '120',
    'suppress-health-check': 'all',
    warnings: 'off',
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const environment = {
    SCHEMATHESIS_HOOKS: HOOKS,
    VIGIL_SCHEMA_WORLD: JSON.stringify(world),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  // Its own notes are not part of the repository.
  const cwd = mkdtempSync(join(tmpdir(), 'vigil-schema-'));
  const finished = runFile(
    executable,
    ['run', `${url}/openapi.json`, ...flags, '--generation-deterministic', '--continue-on-failure'],
    { cwd, env: { ...process.env, ...environment }, maxBuffer: MAX_OUTPUT_BYTES },
  );
  return await finished
    .then(
      ({ stdout }) => ({ passed: true, report: stdout }),
      ({ stdout, stderr }) => ({ passed: false, report: `${stdout}\n${stderr}` }),
    )
    .finally(() => rmSync(cwd, { recursive: true, force: true }));
}
