import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import { type CliContext, runCli } from '#test/support/cli.ts';
import { storeRecords } from '#test/support/records.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

const KOREAN = { environment: { LANG: 'ko_KR.UTF-8' } };

describe('vigil table', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const vigil = (args: readonly string[], { environment, ...others }: CliContext = {}) =>
    runCli(['table', ...args], {
      ...others,
      environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, ...environment },
    });

  it('creates a table', async () => {
    const made = await vigil(['create', 'weblog', '--layout', 'row', '--compression=deflate', '--retention', '30']);
    expect(made).toEqual({ exitCode: 0, stdout: '', stderr: 'The table weblog is created.\n' });
    const { table } = (await service.call('GET', '/api/core/tables/weblog')).json;
    expect(table).toMatchObject({ layout: 'row', compression: 'deflate', retention: 30 });
    expect((await vigil(['create', 'as_json', '--json'])).stdout).toBe('{}\n');
  });

  it('creates a table under key, and shows by which', async () => {
    const guid = await created(service, '/api/core/crypto-profiles', { name: '결제' });
    expect((await vigil(['create', 'cards', '--crypto-profile', guid, '--encrypt'])).exitCode).toBe(0);
    expect((await vigil(['stat', 'cards'])).stdout).toMatch(/^CRYPTO PROFILE +결제$/m);
    expect((await vigil(['create', 'no_key', '--encrypt'])).stderr).toContain('crypto_profile_guid should be not null');
    expect((await vigil(['drop', 'cards'])).exitCode).toBe(0);
  });

  it('passes on what the service says to a name that will not do', async () => {
    expect(await vigil(['create', 'weblog'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'vigil: duplicated name: weblog (illegal-state)\n',
    });
    expect(await vigil(['create'])).toMatchObject({ exitCode: 2 });
  });

  it('lists tables in aligned columns with sizes and days for people, and as the array the service gave', async () => {
    await storeRecords(service, 'weblog', ['2024-02-10T10:00:00Z', '2024-02-12T10:00:00Z']);
    const { stdout } = await vigil(['list']);
    expect(stdout.replace(/\d+ B {2}/, '9 B  ').replaceAll(/ {2,}/g, '  ')).toBe(
      [
        'TABLE  SIZE  SHARE  FIRST DAY  LAST DAY  RETENTION  LAYOUT  COMPRESSION  GROUP',
        'as_json  9 B  0.0 %  -  -  unlimited  columnar  snappy  -',
        `weblog  ${/weblog +(\d+ B)/.exec(stdout)?.[1]}  100.0 %  2024-02-10  2024-02-12  30 days  row  deflate  -`,
        '',
      ].join('\n'),
    );
    const { tables } = (await service.call('GET', '/api/core/tables')).json;
    expect(JSON.parse((await vigil(['list', '--json'])).stdout)).toEqual(tables);
    expect((await vigil(['list', '--keywords', 'web'])).stdout).not.toContain('as_json');
    expect((await vigil(['list', '--schema', 'none'])).stderr).toBe('Nothing was found.\n');
  });

  it('shows one table in detail, in the language of the terminal', async () => {
    const { guid } = await createAccount(service, 'MEMBER', { login: 'lee' });
    await service.call('PUT', '/api/core/tables/weblog', { json: { shared_users: [{ guid, read_only: false }] } });
    const { stdout } = await vigil(['stat', 'weblog'], KOREAN);
    expect(stdout).toMatch(/^테이블 +weblog$/m);
    expect(stdout).toMatch(/^보존 +30일$/m);
    expect(stdout).toMatch(/^첫 날 +2024-02-10$/m);
    expect(stdout).toMatch(/^공유 사용자 +lee \(읽기와 쓰기\)$/m);
    expect(stdout).toMatch(/^노드 +vigil \(\d+ B\)$/m);
    const { table } = (await service.call('GET', '/api/core/tables/weblog')).json;
    expect(JSON.parse((await vigil(['stat', 'weblog', '--json'])).stdout)).toEqual(table);
  });

  it('knows no table that the key may not see', async () => {
    const missing = { exitCode: 1, stdout: '', stderr: 'vigil: there is no table `none` that this key may see\n' };
    expect(await vigil(['stat', 'none'])).toEqual(missing);
    expect((await vigil(['stat', 'a/b?c'])).stderr).toContain('`a/b?c`');
  });

  it('drops a table', async () => {
    expect(await vigil(['drop', 'weblog'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'The table weblog is dropped.\n',
    });
    expect((await vigil(['stat', 'weblog'])).exitCode).toBe(1);
    expect((await vigil(['drop', 'weblog'])).stderr).toBe('vigil: table not found: weblog (illegal-state)\n');
  });

  it('says which loggers keep a table from being dropped', async () => {
    await vigil(['create', 'used']);
    const model_guid = await created(service, '/api/core/logger-models', {
      name: 'json',
      logger_factory_name: 'http',
      parser_code: 'json',
    });
    await created(service, '/api/core/loggers', { name: 'gate', table_name: 'used', model_guid });
    expect(await vigil(['drop', 'used'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'vigil: the table used was not dropped, because loggers write to it: gate\n',
    });
    const { exitCode, stdout } = await vigil(['drop', 'used', '--json']);
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      1,
      { failure: { loggers: ['gate'], message: 'table used in loggers' } },
    ]);
  });
});
