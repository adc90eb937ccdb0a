import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { translatorFor } from '#cli/kit/translator.ts';
import { Capture, runCli } from '#test/support/cli.ts';
import { databases, type Service, startService } from '#test/support/service.ts';
import { Victim, witnessIn } from '#test/support/tampering.ts';
import { withProgress } from './verify-progress.ts';

const VERIFY = ['audit', 'verify'];

async function startWithEntries(database: 'sqlite' | 'postgres'): Promise<Service> {
  const service = await startService({ database });
  const forms = ['alpha', 'beta', 'gamma'].map((name) => ({ name }));
  await Promise.all(forms.map((form) => service.call('POST', '/api/core/companies', { form })));
  return service;
}

const flagsOf = ({ config: { data, keys, database } }: Service) =>
  database === undefined ? ['--data', data, '--keys', keys] : ['--database', database, '--keys', keys];

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`vigil audit verify on ${name}`, () => {
    let service: Service;
    beforeAll(async () => {
      service = await startWithEntries(name);
    });
    afterAll(() => service[Symbol.asyncDispose]());

    const verify = (flags: readonly string[] = [], environment: Record<string, string> = {}) =>
      runCli([...VERIFY, ...flagsOf(service), ...flags], { environment });

    it('proves the log of a running service, and of a stopped one, and leaves both as they were', async () => {
      const running = await verify();
      expect({ ...running, stdout: running.stdout.split('\n')[0] }).toEqual({
        exitCode: 0,
        stdout: 'PROVEN. Every entry is as it was written, and none is missing.',
        stderr: '',
      });
      await service.stop();
      const files = () => (name === 'sqlite' ? readdirSync(service.config.data) : []);
      const before = files();
      const { exitCode, stdout } = await verify([], { VIGIL_TIME_ZONE: 'Asia/Seoul' });
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^ {2}Database +\S+$/m);
      expect(stdout).toContain(
        `  Witness      ${witnessIn(service.config.keys)}\n  Entries      4\n  Checkpoints  1\n`,
      );
      expect(stdout).toMatch(/^ {2}Written {6}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+0900 – .*\+0900$/m);
      expect(stdout).toMatch(/^ {2}Newest {7}4 [0-9a-f]{64}$/m);
      expect(files()).toEqual(before);
    });

    it('names the first bad entry with its time and user, in both languages and as JSON', async () => {
      await service.stop();
      await using victim = await Victim.of(service.config);
      await victim.tamper([['update audit_entries set user_name = ? where id = 3', 'Ev\x1be']]);
      const english = await verify();
      expect(english.exitCode).toBe(1);
      expect(english.stdout).toMatch(
        /^NOT PROVEN\. Edited: entry 3\nIts hash does not match its content and the entry before\.\n\n/,
      );
      expect(english.stdout).toMatch(
        /^ {2}As it stands {2}\d{4}-.*\+0000 {2}Ev·e {2}127\.0\.0\.1 {2}companies\.create$/m,
      );
      const korean = await verify([], { LANG: 'ko_KR.UTF-8' });
      expect(korean.exitCode).toBe(1);
      expect(korean.stdout).toMatch(/^증명되지 않음\. 수정됨: 기록 3\n/);
      const { exitCode, stdout } = await verify(['--json']);
      expect(exitCode).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        ok: false,
        kind: 'edited',
        reason: 'altered',
        first_bad_id: 3,
        entry: { id: 3, user_name: 'Ev\x1be', module: 'companies' },
        witnesses: [witnessIn(service.config.keys)],
      });
      await victim.putBack();
      const proven = JSON.parse((await verify(['--json'])).stdout);
      expect(proven).toMatchObject({ ok: true, entries: 4, checkpoints: 1, head: { id: 4 }, remarks: [] });
    });

    it('does not prove a log that goes under another name, nor one that leads it to a foreign witness', async () => {
      await service.stop();
      await using victim = await Victim.of(service.config);
      const rename = (guid: string) => victim.tamper([["update installation set value = ? where key = 'guid'", guid]]);
      const [, own = ''] = /witness-(.*)\.ndjson$/.exec(witnessIn(service.config.keys)) ?? [];
      copyFileSync(witnessIn(service.config.keys), join(service.config.keys, '..', 'forged.ndjson'));
      for (const guid of ['b0f8a8b8-0000-4000-8000-000000000000', 'x/../../forged', '']) {
        await rename(guid);
        const { exitCode, stdout } = await verify();
        expect(exitCode).toBe(1);
        expect(stdout).toContain('NOT PROVEN. Not covered: entries 1 to 4\n');
      }
      expect((await verify(['--witness', witnessIn(service.config.keys)])).exitCode).toBe(0);
      await rename('b0f8a8b8-0000-4000-8000-000000000000');
      await victim[Symbol.asyncDispose]();
      // The service takes the new name for its own, and begins a witness for it.
      await service.restart();
      await service.stop();
      expect((await verify()).stdout).toContain('NOT PROVEN. Not covered: entries 1 to 3\n');
      await rename(own);
    });
  });
}

