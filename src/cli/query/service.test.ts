import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '#test/support/cli.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

describe('vigil query at a service', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
    const logger = await createLogger(service, { table: 'web' });
    const rows = ['{"path":"/a","status":200}', '{"path":"/b","status":500,"이름":"김"}', '{"path":"/a","status":404}'];
    await push(service, logger, { body: rows.join('\n') });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const vigil = (args: readonly string[], LANG = 'C', isTerminal = false) =>
    runCli(['query', ...args], { isTerminal, environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, LANG } });
  const queries = async () => (await service.call('GET', '/api/core/queries')).json.queries;

  it('writes rows as lines of JSON, as csv and as one document', async () => {
    const text = 'table web | stats count by path | sort path';
    expect(await vigil([text])).toEqual({
      exitCode: 0,
      stdout: '{"path":"/a","count":2}\n{"path":"/b","count":1}\n',
      stderr: '',
    });
    expect((await vigil([text, '--format', 'csv'])).stdout).toBe('path,count\r\n/a,2\r\n/b,1\r\n');
    expect(JSON.parse((await vigil([text, '--json', '--limit', '1'])).stdout)).toEqual({
      rows: [{ path: '/a', count: 2 }],
      total: 2,
      field_order: ['path', 'count'],
      field_types: { path: 'string', count: 'long' },
    });
  });

  it('shows a table on a terminal', async () => {
    const { stdout, stderr } = await vigil(['table web | stats count by path | sort path'], 'C', true);
    expect(stdout).toBe('path  count\n/a        2\n/b        1\n');
    expect(stderr).toMatch(/2 rows in \d+\.\d\d s\n$/);
  });

  it('has the columns of all rows in csv', async () => {
    const { stdout } = await vigil(['table order=asc web | fields path, 이름', '--format', 'csv']);
    expect(stdout).toBe('path,이름\r\n/a,\r\n/b,김\r\n/a,\r\n');
  });

  it('hands on parameters', async () => {
    const { stdout } = await vigil(['table web | search status == $("s") | fields path', '--param', 's=500']);
    expect(stdout).toBe('{"path":"/b"}\n');
  });

  it('tells how a refused text should read, and runs that with --yes', async () => {
    const text = 'status=500 | fields path';
    const offered = 'meant as: table * | search status == 500 | fields path\n';
    const refused = await vigil([text]);
    expect([refused.exitCode, refused.stdout, refused.stderr.endsWith(offered)]).toEqual([2, '', true]);
    const ran = await vigil([text, '--yes']);
    expect([ran.exitCode, ran.stdout, ran.stderr.endsWith(offered)]).toEqual([0, '{"path":"/b"}\n', true]);
  });

  it('leaves nothing behind but its entry in the audit trail', async () => {
    const before = (await queries()).length;
    expect((await vigil(['table web'])).exitCode).toBe(0);
    expect((await queries()).length).toBe(before);
    const entries = (await service.call('GET', '/api/core/audit-logs?limit=5')).text;
    expect(entries).toContain('table web');
  });

  it('only checks where that is wanted: normalized text or mistakes, and nothing runs', async () => {
    const before = (await service.call('GET', '/api/core/audit-logs?limit=1')).json.total_count;
    expect(await vigil(['table  web|stats  count', '--check'])).toEqual({
      exitCode: 0,
      stdout: 'table web | stats count\n',
      stderr: '',
    });
    const { exitCode, stdout, stderr } = await vigil(['table wbe\n| search 이름 == nope()', '--check']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.split('\n').filter((line) => line.includes('^'))).toEqual(['        ^^^', `${' '.repeat(19)}^^^^`]);
    const json = await vigil(['table wbe', '--check', '--json']);
    expect([json.exitCode, JSON.parse(json.stdout).mistakes[0].code]).toEqual([2, 10001]);
    const params = await vigil(['json "{}" | eval x = $("a")', '--check', '--param', 'a=1']);
    expect(params.exitCode).toBe(0);
    expect((await service.call('GET', '/api/core/audit-logs?limit=1')).json.total_count).toBe(before);
  });

  it('explains what a query does where, in the language of the terminal', async () => {
    const text = 'table web | search status == 500';
    const { exitCode, stdout, stderr } = await vigil([text, '--explain']);
    expect([exitCode, stderr]).toEqual([0, '']);
    const [head = '', stage = '', blank, statement] = stdout.split('\n');
    const titles = ['engine', 'commands', 'rows read', 'bytes read', 'rows moved', 'bytes moved', 'ms'];
    expect(head.trim().split(/ {2,}/)).toEqual(titles);
    expect(stage).toMatch(/^1 +embedded +0 1 +3 +0 +1 +\d+ +\d+$/);
    expect(blank).toBe('');
    expect(statement).toMatch(/^1 {2}.*"web"/);
    const korean = (await vigil([text, '--explain'], 'ko_KR.UTF-8')).stdout.split('\n')[0] ?? '';
    const koreanTitles = ['엔진', '명령', '읽은 행', '읽은 바이트', '옮긴 행', '옮긴 바이트', '밀리초'];
    expect(korean.trim().split(/ {2,}/)).toEqual(koreanTitles);
  });

  it('explains as JSON, and without a run where it only checks', async () => {
    const text = 'table web | search status == 500';
    const run = JSON.parse((await vigil([text, '--explain', '--json'])).stdout);
    const stage = { engine: 'embedded', commands: ['0', '1'], rows_read: 3, bytes_read: 0, rows_moved: 1 };
    expect(run).toMatchObject({ id: expect.any(Number), rows: 1, stages: [stage] });
    const before = (await service.call('GET', '/api/core/audit-logs?limit=1')).json.total_count;
    const planned = JSON.parse((await vigil([text, '--explain', '--check', '--json'])).stdout);
    const unknown = { rows_read: null, bytes_read: null, rows_moved: null, bytes_moved: null, elapsed: null };
    expect(Object.keys(planned)).toEqual(['stages']);
    expect(planned.stages).toMatchObject([{ engine: 'embedded', commands: ['0', '1'], ...unknown }]);
    expect((await service.call('GET', '/api/core/audit-logs?limit=1')).json.total_count).toBe(before);
    const wrong = await vigil(['table wbe', '--explain']);
    expect([wrong.exitCode, wrong.stdout, wrong.stderr.split('\n')[0]]).toEqual([
      2,
      '',
      'vigil: line 1, column 7: there is no table wbe (10001)',
    ]);
  });

  it('shows a mistake at its place, in the language of the terminal', async () => {
    expect(await vigil(['table wbe | stats count'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: [
        'vigil: line 1, column 7: there is no table wbe (10001)',
        '  table wbe | stats count',
        '        ^^^',
        '  did you mean web?',
        '',
      ].join('\n'),
    });
    const korean = await vigil(['table wbe | stats count'], 'ko_KR.UTF-8');
    expect(korean.stderr.split('\n')[0]).toBe("vigil: 1행 7열: 'wbe' 테이블이 없습니다 (10001)");
  });
});
