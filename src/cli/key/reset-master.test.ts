import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '#test/support/cli.ts';
import { databases, MASTER_KEY, type Service, startService } from '#test/support/service.ts';

const RESET = ['key', 'reset-master'];

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`vigil key reset-master on ${name}`, () => {
    it('replaces every key of master on a stopped service, and leaves an entry in the audit trail', async () => {
      await using service = await startService({ database: name });
      await service.stop();
      const { exitCode, stdout, stderr } = await runCli([...RESET, ...foldersOf(service)]);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 0,
        stderr: 'This is the only time the new key of `master` is shown. All older ones are revoked.\n',
      });
      const key = stdout.trim();
      expect(stdout).toMatch(/^vgl_[\w-]{43}\n$/);
      await service.restart();
      expect((await service.call('GET', '/api/core/users')).status).toBe(401);
      const { audit_logs } = (await service.call('GET', '/api/core/audit-logs?actions=users.reset-master', { key }))
        .json;
      expect(audit_logs).toMatchObject([{ module: 'users', method: 'reset-master', result: 'Success', user: '-' }]);
      expect(audit_logs[0].msg_params).toMatchObject({ login: 'master', name: 'master', guid: expect.any(String) });
      const { head } = (await service.call('GET', '/api/core/audit-logs/proof', { key })).json;
      expect(head.id).toBeGreaterThanOrEqual(audit_logs[0].id);
    });
  });
}

describe('vigil key reset-master', () => {
  it('is refused while the service runs, and changes nothing', async () => {
    await using service = await startService();
    const refused = await runCli([...RESET, ...foldersOf(service)]);
    expect(refused).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `vigil: the data folder ${service.config.data} is in use by another Vigil process\n`,
    });
    expect((await service.call('GET', '/api/core/users')).status).toBe(200);
  });

  it('reads the folders from the environment, and prints JSON on demand', async () => {
    await using service = await startService();
    await service.stop();
    const environment = { VIGIL_DATA: service.config.data, VIGIL_KEYS: service.config.keys };
    const { exitCode, stdout } = await runCli([...RESET, '--json'], { environment });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ api_key: expect.stringMatching(/^vgl_/) });
  });

  it('makes nothing where no service has ever been', async () => {
    await using service = await startService();
    const data = join(service.config.data, 'mistyped');
    const { exitCode, stderr } = await runCli([...RESET, '--data', data, '--keys', service.config.keys]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`no Vigil service has ever been started on the data folder ${data}`);
    expect(existsSync(data)).toBe(false);
  });

  it('is refused with the keys folder of another service, whose witness it would not be', async () => {
    await using service = await startService();
    await service.stop();
    const keys = join(service.config.data, 'other-keys');
    const { exitCode, stderr } = await runCli([...RESET, '--data', service.config.data, '--keys', keys]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('there is no audit witness');
    expect(existsSync(keys)).toBe(false);
    await service.restart();
    expect((await service.call('GET', '/api/core/users', { key: MASTER_KEY })).status).toBe(200);
  });
});

const postgres = databases.find(({ name }) => name === 'postgres');

describe.skipIf(postgres?.skip)('vigil key reset-master on a shared database', () => {
  it('is refused on another data folder than that of the logs, and on none', async () => {
    await using service = await startService({ database: 'postgres' });
    await using other = await startService();
    await other.stop();
    const { database, keys } = service.config;
    const reset = (folder: string) =>
      runCli([...RESET, `--data=${folder}`, `--keys=${keys}`, `--database=${database}`]);
    const refused = await reset(other.config.data);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('node vigil keeps the logs of this database');
    const mistyped = join(other.config.data, 'mistyped');
    expect((await reset(mistyped)).exitCode).toBe(1);
    expect(existsSync(mistyped)).toBe(false);
    expect((await service.call('GET', '/api/core/users')).status).toBe(200);
  });
});

const foldersOf = ({ config }: Service): string[] => [
  `--data=${config.data}`,
  `--keys=${config.keys}`,
  ...(config.database === undefined ? [] : [`--database=${config.database}`]),
];
