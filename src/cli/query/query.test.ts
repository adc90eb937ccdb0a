import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { productManifest } from '#docs/product.ts';
import { type CliContext, runCli } from '#test/support/cli.ts';
import { type Script, type StandInStatus, startQueryStandIn } from '#test/support/query-service.ts';
import { until } from '#test/support/until.ts';

const EXECUTABLE = join(import.meta.dirname, '../../../bin/vigil.js');
const folder = mkdtempSync(join(tmpdir(), 'vigil-query-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function vigil(args: readonly string[], script: Script = {}, context: CliContext = {}) {
  await using service = await startQueryStandIn(script);
  const environment = { VIGIL_URL: service.url, VIGIL_KEY: 'vgl_key', ...context.environment };
  const captured = await runCli(['query', ...args], { ...context, environment });
  return { ...captured, calls: service.calls(), heard: service.heard };
}

const done = (status: StandInStatus = {}): readonly (readonly StandInStatus[])[] => [
  [{ is_finished: true, ...status }],
];
const page = (fields: Record<string, string>, rows: string) =>
  `{"rows":${rows},"total":9,"field_order":${JSON.stringify(Object.keys(fields))},"field_types":${JSON.stringify(fields)}}`;
const asked = (query: URLSearchParams) => query.toString();

describe('vigil query', () => {
  it('runs in the foreground, follows, fetches, and leaves nothing behind', async () => {
    const { exitCode, stdout, stderr, calls, heard } = await vigil(['table web'], {
      events: done({ rows: 2 }),
      rows: () => '{"n":1}\n{"n":9223372036854775807}\n',
    });
    expect([exitCode, stdout, stderr]).toEqual([0, '{"n":1}\n{"n":9223372036854775807}\n', '']);
    expect(calls).toEqual(['POST /cursors', 'GET /queries/7/events', 'GET /cursors/7', 'DELETE /cursors/7']);
    expect(JSON.parse(heard[0]?.body ?? '')).toEqual({ q: 'table web', background: false, params: '{}' });
    expect(new Set(heard.map(({ agent }) => agent))).toEqual(new Set([`vigil-shell/${productManifest().version}`]));
  });

  it.each<[string, string[], string]>([
    ['all rows as lines of JSON', [], 'format=json&times=millis&offset=0&limit=5'],
    ['as many as wanted', ['--limit', '3'], 'format=json&times=millis&offset=0&limit=3'],
    ['no more than there are', ['--limit=9'], 'format=json&times=millis&offset=0&limit=5'],
    ['csv', ['--format', 'csv'], 'format=csv&times=millis&offset=0&limit=5'],
    ['one JSON document', ['--json'], 'format=json-single&times=millis&offset=0&limit=5'],
  ])('asks for %s', async (_, flags, query) => {
    expect((await vigil(['table web', ...flags], { events: done({ rows: 5 }), rows: asked })).stdout).toBe(query);
  });

  it('hands parameters on as JSON where they are JSON, else as text', async () => {
    const params = ['n=9223372036854775807', 'ip=10.0.0.1', 'id="007"', 'list=[1,"a=b"]', 'empty=', '__proto__=x'];
    const { heard } = await vigil(['table web', ...params.flatMap((param) => ['--param', param])]);
    expect(JSON.parse(heard[0]?.body ?? '').params).toBe(
      '{"n":9223372036854775807,"ip":"10.0.0.1","id":"007","list":[1,"a=b"],"empty":"","__proto__":"x"}',
    );
  });

  it.each<[string[], string]>([
    [[], 'TEXT is missing'],
    [['a', '--format', 'xml'], '--format must be one of table, csv, json, not `xml`'],
    [['a', '--format', 'csv', '--json'], '--json and --format cannot be combined'],
    [['a', '--limit', '-1'], '--limit must be a whole number from 0 to 9007199254740991, not `-1`'],
    [['a', '--param', 'x'], '--param must be NAME=VALUE, not `x`'],
    [['a', '--param', 'x=1', '--param', 'x=2'], '--param x is given twice'],
  ])('complains before anything is sent about %j', async (args, complaint) => {
    const { exitCode, stderr, calls } = await vigil(args);
    expect([exitCode, calls]).toEqual([2, []]);
    expect(stderr).toContain(complaint);
  });

  it('writes a file that is there only when it is whole', async () => {
    const csv = join(folder, 'a.CSV');
    const lines = join(folder, 'a.out');
    const script = { events: done({ rows: 1 }), rows: asked };
    expect(await vigil(['x', '--output', csv], script, { isTerminal: true })).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
    expect(readFileSync(csv, 'utf8')).toBe('format=csv&times=millis&offset=0&limit=1');
    expect(await vigil(['x', '--output', lines], script)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(readFileSync(lines, 'utf8')).toBe('format=json&times=millis&offset=0&limit=1');
    const nowhere = join(folder, 'none', 'a');
    const failed = await vigil(['x', '--output', nowhere], script);
    expect([failed.exitCode, failed.stderr]).toEqual([1, `vigil: cannot write ${nowhere} (ENOENT)\n`]);
    expect(failed.calls.at(-1)).toBe('DELETE /cursors/7');
  });

  it('leaves a file as it was where the query fails midway, and the rows beside it', async () => {
    const file = join(folder, 'kept.csv');
    writeFileSync(file, 'good');
    const script = { events: done({ rows: 1, error_code: 93003, error_detail: 'x' }), rows: asked };
    const { exitCode, stderr } = await vigil(['x', '--output', file], script);
    expect([exitCode, readFileSync(file, 'utf8')]).toEqual([1, 'good']);
    expect(readFileSync(`${file}.part`, 'utf8')).toBe('format=csv&times=millis&offset=0&limit=1');
    expect(stderr).toContain(`${file}.part holds what came before the end; ${file} is as it was.\n`);
  });

  it('writes to where a link leads, keeps the mode of a file, and writes into a pipe', async () => {
    const script = { events: done({ rows: 1 }), rows: asked };
    const file = join(folder, 'real');
    const link = join(folder, 'link');
    const ahead = join(folder, 'ahead');
    const pipe = join(folder, 'pipe');
    writeFileSync(file, 'old');
    chmodSync(file, 0o664);
    symlinkSync('real', link);
    symlinkSync('new', ahead);
    for (const output of [link, ahead]) {
      expect((await vigil(['x', '--output', output], script)).exitCode).toBe(0);
      expect(lstatSync(output).isSymbolicLink()).toBe(true);
    }
    expect(readFileSync(file, 'utf8')).toContain('format=');
    expect(readFileSync(join(folder, 'new'), 'utf8')).toContain('format=');
    expect(statSync(file).mode & 0o777).toBe(0o664);
    execFileSync('mkfifo', [pipe]);
    const [read, written] = await Promise.all([readFile(pipe, 'utf8'), vigil(['x', '--output', pipe], script)]);
    expect([written.exitCode, read]).toEqual([0, 'format=json&times=millis&offset=0&limit=1']);
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it('writes to where a link leads that is itself behind a link to a folder', async () => {
    const script = { events: done({ rows: 1 }), rows: asked };
    const apart = mkdtempSync(join(folder, 'apart-'));
    mkdirSync(join(apart, 'there', 'deep'), { recursive: true });
    symlinkSync('there/deep', join(apart, 'short'));
    symlinkSync('../file', join(apart, 'there', 'deep', 'link'));
    writeFileSync(join(apart, 'file'), 'of somebody else');
    expect((await vigil(['x', '--output', join(apart, 'short', 'link')], script)).exitCode).toBe(0);
    expect(readFileSync(join(apart, 'there', 'file'), 'utf8')).toContain('format=');
    expect(readFileSync(join(apart, 'file'), 'utf8')).toBe('of somebody else');
  });

  it('replaces a file in memory as any other one', async () => {
    const script = { events: done({ rows: 1 }), rows: asked };
    const inMemory = mkdtempSync('/dev/shm/vigil-query-test-');
    const file = join(inMemory, 'rows');
    writeFileSync(file, 'old');
    expect((await vigil(['x', '--output', file], script)).exitCode).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('format=json&times=millis&offset=0&limit=1');
    rmSync(inMemory, { recursive: true });
  });

  it.each(['/dev/stdout', '/proc/self/fd/1', 'a link'])('goes on behind what standard output has: %s', async (name) => {
    await using service = await startQueryStandIn({ events: done({ rows: 1 }), rows: asked });
    const apart = mkdtempSync(join(folder, 'stdout-'));
    const link = join(apart, 'link');
    symlinkSync('/dev/stdout', link);
    const file = join(apart, 'file');
    writeFileSync(file, 'before\n');
    const stdout = openSync(file, 'a');
    const output = name === 'a link' ? link : name;
    const child = spawn(process.execPath, [EXECUTABLE, 'query', 'x', '--output', output], {
      env: { PATH: process.env.PATH, VIGIL_URL: service.url, VIGIL_KEY: 'vgl_key' },
      stdio: ['ignore', stdout, 'inherit'],
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    closeSync(stdout);
    expect(readFileSync(file, 'utf8')).toBe('before\nformat=json&times=millis&offset=0&limit=1');
  });

  it.each(['', join(folder, 'nothing/')])('refuses what names no file: "%s"', async (output) => {
    const { exitCode, stderr } = await vigil(['x', '--output', output], { events: done({ rows: 1 }), rows: asked });
    expect([exitCode, stderr]).toEqual([1, `vigil: cannot write ${output} (EISDIR)\n`]);
  });

  it('follows on when the connection breaks', async () => {
    const { exitCode, calls } = await vigil(['x'], {
      events: [[{ rows: 1 }], [], [{ rows: 2, is_finished: true }]],
      rows: asked,
    });
    expect(exitCode).toBe(0);
    expect(calls.filter((call) => call === 'GET /queries/7/events').length).toBe(3);
  });

  it.each<[string, StandInStatus, string]>([
    [
      'en_US.UTF-8',
      { error_code: 93003, error_detail: 'memory or disk is exhausted', cancel_reason: 'LowDisk' },
      'vigil: the query failed: memory or disk is exhausted (93003); rows until then: 1,234\n',
    ],
    [
      'ko_KR.UTF-8',
      { error_code: 93003, error_detail: 'memory or disk is exhausted', cancel_reason: 'LowDisk' },
      'vigil: 쿼리가 실패했습니다: 메모리나 디스크가 부족합니다 (93003). 그때까지의 결과: 1,234건\n',
    ],
    ['C', { cancel_reason: 'Interrupted' }, 'vigil: the query was cancelled (Interrupted); rows until then: 1,234\n'],
  ])('writes what there is of a query that failed, and says so (%s)', async (LANG, status, says) => {
    const events = done({ rows: 1234, is_cancelled: true, ...status });
    const outcome = await vigil(['x'], { events, rows: asked }, { environment: { LANG } });
    expect(outcome).toMatchObject({
      exitCode: 1,
      stdout: 'format=json&times=millis&offset=0&limit=1234',
      stderr: says,
    });
  });

  it('passes on warnings, in the language of the terminal', async () => {
    const warnings = ['warning: field sorce is not known here', 'something new'];
    const korean = { environment: { LANG: 'ko_KR.UTF-8' } };
    expect((await vigil(['x'], { events: done({ warnings }) })).stderr).toBe(`${warnings.join('\n')}\n`);
    expect((await vigil(['x'], { events: done({ warnings }) }, korean)).stderr).toBe(
      "경고: 'sorce' 필드를 알 수 없습니다\nsomething new\n",
    );
  });
});

describe('vigil query on a terminal', () => {
  const runSession = { isTerminal: true, environment: { NO_COLOR: '1' } };

  it('shows a table, and how much of it', async () => {
    const { stdout, stderr } = await vigil(
      ['x'],
      {
        events: done({ rows: 1002 }),
        rows: (query) => {
          expect(query.toString()).toBe('format=json-single&times=millis&offset=0&limit=1000');
          return page(
            { 이름: 'string', n: 'long', m: 'map' },
            '[{"이름":"김철수","n":9223372036854775807,"m":{"a":1}},{"이름":"a\\u001b[2J\\nb","n":5}]',
          );
        },
      },
      runSession,
    );
    expect(stdout.split('\n')).toEqual([
      '이름                       n  m',
      '김철수   9223372036854775807  {"a":1}',
      'a·[2J·b                    5',
      '',
    ]);
    expect(stderr).toBe(
      '1,000 of 1,002 rows; --limit shows more, --output writes all of them to a file.\n1,002 rows in 1.23 s\n',
    );
  });

  it('fetches page by page, and names columns again where they are others', async () => {
    const { stdout, calls } = await vigil(
      ['x', '--limit', '2500'],
      {
        events: done({ rows: 3000 }),
        rows(query) {
          const offset = Number(query.get('offset'));
          expect(query.get('limit')).toBe(offset === 2000 ? '500' : '1000');
          return page(offset === 2000 ? { n: 'long', z: 'string' } : { n: 'long' }, `[{"n":${offset}}]`);
        },
      },
      runSession,
    );
    expect(stdout.split('\n')).toEqual(['n', '0', '1000', '   n  z', '2000', '']);
    expect(calls.filter((call) => call === 'GET /cursors/7').length).toBe(3);
  });

  it('shows one table of what is piped on when that is wanted', async () => {
    const { stdout, stderr } = await vigil(['x', '--format', 'table'], {
      events: done({ rows: 1 }),
      rows: () => page({ a: 'any' }, '[{"a":[1.5]}]'),
    });
    expect([stdout, stderr]).toEqual(['a\n[1.5]\n', '']);
  });
});

describe('Ctrl-C during vigil query', () => {
  it.each<[NodeJS.Signals, number, string]>([
    ['SIGINT', 130, 'Cancelling the query; Ctrl-C again leaves without waiting.\n'],
    ['SIGTERM', 143, 'Cancelling the query; Ctrl-C again leaves without waiting.\n'],
    ['SIGHUP', 129, ''],
  ])('cancels it, waits for its end and takes its rows away: %s', async (signal, exitCode, says) => {
    await using service = await startQueryStandIn({ events: [[{ rows: 3 }]] });
    const output = join(folder, `${signal}.ndjson`);
    const child = spawn(process.execPath, [EXECUTABLE, 'query', 'table web', '--output', output], {
      env: { PATH: process.env.PATH ?? '', VIGIL_URL: service.url, VIGIL_KEY: 'vgl_key', LANG: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const close = once(child, 'close');
    for (let round = 0; round < 20 && service.calls().length < 2; round += 1) {
      await until(
        async () => service.calls(),
        (calls) => calls.includes('GET /queries/7/events'),
      );
    }
    child.kill(signal);
    await close;
    expect([child.exitCode, stderr]).toEqual([exitCode, says]);
    expect(service.calls()).toEqual([
      'POST /cursors',
      'GET /queries/7/events',
      'POST /queries/7/cancel',
      'DELETE /cursors/7',
    ]);
    expect(existsSync(output)).toBe(false);
  });
});
