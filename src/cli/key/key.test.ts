import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, TestTerminal } from '#test/support/cli.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

const EXECUTABLE = join(import.meta.dirname, '../../../bin/vigil.js');

describe('vigil key', () => {
  let service: Service;
  let member: string;
  beforeAll(async () => {
    service = await startService();
    await vigil(MASTER_KEY, 'user', 'create', 'member', '--name', 'M', '--role', 'MEMBER');
    member = (await vigil(MASTER_KEY, 'key', 'create', 'member', '--name', 'first')).stdout.trim();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const vigil = (key: string, ...args: readonly string[]) =>
    runCli(args, { environment: { VIGIL_URL: service.url, VIGIL_KEY: key } });

  it('creates a key that works, alone on standard output', async () => {
    const made = await vigil(MASTER_KEY, 'key', 'create', 'member', '--name', 'plain');
    expect(made.exitCode).toBe(0);
    expect(made.stdout).toMatch(/^vgl_[\w-]{43}\n$/);
    expect(made.stderr).toMatch(/^This is the only time the key is shown\. To revoke it, name its GUID: \S{36}\n$/);
    expect((await service.call('GET', '/api/core/users', { key: made.stdout.trim() })).status).toBe(200);
  });

  it('is captured by a shell as the key and nothing else', async () => {
    const child = spawn(process.execPath, [EXECUTABLE, 'key', 'create', 'member', '--name', 'shell'], {
      env: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY },
    });
    expect(await text(child.stdout)).toMatch(/^vgl_[\w-]{43}\n$/);
  });

  it('takes the own account where none is named', async () => {
    for (const key of [member, MASTER_KEY]) {
      const made = JSON.parse((await vigil(key, 'key', 'create', '--name', 'own', '--json')).stdout);
      expect(made).toEqual({ guid: expect.any(String), api_key: expect.stringMatching(/^vgl_/) });
      const { stdout } = await vigil(key, 'key', 'list', '--json');
      expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ guid: made.guid, name: 'own' }));
    }
  });

  it('lists keys with their ends and their hosts', async () => {
    const ends = ['--expires-at', '2099-01-31 00:00:00+0900', '--trust-hosts', '10.0.0.0/8'];
    await vigil(MASTER_KEY, 'key', 'create', 'member', '--name', 'ends', ...ends);
    const { stdout } = await vigil(MASTER_KEY, 'key', 'list', 'member');
    expect(stdout).toMatch(/^NAME +BEGINS WITH +SCOPE +CREATED +EXPIRES +LAST USED +TRUSTED HOSTS +GUID$/m);
    expect(stdout).toMatch(/^ends +vgl_\S{6} +all +.+2099-01-30 15:00:00\+0000 +never +10\.0\.0\.0\/8 +\S{36}$/m);
    expect(stdout).toMatch(/^first .+ never .+ anywhere +\S{36}$/m);
  });

  it('creates a key that only sends logs', async () => {
    await vigil(MASTER_KEY, 'key', 'create', 'member', '--name', 'sender', '--scope', 'push');
    const { stdout } = await vigil(MASTER_KEY, 'key', 'list', 'member');
    expect(stdout).toMatch(/^sender +vgl_\S{6} +push /m);
  });

  it('hands on what the service says about a wrong time', async () => {
    const late = await vigil(member, 'key', 'create', '--name', 'x', '--expires-at', '2001-01-01 00:00:00+0000');
    expect(late).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: "vigil: 'expires_at' must be in the future. (invalid-argument)\n",
    });
  });

  it('revokes a key, which is refused from then on', async () => {
    const made = JSON.parse((await vigil(member, 'key', 'create', '--name', 'gone', '--json')).stdout);
    const revoked = await vigil(MASTER_KEY, 'key', 'revoke', made.guid, 'member');
    expect(revoked).toEqual({ exitCode: 0, stdout: '', stderr: `The key ${made.guid} is revoked.\n` });
    expect(await vigil(made.api_key, 'key', 'list')).toMatchObject({
      exitCode: 1,
      stderr: 'vigil: invalid api key (unauthorized)\n',
    });
  });

  it('asks before the last key of the last MASTER is revoked', async () => {
    await using alone = await startService();
    const environment = { VIGIL_URL: alone.url, VIGIL_KEY: MASTER_KEY };
    const run = (...args: readonly string[]) => runCli(args, { environment });
    const keysOf = async (key = MASTER_KEY): Promise<string[]> => {
      const { stdout } = await runCli(['key', 'list', '--json'], { environment: { ...environment, VIGIL_KEY: key } });
      return JSON.parse(stdout).map(({ guid }: { guid: string }) => guid);
    };
    const [last = ''] = await keysOf();
    // Neither of them opens what a MASTER needs.
    await run('key', 'create', '--name', 'sender', '--scope', 'push');
    await run('user', 'create', 'admin', '--name', 'A', '--role', 'ADMIN');
    const refused = await run('key', 'revoke', last);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('This is the last key of the last MASTER');
    expect(refused.stderr).toContain('--yes');
    expect(await keysOf()).toContain(last);

    const terminal = new TestTerminal();
    const ended = terminal.start(['key', 'revoke', last], environment);
    await terminal.until('(yes or no)');
    terminal.type('no\n');
    expect(await ended).toBe(2);
    expect(await keysOf()).toContain(last);

    const made = JSON.parse((await run('key', 'create', '--name', 'second', '--json')).stdout);
    expect((await run('key', 'revoke', made.guid)).exitCode).toBe(0);
    expect((await run('key', 'revoke', last, '--yes')).exitCode).toBe(0);
    expect((await alone.call('GET', '/api/core/users')).status).toBe(401);
  });

  it('does not take a path for the GUID of a key', async () => {
    const { exitCode, stderr } = await vigil(member, 'key', 'revoke', '../..');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'vigil: key_guid should be guid type. (invalid-param-type)\n',
    });
  });
});