describe('vigil audit verify --export', () => {
  let service: Service;
  let folder: string;
  let lines: string[];
  let publicKey: string;
  const path = (file: string) => join(folder, file);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-verify-'));
    service = await startWithEntries('sqlite');
    await service.restart();
    const proof = await service.call('GET', '/api/core/audit-logs/proof');
    publicKey = proof.json.public_key;
    writeFileSync(path('proof.json'), proof.text);
    const { text } = await service.call('GET', '/api/core/audit-logs/export?locale=ko');
    lines = text.trimEnd().split('\n');
    writeFileSync(path('later.json'), (await service.call('GET', '/api/core/audit-logs/proof')).text);
  });
  beforeEach(() => write(lines));
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (kept: readonly string[]) =>
    writeFileSync(path('export.ndjson'), kept.map((line) => `${line}\n`).join(''));
  const verify = (...flags: string[]) => runCli([...VERIFY, '--export', path('export.ndjson'), ...flags]);
  const withKeys = (...flags: string[]) => verify('--keys', service.config.keys, ...flags);
  const outside = (...flags: string[]) => verify('--public-key', publicKey, '--proof', path('proof.json'), ...flags);

  it('proves it against the witness, and says that the log went on', async () => {
    const { exitCode, stdout } = await withKeys();
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`  Export       ${path('export.ndjson')}\n`);
    expect(stdout).toContain('  Entries      5\n  Checkpoints  1\n');
    expect(stdout).toContain('Note: the log continued to entry 7 or further after this export was taken.');
  });

  it('is proven up to its last entry, and no further, where its end was cut off', async () => {
    write(lines.slice(0, 3));
    const { exitCode, stdout } = await withKeys();
    expect({ exitCode, says: stdout.split('\n')[0] }).toEqual({
      exitCode: 0,
      says: 'PROVEN up to entry 3. Every entry up to there is as it was written, and none before it is missing.',
    });
  });

  it('refuses a file without an entry', async () => {
    writeFileSync(path('export.ndjson'), '');
    expect(await withKeys()).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `vigil: ${path('export.ndjson')} holds no audit entry: there is nothing to prove\n`,
    });
  });

  it('refuses what is no file', async () => {
    mkdirSync(path('folder'));
    const stderr = `vigil: ${path('folder')} is not a file\n`;
    const refused = { exitCode: 2, stdout: '', stderr };
    expect(await runCli([...VERIFY, '--export', path('folder'), '--keys', service.config.keys])).toEqual(refused);
  });

  it('proves it to whoever has nothing but a proof and the public key', async () => {
    const { exitCode, stdout } = await outside();
    expect(exitCode).toBe(0);
    expect(stdout).toContain('  Witness      none\n');
    expect(stdout).toContain('Note: entries 5 to 5 follow the last signed checkpoint');
    writeFileSync(path('key.pem'), `-----BEGIN PUBLIC KEY-----\n${publicKey}\n-----END PUBLIC KEY-----\n`);
    expect((await verify('--public-key', path('key.pem'), '--proof', path('proof.json'))).exitCode).toBe(0);
  });

  const edit = (at: number, change: object) =>
    lines.with(at, JSON.stringify({ ...JSON.parse(lines[at] ?? ''), ...change }));

  const rules: { it: string; lines(): string[]; says: string }[] = [
    { it: 'an edited field', lines: () => edit(1, { error: 'x' }), says: 'Edited: entry 2' },
    { it: 'an edited name beside the stored one', lines: () => edit(1, { user: 'x' }), says: 'Edited: entry 2' },
    { it: 'an edited time beside the stored one', lines: () => edit(1, { time: 1 }), says: 'Edited: entry 2' },
    { it: 'another predecessor', lines: () => edit(2, { prev_hash: 'x' }), says: 'Edited: entry 3' },
    { it: 'a line that is none', lines: () => lines.with(2, '{"id":3'), says: 'Edited: entry 3' },
    { it: 'a missing line', lines: () => lines.toSpliced(2, 1), says: 'Missing: entry 3' },
    { it: 'a missing first line', lines: () => lines.slice(1), says: 'Missing: entry 1' },
    {
      it: 'lines in another order',
      lines: () => lines.toSpliced(1, 2, `${lines[2]}`, `${lines[1]}`),
      says: 'Out of order: entry 2',
    },
    {
      it: 'a line that stands twice',
      lines: () => lines.toSpliced(2, 0, `${lines[1]}`),
      says: 'Out of order: entry 2',
    },
  ];
  for (const { it: what, lines: tampered, says } of rules) {
    it(`names ${what}`, async () => {
      write(tampered());
      for (const { exitCode, stdout } of [await withKeys(), await outside()]) {
        expect(stdout).toContain(`NOT PROVEN. ${says}\n`);
        expect(exitCode).toBe(1);
      }
    });
  }

  it('says that texts are not part of the proof where they are others', async () => {
    write(edit(1, { msg: 'nothing happened' }));
    const { exitCode, stdout } = await withKeys();
    expect(exitCode).toBe(0);
    expect(stdout).toContain('message than this version writes: 1, the first of them 2.');
  });

  it('tells filtered exports and late proofs from tampering', async () => {
    write(lines.slice(2));
    expect((await withKeys()).stdout).toContain('An export can be proven only when it was taken without filters.');
    write(lines);
    const late = await verify('--public-key', publicKey, '--proof', path('later.json'));
    expect(late.exitCode).toBe(1);
    expect(late.stdout).toContain('NOT PROVEN. End cut off: entry 6\n');
    expect(late.stdout).toContain('If the proof was taken after the export, take the export again');
  });

  it('refuses what it cannot work with', async () => {
    writeFileSync(path('other.json'), '{"head":{"id":1,"hash":""},"checkpoints":[]}');
    const wrong: [string[], string][] = [
      [['--public-key', publicKey], 'an export can be checked without the keys folder only with --proof'],
      [
        ['--public-key', 'nonsense'],
        '`nonsense` is neither a file with an Ed25519 public key nor such a key in base64',
      ],
      [['--keys', path('none')], `there is no signing key ${path('none/audit-signing-key.pem')}: --keys must name`],
      [
        ['--keys', service.config.keys, '--proof', path('other.json')],
        'is not a saved answer of GET /audit-logs/proof',
      ],
      [['--keys', service.config.keys, '--proof', path('none')], `there is no file ${path('none')}`],
      [['--keys', service.config.keys, '--witness', path('none')], `there is no file ${path('none')}`],
      [['--export', path('none')], '--export is given twice'],
    ];
    for (const [flags, says] of wrong) {
      const { exitCode, stdout, stderr } = await verify(...flags);
      expect(stderr).toContain(says);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    }
    const missing = await runCli([...VERIFY, '--export', path('none'), '--keys', service.config.keys]);
    expect(missing).toEqual({ exitCode: 2, stdout: '', stderr: `vigil: there is no file ${path('none')}\n` });
  });

  it('asks which witness is meant where a folder has several', async () => {
    const other = join(service.config.keys, 'audit-witness-other.ndjson');
    copyFileSync(witnessIn(service.config.keys), other);
    const { exitCode, stderr } = await withKeys();
    expect(exitCode).toBe(2);
    expect(stderr).toContain('holds the witnesses of several services: --witness must name the one of this export');
    expect((await withKeys('--witness', other)).exitCode).toBe(0);
    rmSync(other);
  });
});

