import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeText } from '#query/values/text/charsets.ts';
import { startProxy } from '#test/support/breaking-proxy.ts';
import { type CliContext, runCli } from '#test/support/cli.ts';
import { killHalfway } from '#test/support/killed-import.ts';
import { rowsOf } from '#test/support/logs.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';
import { createTable } from '#test/support/uploads.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-import-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Longer than what is decoded at once; `똠방각하` has a syllable that only cp949 has. */
const KOREAN_TEXT = Array.from({ length: 30_000 }, (_, n) => `${n} 로그인 실패: 똠방각하${'가'.repeat(n % 3)}\n`).join(
  '',
);
const KOREAN_BYTES = Buffer.from(encodeText(KOREAN_TEXT, 'cp949') ?? []);

describe('vigil import', () => {
  let service: Service;
  let tables = 0;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const newTable = async () => {
    tables += 1;
    await createTable(service, `t${tables}`);
    return `t${tables}`;
  };
  const environmentOf = (url = service.url) => ({ VIGIL_URL: url, VIGIL_KEY: MASTER_KEY, XDG_STATE_HOME: folder });
  const vigil = (args: readonly string[], { environment, ...others }: CliContext = {}, url?: string) =>
    runCli(['import', ...args], { ...others, environment: { ...environmentOf(url), ...environment } });
  const count = async (table: string) => (await rowsOf(service, `table ${table} | stats count`))[0].count;
  const remembered = () => readdirSync(join(folder, 'vigil', 'imports'));

  it('brings several files into a table, each read as its name ends', async () => {
    const table = await newTable();
    const files = [
      file('a.ndjson', '{"n":1}\n{"n":2}\n'),
      file('b.csv', 'n,m\n3,x\n'),
      file('c.log', 'a line\n'),
      file('d.csv.gz', gzipSync('n\n4\n5\n')),
    ];
    const { exitCode, stdout, stderr } = await vigil([...files, '--table', table]);
    expect([exitCode, stderr]).toEqual([0, '']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/).map((cell) => cell.trim()));
    expect(lines).toEqual([
      ['FILE', 'ACCEPTED', 'REJECTED'],
      ...files.map((path, index) => [path, String([2, 1, 1, 2][index]), '0']),
    ]);
    const rows = await rowsOf(service, `table order=asc ${table}`);
    expect(rows.map(({ n, line }) => n ?? line)).toEqual([1, 2, '3', 'a line', '4', '5']);
    expect(remembered()).toEqual([]);
  });

  it('reads standard input, compressed too, in the format that is said', async () => {
    const table = await newTable();
    expect(await vigil(['-', '--table', table], { stdin: '{"n":1}' })).toMatchObject({ exitCode: 0 });
    const gzip = { stdin: gzipSync('one\ntwo') };
    expect(await vigil(['-', '--table', table, '--format=text'], gzip)).toMatchObject({ exitCode: 0 });
    expect(await count(table)).toBe(3);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('vigil-nameless-'))).toEqual([]);
  });

  it('names the lines that were rejected, and ends with 1', async () => {
    const table = await newTable();
    const path = file('bad.ndjson', `{"n":1}\nx\n[]\n${'y\n'.repeat(30)}`);
    const { exitCode, stdout, stderr } = await vigil([path, '--table', table]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${path}:2: malformed-json\n${path}:3: not-an-object\n`);
    expect(stderr).toContain(`${path}: 12 more lines were rejected; --json lists up to 1,000\n`);
    expect(stdout).toMatch(/ 1 +32\n$/);
    const json = JSON.parse((await vigil([path, '--table', table, '--json'])).stdout);
    expect(json).toMatchObject([{ file: path, accepted: 1, rejected_count: 32 }]);
    expect(json[0].rejected.length).toBe(32);
  });

  it('says what the service refuses, in the language of the terminal, and goes on with the next file', async () => {
    const table = await newTable();
    const bad = file('bad.gz', 'no gzip');
    const good = file('good.ndjson', '{}');
    const environment = { LANG: 'ko_KR.UTF-8', XDG_STATE_HOME: join(folder, 'elsewhere') };
    const { exitCode, stderr } = await vigil([bad, good, '--table', table], { environment });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/bad\.gz 파일을 가져오지 못했습니다: wrong gzip data: [0-9a-f-]+ \(illegal-state\)\n$/);
    expect(await count(table)).toBe(1);
    expect((await vigil([good, '--table', 'none'])).stderr).toContain('table not found: none');
  });

  it.each([
    [['nowhere', '--table', 't'], 2, 'there is no file nowhere'],
    [[folder, '--table', 't'], 2, 'is not a file'],
    [['-', '-', '--table', 't'], 2, 'given twice'],
    [['-'], 2, '--table is required'],
    [['--table', 't'], 2, 'FILE... is missing'],
  ])('complains before anything is sent about %j', async (args, exitCode, complaint) => {
    const { stderr, ...rest } = await vigil(args);
    expect(rest).toEqual({ exitCode, stdout: '' });
    expect(stderr).toContain(complaint);
  });

  it.each([
    { charset: 'cp949', bytes: KOREAN_BYTES },
    { charset: 'utf-16', bytes: Buffer.from(KOREAN_TEXT, 'utf16le') },
    { charset: 'utf-16be', bytes: Buffer.from(KOREAN_TEXT, 'utf16le').swap16() },
    { charset: undefined, bytes: Buffer.from(`\ufeff${KOREAN_TEXT}`, 'utf16le') },
    { charset: undefined, bytes: Buffer.from(`\ufeff${KOREAN_TEXT}`, 'utf16le').swap16() },
    { charset: 'utf-16', bytes: Buffer.from(`\ufeff${KOREAN_TEXT}`, 'utf16le').swap16() },
  ])('reads $charset, as a preview of the parser does, compressed too', async ({ charset, bytes }) => {
    const table = await newTable();
    const files = [file('korean.log', bytes), file('korean.log.gz', gzipSync(bytes))];
    const flags = charset === undefined ? [] : ['--charset', charset];
    const { exitCode, stderr } = await vigil([...files, '--table', table, ...flags]);
    expect([exitCode, stderr]).toEqual([0, '']);
    const lines = KOREAN_TEXT.trimEnd().split('\n');
    const rows = await rowsOf(service, `table order=asc ${table}`);
    expect(rows.map(({ line }) => line)).toEqual([...lines, ...lines]);
    expect(rows.filter(({ _repaired }) => _repaired)).toEqual([]);
    for (const path of files) {
      const args = ['parser', 'preview', path, '--kind', 'regex', '--configs', '{"pattern":"(?<all>.+)"}', '--json'];
      const preview = await runCli([...args, ...flags], { environment: environmentOf() });
      const made = JSON.parse(preview.stdout).map(({ record }: { record: { all: string } }) => record.all);
      expect(made).toEqual(lines.slice(0, 10));
    }
  });

  it('marks a record whose bytes are not of the character set, and refuses an unknown one before anything is sent', async () => {
    const table = await newTable();
    const path = file('broken.log', Buffer.concat([Buffer.from('a '), Buffer.from([0xff, 0x0a]), KOREAN_BYTES]));
    expect((await vigil([path, '--table', table, '--charset', 'CP949'])).exitCode).toBe(0);
    const marked = (await rowsOf(service, `table order=asc ${table}`)).filter(({ _repaired }) => _repaired);
    expect(marked.map(({ line }) => line)).toEqual(['a \ufffd']);
    const { exitCode, stderr } = await vigil([path, '--table', table, '--charset', 'klingon']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('there is no character set `klingon`')]);
    const metadata = JSON.stringify({ table, charset: 'klingon' });
    const refusal = await service.call('POST', '/api/core/upload-streams', {
      form: { file_name: 'a', file_size: '1', metadata },
    });
    expect([refusal.status, refusal.json.error_msg]).toEqual([
      400,
      "'metadata.charset' should be a known character set: klingon",
    ]);
  });

  it('goes on over a connection that breaks again and again', async () => {
    const table = await newTable();
    const path = file('long.log', 'a line of the log\n'.repeat(60_000));
    await using proxy = await startProxy(service.url, 400_000);
    expect(await vigil([path, '--table', table], {}, proxy.url)).toMatchObject({ exitCode: 0 });
    expect(proxy.broken()).toBeGreaterThan(1);
    expect(await count(table)).toBe(60_000);
  });

  it('goes on where it was killed, when it is run again', async () => {
    const table = await newTable();
    const path = file('killed.log', 'another line of the log\n'.repeat(60_000));
    await using proxy = await startProxy(service.url, Number.POSITIVE_INFINITY, 700_000);
    await killHalfway(service, ['import', path, '--table', table], environmentOf(proxy.url));
    proxy.release();
    expect(remembered().length).toBe(1);
    const { exitCode, stderr } = await vigil([path, '--table', table], {}, proxy.url);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^killed\.log: resuming after [\d.]+ KiB of 1\.4 MiB\n$/);
    expect(await count(table)).toBe(60_000);
    expect(remembered()).toEqual([]);
  });

  it('begins anew with a file that was rewritten with its size after the import was killed', async () => {
    const table = await newTable();
    const line = (mark: string, n: number) => `{"mark":"${mark}","n":"${String(n).padStart(6, '0')}"}\n`;
    const content = (mark: string) =>
      Array.from({ length: 60_000 }, (_, n) => line(n > 20_000 && n < 40_000 ? mark : '-', n)).join('');
    const path = file('rewritten.ndjson', content('a'));
    await using proxy = await startProxy(service.url, Number.POSITIVE_INFINITY, 700_000);
    const environment = { ...environmentOf(proxy.url), XDG_STATE_HOME: join(folder, 'rewritten') };
    await killHalfway(service, ['import', path, '--table', table], environment);
    proxy.release();
    file('rewritten.ndjson', content('b'));
    expect((await vigil([path, '--table', table], { environment })).exitCode).toBe(0);
    const rows = await rowsOf(service, `table ${table} | stats count by mark | sort mark`);
    expect(rows).toEqual([
      { mark: '-', count: 40_001 },
      { mark: 'b', count: 19_999 },
    ]);
  });

  it('gives up on a file that becomes shorter while it is sent', async () => {
    const table = await newTable();
    const path = file('shrinking.log', 'a line\n'.repeat(100_000));
    await using proxy = await startProxy(service.url, Number.POSITIVE_INFINITY);
    proxy.beforePassing('POST /api/core/upload-streams HTTP', () => truncateSync(path, 7));
    const { exitCode, stderr } = await vigil([path, '--table', table], {}, proxy.url);
    expect([exitCode, stderr]).toEqual([
      1,
      `vigil: ${path} became shorter during the upload: run the same command again to start over\n`,
    ]);
    expect((await vigil([path, '--table', table], {}, proxy.url)).exitCode).toBe(0);
    expect(await count(table)).toBe(1);
  });

  it('waits for a service that is restarted', async () => {
    const table = await newTable();
    const path = file('restart.log', 'a line\n'.repeat(1000));
    await using proxy = await startProxy(service.url, Number.POSITIVE_INFINITY);
    proxy.answerOnce('/complete', 'HTTP/1.1 503 Service Unavailable', {
      error_code: 'unavailable',
      error_msg: 'service is stopping',
    });
    expect(await vigil([path, '--table', table], {}, proxy.url)).toMatchObject({ exitCode: 0 });
    expect(proxy.broken()).toBe(1);
    expect(await count(table)).toBe(1000);
  });

  it('imports nothing twice when only the answer was lost', async () => {
    const table = await newTable();
    const path = file('once.ndjson', '{"n":1}\n');
    await using proxy = await startProxy(service.url, Number.POSITIVE_INFINITY);
    proxy.swallow('/complete');
    const lost = await vigil([path, '--table', table], {}, proxy.url);
    expect(lost.exitCode).toBe(0);
    expect(proxy.broken()).toBe(1);
    expect(await count(table)).toBe(1);
  });
});
