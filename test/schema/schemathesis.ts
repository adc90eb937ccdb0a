// Schemathesis, the fuzzer of OpenAPI documents, at the versions that requirements.txt pins.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonEnvironment } from '#test/support/python-environment.ts';
import { POLL_TIME_OUT_MS } from '#test/support/time-out.ts';

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
  const found = await pythonEnvironment('schemathesis', REQUIREMENTS);
  return 'bin' in found ? { executable: join(found.bin, 'schemathesis') } : found;
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
    'request-timeout': String(POLL_TIME_OUT_MS / 1000),
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
