import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '#test/support/cli.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

describe('vigil shell without a terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-script-'));
  let service: Service;
  beforeAll(async () => {
    service = await startService();
    const logger = await createLogger(service, { table: 'web' });
    await push(service, logger, { body: '{"n":1,"s":"a"}\n{"n":2,"s":"b"}' });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const shell = (stdin: string, flags: readonly string[] = []) =>
    runCli(['shell', ...flags], {
      stdin,
      environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, XDG_STATE_HOME: folder, LANG: 'C' },
    });

  it('runs each query of the input in turn, over lines too, and writes nothing else', async () => {
    expect(await shell('table web | stats count\n\ntable web\n| sort n\n| fields s')).toEqual({
      exitCode: 0,
      stdout: '{"count":2}\n{"s":"a"}\n{"s":"b"}\n',
      stderr: '',
    });
  });

  it('goes on after a mistake, and its exit code tells', async () => {
    const { exitCode, stdout, stderr } = await shell('table wbe\ntable web | stats count');
    expect([exitCode, stdout]).toEqual([2, '{"count":2}\n']);
    expect(stderr).toBe(
      'vigil: line 1, column 7: there is no table wbe (10001)\n  table wbe\n        ^^^\n  did you mean web?\n',
    );
  });

  it('takes commands of its own, a format and parameters', async () => {
    const file = join(folder, 'out.json');
    const input = `\\format csv\njson "{a:1}"\n\\format json\n\\o ${file}\njson "{b:2}"\njson "{c:3}" | eval d = $("d")`;
    expect(await shell(input, ['--param', 'd=4'])).toMatchObject({ exitCode: 0, stdout: 'a\r\n1\r\n{"c":3,"d":4}\n' });
    expect(readFileSync(file, 'utf8')).toBe('{"b":2}\n');
    expect((await shell('\\tables\n\\fields web', ['--format', 'csv'])).stdout).toBe(
      'web\n_table  string\n_time   date\n_id     long\nn       long\ns       string\n',
    );
    expect(await shell('\\quit\ntable web')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('explains commands and functions of the query language', async () => {
    const { exitCode, stdout } = await shell('\\help search\n\\help nvl');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'search [offset=0] [limit=N] EXPR\n' +
        '  Keeps the rows for which the expression is true.\n' +
        '  Options:\n' +
        '    offset=long  Number of rows that are dropped first. · = 0\n' +
        '    limit=long   Largest number of rows.\n' +
        'nvl(x, y) → any\n' +
        '  x, or y if x is null.\n',
    );
  });

  it.each<[string, string]>([
    ['\\help serach', 'vigil: there is no command or function serach; did you mean search?\n'],
    ['\\help frobnicate', 'vigil: there is no command or function frobnicate\n'],
    ['\\nonsense', 'vigil: there is no command \\nonsense; \\help lists the commands\n'],
    ['\\tabels', 'vigil: there is no command \\tabels; did you mean \\tables?\n'],
    ['\\fields', 'vigil: \\fields needs TABLE\n'],
    ['\\format xml', 'vigil: \\format must be one of table, csv, json, not `xml`\n'],
  ])('says what it does not know: %s', async (input, stderr) => {
    expect(await shell(input)).toEqual({ exitCode: 2, stdout: '', stderr });
  });

  it('complains before anything is read about flags', async () => {
    expect(await shell('table web', ['--format', 'xml'])).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
