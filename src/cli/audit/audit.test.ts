import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliContext, runCli } from '#test/support/cli.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

describe('vigil audit', () => {
  let service: Service;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-audit-'));
    service = await startService();
    for (const name of ['alpha', 'beta']) await service.call('POST', '/api/core/companies', { form: { name } });
    await service.call('POST', '/api/core/companies', { form: { name: 'beta' } });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const vigil = (args: readonly string[], { environment, ...others }: CliContext = {}) =>
    runCli(args, { ...others, environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, ...environment } });

  it('lists entries newest first, with what failed and why', async () => {
    const { exitCode, stdout, stderr } = await vigil(['audit', 'list', '--categories', 'companies']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const [titles, ...lines] = stdout.trimEnd().split('\n');
    expect(titles).toMatch(/^ID +TIME +USER +ADDRESS +ACTION +RESULT +MESSAGE$/);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      / master +127\.0\.0\.1 +Create company +Failure +Creation of company beta: duplicated name/,
    );
    expect(lines[2]).toMatch(/ Create company +Success +Creation of company alpha$/);
  });

  it('gives the array of the service as JSON, with labels in the language asked for', async () => {
    const { stdout } = await vigil(['audit', 'list', '--keywords', 'alpha', '--locale', 'ko', '--json']);
    const { audit_logs } = (await service.call('GET', '/api/core/audit-logs?keywords=alpha&locale=ko')).json;
    expect(audit_logs).toMatchObject([{ result: '성공' }]);
    expect(JSON.parse(stdout)).toEqual(audit_logs);
  });

  it('says that there is more than it shows', async () => {
    const part = await vigil(['audit', 'list', '--actions', 'companies.create', '--limit', '1', '--offset', '2']);
    expect(part.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(part.stdout).toContain('Creation of company alpha');
    expect(part.stderr).toBe('1 of 3 entries; --limit and --offset show the others.\n');
  });

  it('takes times as the service does, and hands on its complaint', async () => {
    const future = ['--from', '2099-01-01 00:00:00+0900', '--to', '2099-01-02 00:00:00+0900'];
    expect(await vigil(['audit', 'list', ...future])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Nothing was found.\n',
    });
    expect(await vigil(['audit', 'list', '--from', 'yesterday'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'vigil: invalid date format (invalid-argument)\n',
    });
  });

  it('sets failures off in colour on a terminal', async () => {
    const list = ['audit', 'list', '--categories', 'companies', '--limit', '1'];
    expect((await vigil(list, { isTerminal: true })).stdout).toContain('\x1b[31mFailure\x1b[39m');
    expect((await vigil(list)).stdout).not.toContain('\x1b');
  });

  it('exports what the service streams, byte for byte, to standard output', async () => {
    const { exitCode, stdout, stderr } = await vigil(['audit', 'export', '--categories', 'companies']);
    const { text } = await service.call('GET', '/api/core/audit-logs/export?categories=companies');
    expect(stdout).toBe(text);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '3 audit entries exported.\n' });
  });

  it('exports to a file that only its owner may read', async () => {
    const file = join(folder, 'trail.ndjson');
    const { stdout, stderr } = await vigil(['audit', 'export', '--categories', 'companies', '--output', file], {
      environment: { LANG: 'ko_KR.UTF-8' },
    });
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '감사 기록 3건을 내보냈습니다.\n' });
    const { text } = await service.call('GET', '/api/core/audit-logs/export?categories=companies');
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  it('says which file cannot be written', async () => {
    const file = join(folder, 'none', 'trail.ndjson');
    const refused = await vigil(['audit', 'export', '--output', file]);
    expect(refused).toEqual({ exitCode: 1, stdout: '', stderr: `vigil: cannot write ${file} (ENOENT)\n` });
  });
});
