import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '#test/support/cli.ts';
import { commands } from './commands.ts';

const KOREAN = { environment: { LC_ALL: 'ko_KR.UTF-8' } };

describe('The command vigil', () => {
  it('lists every command in its help, under the name it is listed by', async () => {
    const { exitCode, stdout } = await runCli(['--help']);
    expect(exitCode).toBe(0);
    for (const { name, load } of commands) {
      expect((await load()).name).toBe(name);
      expect(stdout).toContain(`\n  ${name}`);
    }
  });

  const helps = [
    { it: 'shows all commands when nothing is asked, as wrong use', args: [], exitCode: 2, shows: 'user list' },
    { it: 'shows one command with its flags', args: ['user', 'create', '--help'], exitCode: 0, shows: '--name NAME' },
    { it: 'marks flags that are required', args: ['user', 'create', '-h'], exitCode: 0, shows: 'required' },
    { it: 'takes help as the first word', args: ['help', 'key', 'create'], exitCode: 0, shows: '--expires-at TIME' },
    { it: 'explains a command of the query language', args: ['help', 'stats'], exitCode: 0, shows: 'stats ' },
    { it: 'explains a function of the query language', args: ['help', 'nvl'], exitCode: 0, shows: 'nvl(x, y) → any' },
    { it: 'shows a family of commands', args: ['key', '--help'], exitCode: 0, shows: 'key reset-master' },
    { it: 'shows a family as wrong use when it stands alone', args: ['key'], exitCode: 2, shows: 'key reset-master' },
    { it: 'names the variable of a setting', args: ['serve', '--help'], exitCode: 0, shows: 'VIGIL_DATA' },
  ];
  for (const { it: sentence, args, exitCode, shows } of helps) {
    it(sentence, async () => {
      const help = await runCli(args);
      expect(help).toMatchObject({ exitCode, stderr: '' });
      expect(help.stdout).toContain(shows);
    });
  }

  it('says its version, its commit and its Node', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const { exitCode, stdout } = await runCli(['--version']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^vigil \S+ \((commit [0-9a-f]{8}, )?Node \S+\)\n$/);
    expect(stdout).toContain(`vigil ${version} (`);
    expect(stdout).toContain(`Node ${process.versions.node})`);
  });

  const mistakes = [
    { args: ['frobnicate'], says: 'there is no command `frobnicate`; see vigil --help' },
    { args: ['help', 'frobnicate'], says: 'there is no command `frobnicate`; see vigil --help' },
    { args: ['-x'], says: 'there is no command `-x`; see vigil --help' },
    { args: ['serv', '--port', '1'], says: 'there is no command `serv`; did you mean `serve`?' },
    { args: ['usr', 'list'], says: 'there is no command `usr list`; did you mean `user list`?' },
    { args: ['user', 'lst', 'bob'], says: 'there is no command `user lst`; did you mean `user list`?' },
    { args: ['user', 'list', '--keyword', 'x'], says: 'there is no flag --keyword; did you mean --keywords?' },
    { args: ['user', 'list', '--zzz'], says: 'there is no flag --zzz; --help lists the flags' },
    { args: ['user', 'show'], says: 'LOGIN-or-GUID is missing; see vigil user show --help' },
    { args: ['serve', 'now'], says: '`now` is one argument too many; see vigil serve --help' },
    { args: ['user', 'create', 'bob', '--name', 'Bob'], says: '--role is required; see vigil user create --help' },
    { args: ['serve', '--port', 'x'], says: 'port must be a whole number from 0 to 65535, not `x`' },
  ];
  for (const { args, says } of mistakes) {
    it(`answers \`vigil ${args.join(' ')}\` with exit code 2 and what is wrong`, async () => {
      expect(await runCli(args)).toEqual({ exitCode: 2, stdout: '', stderr: `vigil: ${says}\n` });
    });
  }

  it('passes on what the operating system or a database refuses, without a trace of our own code', async () => {
    const data = mkdtempSync(join(tmpdir(), 'vigil-main-'));
    mkdirSync(join(data, 'tables'));
    onTestFinished(() => rmSync(data, { recursive: true }));
    const nobody = ['key', 'reset-master', '--data', data, '--database', 'postgres://127.0.0.1:9/none'];
    expect(await runCli(nobody)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'vigil: the command failed: connect ECONNREFUSED 127.0.0.1:9\n',
    });
  });

  it('speaks Korean when the terminal does', async () => {
    expect(await runCli(['user', 'lst'], KOREAN)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'vigil: `user lst` 명령은 없습니다. 혹시 `user list` 명령입니까?\n',
    });
    expect((await runCli(['--help'], KOREAN)).stdout).toContain('서비스를 실행합니다');
  });

  it('takes the language from LC_ALL before LC_MESSAGES before LANG', async () => {
    const helpIn = async (environment: Record<string, string>) => (await runCli(['help'], { environment })).stdout;
    expect(await helpIn({ LANG: 'ko_KR.UTF-8' })).toMatch(/^사용법/);
    expect(await helpIn({ LANG: 'ko_KR.UTF-8', LC_MESSAGES: 'en_US.UTF-8' })).toMatch(/^Usage/);
    expect(await helpIn({ LANG: 'en_US', LC_MESSAGES: 'en_US', LC_ALL: 'ko_KR' })).toMatch(/^사용법/);
  });

  it('does not let a mistyped word steer the terminal', async () => {
    const { stderr } = await runCli(['\x1b[31mred']);
    expect(stderr).toBe('vigil: there is no command `·[31mred`; see vigil --help\n');
  });

  it('gives its exit code to the shell', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [EXECUTABLE, 'user', 'lst'], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('user list');
  });

  it.each([['--help'], ['--version'], ['help', 'stats']])(
    'says that standard output is full, without a stack trace: %s',
    async (...args) => {
      const full = openSync('/dev/full', 'w');
      onTestFinished(() => closeSync(full));
      const child = spawn(process.execPath, [EXECUTABLE, ...args], { stdio: ['ignore', full, 'pipe'], env: {} });
      const [stderr, [exitCode]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'vigil: cannot write standard output (ENOSPC)\n' });
    },
  );

  it('ends quietly when the reader of its output has seen enough', async () => {
    const child = spawn(process.execPath, [EXECUTABLE, '--help']);
    child.stdout.destroy();
    const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

const EXECUTABLE = join(import.meta.dirname, '../../bin/vigil.js');
