import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliContext, runCli } from '#test/support/cli.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

describe('vigil lookup and vigil parser', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const vigil = (args: readonly string[], { environment, ...others }: CliContext = {}) =>
    runCli(args, { ...others, environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, ...environment } });

  it('create a lookup, load its rows from a file, print and remove them', async () => {
    const made = await vigil(['lookup', 'create', 'people', '--key', 'user', '--columns', 'user,dept']);
    expect(made).toEqual({ exitCode: 0, stdout: '', stderr: 'The lookup people is created.\n' });
    const file = join(service.config.data, 'people.csv');
    writeFileSync(file, 'user,dept\nlee,dev\nkim,sec\n');
    expect(await vigil(['lookup', 'load', 'people', file])).toMatchObject({
      exitCode: 0,
      stderr: 'The lookup people is in version 1; rows: 2.\n',
    });
    writeFileSync(`${file}.json`, '[{"user":"ann"}]');
    const merged = await vigil(['lookup', 'load', 'people', `${file}.json`, '--merge', '--json']);
    expect(JSON.parse(merged.stdout)).toEqual({ row_count: 3, version: 2 });
    expect((await vigil(['lookup', 'rows', 'people'])).stdout).toBe('user,dept\nann,\nkim,sec\nlee,dev\n');
    expect(JSON.parse((await vigil(['lookup', 'rows', 'people', '--keywords', 'sec', '--json'])).stdout)).toEqual([
      { user: 'kim', dept: 'sec' },
    ]);
    expect((await vigil(['lookup', 'list'])).stdout).toMatch(/^people +user +user, dept +3 +2 +master/m);
    expect((await vigil(['lookup', 'remove', 'people'])).stderr).toBe('The lookup people is removed.\n');
    expect(await vigil(['lookup', 'rows', 'people'], { environment: { LANG: 'ko_KR.UTF-8' } })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('이 키로 볼 수 있는 `people` 룩업이 없습니다'),
    });
  });

  it('keep whole numbers of 64 bits, in a column of one type and of several', async () => {
    await vigil(['lookup', 'create', 'ids', '--key', 'id', '--columns', 'id,n,mixed']);
    const rows = [
      '{"id":9007199254740993,"n":-9223372036854775808,"mixed":9007199254740993}',
      '{"id":9223372036854775807,"n":9223372036854775807,"mixed":"x"}',
    ];
    const file = join(service.config.data, 'ids.ndjson');
    for (const [path, text] of [
      [file, rows.join('\n')],
      [`${file}.json`, `[${rows.join(',')}]`],
    ] as const) {
      writeFileSync(path, text);
      expect((await vigil(['lookup', 'load', 'ids', path])).exitCode).toBe(0);
      const shown = (await vigil(['lookup', 'rows', 'ids', '--json'])).stdout.replaceAll(/\s/g, '');
      expect(shown).toBe(`[${rows.join(',')}]`);
      expect((await vigil(['lookup', 'rows', 'ids'])).stdout).toContain('9007199254740993,-9223372036854775808,');
      const query = 'json "{id:9007199254740993}" | lookup ids id output n, mixed | fields id, n, mixed';
      const { stdout } = await vigil(['query', query, '--format', 'json']);
      expect(stdout.replaceAll(/\s/g, '')).toContain(rows[0]);
    }
  });

  it('create, show, list and remove a parser', async () => {
    const configs = '{"pattern":"(?<user>\\\\w+)"}';
    const made = await vigil(['parser', 'create', 'login', '--kind', 'regex', '--configs', configs]);
    expect(made).toEqual({ exitCode: 0, stdout: '', stderr: 'The parser login is created.\n' });
    const shown = JSON.parse((await vigil(['parser', 'show', 'login'])).stdout);
    expect(shown).toMatchObject({ code: 'login', factory_name: 'regex', configs: { pattern: '(?<user>\\w+)' } });
    expect((await vigil(['parser', 'list', '--keywords', 'login'])).stdout).toMatch(/^login +login +regex +no/m);
    const stdin = 'kim\n\n!!\n';
    const preview = await vigil(['parser', 'preview', '-', '--parser', 'login'], { stdin });
    expect(preview.stdout.replaceAll(/"_time":"[^"]*"/g, '"_time":"…"').replaceAll(/ {2,}/g, '  ')).toBe(
      'OUTCOME  RECORD\nok  {"_time":"…","user":"kim"}\nparse-failed  !!\n',
    );
    const exact = ['parser', 'preview', '-', '--kind', 'json', '--configs', '{}', '--json'];
    expect((await vigil(exact, { stdin: '{"n":9007199254740993}' })).stdout).toContain('"n": 9007199254740993');
    expect((await vigil(['parser', 'remove', 'login'])).stderr).toBe('The parser login is removed.\n');
    expect(await vigil(['parser', 'show', 'login'])).toMatchObject({ exitCode: 2 });
  });
});
