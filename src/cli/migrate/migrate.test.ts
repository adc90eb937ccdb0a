// An exported installation moves in: folders of every form, friendly and hostile, against a service.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_OBJECTS } from '#query/commands/shared/system-objects.ts';
import { runCli } from '#test/support/cli.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';

describe('vigil migrate', () => {
  let service: Service;
  const folders = mkdtempSync(join(tmpdir(), 'vigil-migrate-'));
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const vigil = (args: readonly string[], environment = {}) =>
    runCli(args, { environment: { VIGIL_URL: service.url, VIGIL_KEY: MASTER_KEY, ...environment } });
  /** A folder with these files, by their paths. */
  const folder = (files: Readonly<Record<string, string | Uint8Array>>): string => {
    const dir = mkdtempSync(join(folders, 'export-'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    return dir;
  };
  const report = async (verb: 'check' | 'apply', dir: string, ...flags: string[]) => {
    const { stdout, stderr, exitCode } = await vigil(['migrate', verb, dir, '--json', ...flags]);
    return { exitCode, stderr, ...(stdout === '' ? {} : JSON.parse(stdout)) };
  };
  const statuses = ({ objects }: { objects: { kind: string; name: string; status: string }[] }) =>
    objects.map(({ kind, name, status }) => `${kind}/${name} ${status}`);
  const findings = async (files: Readonly<Record<string, string | Uint8Array>>) =>
    (await report('check', folder(files))).objects.map(({ name, status, line, code }: Record<string, unknown>) =>
      [name, status, line, code].join(' '),
    );
  it('creates the objects of a folder in the order of their calls, once', async () => {
    const dir = folder({
      'table/weblog.json': '\ufeff{ "table": "other", "guid": "x" }',
      'parser/weblog.json': '{ "factory_name": "query", "configs": { "query": "parse inner" } }',
      'parser/inner.json': '{ "factory_name": "query", "configs": { "query": "parsekv" } }',
      'lookup/people.csv': 'user,dept\r\nkim,"sec, ops"\r\nlee,dev\r\n',
      'lookup/keyed.json': '{ "key": "dept", "columns": ["user", "dept"], "description": "d" }',
      'lookup/keyed.csv': 'user,dept\nkim,sec\n',
      'procedure/a_first.txt':
        '파라미터 : [string who, int least]\r\n설명 : first\r\nand more\r\n\r\nzlast | search isnull($("who"))\r\n',
      'procedure/zlast.txt': 'Description: last\nparameters :\n\n\ntable weblog\n| lookup people user output dept',
      'procedure/a%2Fb c.txt': '\nproc "a_first"(null, 1)',
      'dataset/busy.json': '{ "query": "proc a_first(null, 1)" }',
      'schedule/nightly.txt': '실행 주기 : 0 3 * * *\n경보 사용 : 사용 안 함\n\nzlast',
      'dashboard/home.json': JSON.stringify({
        layout: { panels: [{ id: '1', title: 't', query: 'table nowhere', chart: 'table', x: 0, y: 0, w: 4, h: 4 }] },
      }),
      'notes/read.me': 'x',
      'procedure/readme.md': 'x',
    });
    const checked = await report('check', dir);
    expect(statuses(checked)).toEqual([
      'table/weblog ok',
      'parser/inner ok',
      'parser/weblog ok',
      'lookup/keyed ok',
      'lookup/people ok',
      'procedure/zlast ok',
      'procedure/a_first ok',
      'procedure/a/b c ok',
      'dataset/busy ok',
      'schedule/nightly ok',
      'dashboard/home warning',
    ]);
    expect(checked).toMatchObject({
      exitCode: 0,
      counts: { ok: 10, warning: 1, refused: 0, exists: 0 },
      unread: [
        { file: 'notes', reason: 'other-folder' },
        { file: 'procedure/readme.md', reason: 'other-file' },
      ],
    });
    expect(checked.objects.at(-1)).toMatchObject({ file: 'dashboard/home.json', line: 1, code: 10001 });
    expect(statuses(await report('apply', dir, '--dry-run'))).toEqual(statuses(checked));
    const before = (await service.call('GET', '/api/core/procedures')).json.total_count;
    expect(before).toBe(0);
    const applied = await report('apply', dir);
    expect(applied.objects.every(({ created }: { created: boolean }) => created)).toBe(true);
    expect(applied.exitCode).toBe(0);
    const { json } = await service.call('GET', '/api/core/procedures?keywords=zlast');
    expect(json.procedures[0]).toMatchObject({ command: true, description: 'last' });
    const { json: first } = await service.call('GET', '/api/core/procedures?keywords=a_first');
    expect(first.procedures[0]).toMatchObject({
      description: 'first\nand more',
      command: false,
      parameters: [
        { key: 'who', name: 'who', type: 'string' },
        { key: 'least', name: 'least', type: 'long' },
      ],
    });
    const { json: schedules } = await service.call('GET', '/api/core/scheduled-queries');
    expect(schedules.scheduled_queries).toMatchObject([{ name: 'nightly', enabled: false, query_error: null }]);
    expect((await vigil(['lookup', 'rows', 'people'])).stdout).toBe('user,dept\nkim,"sec, ops"\nlee,dev\n');
    const again = await report('apply', dir);
    expect(again.counts).toEqual({ ok: 0, warning: 0, refused: 0, exists: 11 });
    expect(again.objects.some(({ created }: { created: boolean }) => created)).toBe(false);
  });

  it('creates what is chosen, of which a text may name the rest only where it exists', async () => {
    const dir = folder({ 'procedure/one.txt': '\njson "{}"', 'procedure/two.txt': '\nproc one()' });
    expect(statuses(await report('apply', dir, '--only', 'procedure/two'))).toEqual(['procedure/two refused']);
    expect(statuses(await report('apply', dir, '--only', 'procedure/one'))).toEqual(['procedure/one ok']);
    expect(statuses(await report('apply', dir))).toEqual(['procedure/one exists', 'procedure/two ok']);
    expect(await report('apply', dir, '--only', 'procedure/three')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('procedure/three'),
    });
  });

  it('says why an object does not load, with its line, and goes on', async () => {
    const dir = folder({
      'procedure/wrong.txt': '설명 : x\n\ntable weblog\n| where status > 400\n',
      'procedure/right.txt': '\njson "{}"',
    });
    const applied = await report('apply', dir);
    expect(applied.exitCode).toBe(1);
    expect(applied.objects).toMatchObject([
      { name: 'right', status: 'ok', created: true },
      {
        name: 'wrong',
        file: 'procedure/wrong.txt',
        status: 'refused',
        line: 4,
        code: 92000,
        replacement: 'search status > 400',
        created: false,
      },
    ]);
    const { stdout } = await vigil(['migrate', 'check', dir]);
    expect(stdout).toMatch(
      /^refused +procedure\/wrong +procedure\/wrong\.txt:4 +92000 +there is no command where; .* search status > 400$/m,
    );
    const korean = await vigil(['migrate', 'check', dir], { LANG: 'ko_KR.UTF-8' });
    expect(korean.stdout).toContain("'where' 명령이 없습니다");
  });

  it.each<[string, Record<string, string | Uint8Array>, string[]]>([
    ['a head without an end', { 'procedure/x.txt': '설명 : x' }, ['x refused 1 malformed-head']],
    ['an unknown head line', { 'procedure/x.txt': '설명 : x\nz : y\n\njson "{}"' }, ['x ok  ']],
    ['a foreign first line', { 'procedure/x.txt': 'json "{}"\n\njson "{}"' }, ['x refused 1 malformed-head']],
    ['wrong parameters', { 'procedure/x.txt': '파라미터 : [string]\n\njson "{}"' }, ['x refused 1 malformed-head']],
    ['an unknown type', { 'procedure/x.txt': 'parameters : [ip a]\n\njson "{}"' }, ['x warning 1 unknown-type']],
    [
      'a type of a prototype',
      { 'procedure/x.txt': 'parameters : [constructor a]\n\njson "{}"' },
      ['x warning 1 unknown-type'],
    ],
    [
      'a reserved parameter',
      { 'procedure/x.txt': 'parameters : [int _a]\n\njson "{}"' },
      ['x refused  invalid-argument'],
    ],
    ['no schedule', { 'schedule/x.txt': '경보 사용 : \n\njson "{}"' }, ['x refused 1 no-schedule']],
    ['a wrong cron', { 'schedule/x.txt': 'schedule : daily\n\njson "{}"' }, ['x refused  invalid-argument']],
    [
      'an alarm',
      { 'schedule/x.txt': 'alarm : 예\nschedule : 0 * * * *\n\njson "{}"' },
      ['x warning 1 alarm-not-moved'],
    ],
    ['a stream query', { 'stream/x.txt': 'a' }, ['x refused 1 stream-query']],
    ['broken JSON', { 'table/x.json': '{\n "a": 1,,\n}' }, ['x refused 2 malformed-json']],
    ['JSON that is a list', { 'table/x.json': '[]' }, ['x refused 1 malformed-json']],
    ['deep JSON', { 'table/x.json': '['.repeat(100_000) }, ['x refused 1 malformed-json']],
    ['a table of a wrong name', { 'table/1x.json': '{}' }, ['1x refused  invalid-argument']],
    ['bytes that are no text', { 'procedure/x.txt': Buffer.from([0x0a, 0x0a, 0xff, 0x0a]) }, ['x refused 3 not-utf-8']],
    ['CSV with a short row', { 'lookup/x.csv': 'a,b\n1,2\n3\n' }, ['x refused 3 malformed-csv']],
    ['CSV with a key twice', { 'lookup/x.csv': 'a,b\n1,2\n1,3\n' }, ['x refused 3 malformed-csv']],
    ['CSV with an open quote', { 'lookup/x.csv': 'a,b\n"1,2\n' }, ['x refused 2 malformed-csv']],
    ['an empty CSV', { 'lookup/x.csv': '' }, ['x refused 1 malformed-csv']],
    [
      'one name twice',
      { 'procedure/x.txt': '\njson "{}"', 'procedure/x.json': '{"query":"json \\"{}\\""}' },
      ['x refused  duplicate-name', 'x refused  duplicate-name'],
    ],
    [
      'one name in two compositions',
      { 'procedure/caf\u00e9.txt': '\njson "{}"', 'procedure/cafe\u0301.txt': '\njson "{}"' },
      ['café refused  duplicate-name', 'café refused  duplicate-name'],
    ],
    [
      'a name with a control character',
      { 'procedure/a\u001bb.txt': '\njson "{}"' },
      ['a\u001bb refused  unusable-name'],
    ],
    ['a name of blanks', { 'procedure/ .txt': '\njson "{}"' }, ['  refused  unusable-name']],
    ['a name that no query can call', { 'procedure/a"b.txt': '\njson "{}"' }, ['a"b refused  invalid-argument']],
    [
      'a cycle',
      {
        'procedure/x.txt': '\nproc y()',
        'procedure/y.txt': '\njson "{}" | union [ x ]',
        'procedure/z.txt': '\nproc z()',
      },
      ['y refused  call-cycle', 'x refused  call-cycle', 'z refused  call-cycle'],
    ],
    [
      'a text of what is refused',
      { 'procedure/x.txt': '\ntable nowhere', 'schedule/s.txt': 'schedule : 0 * * * *\n\nproc x()' },
      ['x refused 2 10001', 's refused 3 10300'],
    ],
    ['a host that is not listed', { 'procedure/x.txt': '\nwget url="https://example.com/"' }, ['x refused 2 20701']],
    ['a text in JSON', { 'procedure/x.json': '{\n"query":\n"table nowhere"}' }, ['x refused 2 10001']],
    ['an empty folder', {}, []],
  ])('reports %s', async (_, files, expected) => {
    expect(await findings(files)).toEqual(expected);
  });

  it('follows no link, opens no pipe and reads no huge file', async () => {
    const dir = folder({ 'procedure/big.txt': '', 'lookup/x.csv': 'a\n1\n' });
    truncateSync(join(dir, 'procedure/big.txt'), 17 * 1024 * 1024);
    symlinkSync('/etc/passwd', join(dir, 'procedure/passwd.txt'));
    symlinkSync('/etc', join(dir, 'table'));
    execFileSync('mkfifo', [join(dir, 'procedure/pipe.txt')]);
    const checked = await report('check', dir);
    expect(checked.objects).toMatchObject([
      { name: 'x', status: 'ok' },
      { name: 'big', status: 'refused', code: 'too-large' },
    ]);
    expect(checked.unread).toEqual([
      { file: 'procedure/passwd.txt', reason: 'link' },
      { file: 'procedure/pipe.txt', reason: 'not-a-file' },
      { file: 'table', reason: 'link' },
    ]);
  });

  it('refuses a folder that cannot be read', async () => {
    expect(await vigil(['migrate', 'check', join(folders, 'none')])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('ENOENT'),
    });
  });

  it('loads the rows of a lookup that a run which was broken off has created without them', async () => {
    const dir = folder({ 'lookup/half.csv': 'a,b\n1,2\n' });
    const form = { name: 'half', key: 'a', columns: 'a,b' };
    expect((await service.call('POST', '/api/core/lookups', { form })).status).toBe(200);
    expect((await report('apply', dir)).objects).toMatchObject([{ status: 'exists', created: true }]);
    expect((await vigil(['lookup', 'rows', 'half'])).stdout).toBe('a,b\n1,2\n');
  });

  it('loads the commands of docs/commands, which run', async () => {
    const applied = await report('apply', 'docs/commands');
    const hasProcedures = Object.hasOwn(SYSTEM_OBJECTS, 'procedures');
    expect(statuses(applied)).toEqual([
      'table/agents ok',
      hasProcedures ? 'procedure/confdb ok' : 'procedure/confdb refused',
      'procedure/sentry ok',
    ]);
    await service.call('POST', '/api/core/tables/agents/logs', {
      body: '{"host":"a","os":"linux"}\n{"host":"b","os":"windows"}',
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const found = await vigil(['query', 'sentry | search os == "linux" | fields host', '--format', 'json']);
    expect(found.stdout).toBe('{"host":"a"}\n');
    expect((await vigil(['query', 'sentry windows | fields host', '--format', 'json'])).stdout).toBe('{"host":"b"}\n');
    expect((await vigil(['help', 'sentry'])).stdout).toContain('sentry [os]');
    if (!hasProcedures) return;
    const names = await vigil([
      'query',
      'confdb docs any procedures | search name == "confdb" | fields name',
      '--format',
      'json',
    ]);
    expect(names.stdout).toBe('{"name":"confdb"}\n');
  });
});
