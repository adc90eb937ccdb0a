import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '#test/support/cli.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

describe('vigil login', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const vigil = (...args: readonly string[]) =>
    runCli(args, { environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY } });

  it('prints a link that signs in once, alone on standard output', async () => {
    const { exitCode, stdout, stderr } = await vigil('login', '--browser');
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^The link signs in once, until 2\d{3}-.+\. It is as secret as a key\.\n$/);
    const { origin, pathname, hash } = new URL(stdout.trim());
    expect([origin, pathname, stdout.split('\n')]).toEqual([service.url, '/', [stdout.trim(), '']]);
    const form = { code: hash.replace('#code=', '') };
    const { status, json } = await service.call('POST', '/api/core/sessions', { key: null, form });
    expect([status, json.user.login]).toEqual([200, 'master']);
  });

  it('says that only a browser has a session', async () => {
    const { exitCode, stderr } = await vigil('login');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('use --browser')]);
  });
});
