// A TypeScript client whose types openapi-typescript makes from the document of a running service. The generator stands
// in a package of its own, below client/, because it needs the programming interface of TypeScript 5.

import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { MASTER_KEY } from '#test/support/service.ts';
import { ROOT } from '#test/support/sources.ts';
import { serviceFor } from '#test/support/suites.ts';

const CLIENT = join(import.meta.dirname, 'client');
const GENERATED = join(CLIENT, 'generated');
const GENERATOR = join(CLIENT, 'node_modules/openapi-typescript/bin/cli.js');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

const subject = serviceFor();

const runScript = (script: string, args: readonly string[]) =>
  promisify(execFile)(process.execPath, [script, ...args], { cwd: CLIENT });

afterAll(() => rmSync(GENERATED, { recursive: true, force: true }));

describe('A TypeScript client made from the OpenAPI document', () => {
  it('compiles, and talks to the service', async () => {
    const { url } = subject.service;
    const options = ['--output', join(GENERATED, 'schema.ts'), '--default-non-nullable', 'false'];
    await runScript(GENERATOR, [`${url}/openapi.json`, ...options]);
    await runScript(COMPILER, ['--project', CLIENT]);
    const { stdout } = await runScript(join(CLIENT, 'program.ts'), [url, MASTER_KEY]);
    expect(JSON.parse(stdout)).toEqual({ name: 'Generated client', total: 2, code: 'invalid-argument' });
  });
});
