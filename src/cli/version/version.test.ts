import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programVersion } from '#cli/kit/help/version.ts';
import { runCli } from '#test/support/cli.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

describe('vigil version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-version-'));
  let service: Service;
  beforeAll(async () => {
    writeFileSync(join(folder, 'key'), MASTER_KEY);
    writeFileSync(join(folder, 'empty'), '');
    service = await startService();
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const vigil = (...args: readonly string[]) => runCli(['version', ...args]);
  const json = async (...args: readonly string[]) => JSON.parse((await vigil('--json', ...args)).stdout);

  it('names the program and the service that is reached', async () => {
    const given = ['--url', service.url, '--key-file', join(folder, 'key')];
    const { exitCode, stdout, stderr } = await vigil(...given);
    const { version } = programVersion();
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^vigil ${version} \\(.+\\)\n.*${service.url}.*\n$`));
    expect(await json(...given)).toEqual({ ...programVersion(), service: { url: service.url, version } });
  });

  const unreached = [
    { it: 'nothing listens', args: ['--url', NOWHERE, '--key-file', join(folder, 'key')], reason: NOWHERE },
    { it: 'there is no key', args: ['--url', NOWHERE], reason: 'VIGIL_KEY' },
  ];
  it.each(unreached)('names the program alone where $it', async ({ args, reason }) => {
    const { exitCode, stdout, stderr } = await vigil(...args);
    expect([exitCode, stdout.split('\n').length]).toEqual([0, 2]);
    expect(stderr).toContain(reason);
    expect(await json(...args)).toEqual({ ...programVersion(), service: null });
  });

  it('names the program alone where the service refuses the key', async () => {
    writeFileSync(join(folder, 'other'), 'another-key-of-nobody-at-all-0123456789');
    expect(await json('--url', service.url, '--key-file', join(folder, 'other'))).toMatchObject({ service: null });
  });

  const wrong = [
    { it: 'a --url that is none', args: ['--url', 'nonsense'] },
    { it: 'a --key-file that holds no key', args: ['--key-file', join(folder, 'empty')] },
    { it: 'a --key-file that cannot be read', args: ['--key-file', join(folder, 'nothing')] },
  ];
  it.each(wrong)('refuses $it, as every command', async ({ args }) => {
    expect(await vigil(...args)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