describe('vigil audit verify', () => {
  it('makes nothing where no service has ever been', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-verify-'));
    const { exitCode, stderr } = await runCli([...VERIFY, '--data', folder, '--keys', folder]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`no Vigil service has ever been started on the data folder ${folder}`);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('says that it cannot read a database that is broken or not there, without its password', async () => {
    const unreachable = ['--database', 'postgres://me:secret@127.0.0.1:1/none', '--keys', '.'];
    const { exitCode, stderr } = await runCli([...VERIFY, ...unreachable]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^vigil: cannot read postgres:\/\/me@127\.0\.0\.1:1\/none \(.*ECONNREFUSED/);
    expect(stderr).not.toContain('secret');
  });
});

describe('Progress of verification', () => {
  afterEach(() => vi.restoreAllMocks());

  async function shown(isTerminal: boolean, millisecondsPerPage: number): Promise<string> {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const stderr = new Capture(isTerminal);
    async function* pages() {
      for (const page of [[1, 2, 3], [4, 5], [6]]) {
        now += millisecondsPerPage;
        yield page;
      }
    }
    const invocation = { streams: { stdout: stderr, stderr }, translator: translatorFor({}) };
    for await (const page of withProgress(pages(), invocation, 6)) expect(page.length).toBeGreaterThan(0);
    return stderr.text;
  }

  it('is said on a terminal when it takes longer than a second', async () => {
    expect(await shown(true, 600)).toBe('\r\x1b[K5 of 6 entries\r\x1b[K');
    expect(await shown(true, 100)).toBe('');
    expect(await shown(false, 5000)).toBe('');
  });
});
