import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { TestTerminal } from '#test/support/cli.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { ENDLESS_JSON } from '#test/support/queries.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

describe('vigil shell on a terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-shell-'));
  let service: Service;
  let member = '';
  beforeAll(async () => {
    service = await startService();
    const logger = await createLogger(service, { table: 'web' });
    await createLogger(service, { table: 'wages' });
    const rows = Array.from({ length: 200 }, (_, n) => JSON.stringify({ n, path: `/p${n % 4}`, 이름: '김철수' }));
    await push(service, logger, { body: rows.join('\n') });
    const account = await createAccount(service, 'MEMBER', { login: 'reader' });
    member = account.key;
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function shell(environment: Record<string, string> = {}) {
    const terminal = new TestTerminal();
    const exit = terminal.start(['shell'], {
      VIGIL_URL: service.url,
      VIGIL_KEY: MASTER_KEY,
      LANG: 'C',
      XDG_STATE_HOME: folder,
      ...environment,
    });
    await terminal.until('vigil> ');
    const leave = async () => {
      terminal.type('\x04');
      expect([await exit, terminal.isRaw]).toEqual([0, false]);
    };
    return { terminal, exit, leave };
  }
  const queries = async () => (await service.call('GET', '/api/core/queries')).json.queries;

  it('greets, runs what is typed, and leaves with Ctrl-D', async () => {
    const { terminal, leave } = await shell();
    expect(terminal.isRaw).toBe(true);
    terminal.type('table web | stats count by path | sort path\r');
    const shown = await terminal.until(' s\n');
    expect(shown).toContain('path  count\n/p0      50\n/p1      50\n');
    expect(shown).toMatch(/4 rows in \d+\.\d\d s\n$/);
    await leave();
    expect(await queries()).toEqual([]);
  });

  it('has a refused statement as it should read in the next prompt, where Enter runs it', async () => {
    const { terminal, leave } = await shell();
    terminal.type('table web | where n = 7 | fields n\r');
    await terminal.until('vigil> table web | search n == 7 | fields n');
    terminal.type('\r');
    expect(await terminal.until(' s\n')).toContain('n\n7\n');
    await leave();
  });

  it('completes tables, fields and values, in subqueries too', async () => {
    const { terminal, leave } = await shell();
    terminal.type('tab\tweb | join type=leftonly pa\t');
    await terminal.until('join type=leftonly path');
    terminal.type(' [ table web | search 이\t');
    await terminal.until('search 이름');
    terminal.type('\x15table w\t');
    await terminal.until('wages');
    terminal.type('\x15\\fie\t');
    await terminal.until('\\fields ');
    terminal.type('web\r');
    await terminal.until('이름    string');
    await leave();
  });

  it('knows only the tables that the key may read', async () => {
    const { terminal, leave } = await shell({ VIGIL_KEY: member });
    terminal.type('\\tables\r');
    terminal.type('table we\t\r');
    const shown = await terminal.until('(10001)');
    expect(shown).not.toMatch(/wages|web/);
    await leave();
  });

  it('marks mistakes below the line, by cells, all of them', async () => {
    const { terminal, leave } = await shell();
    terminal.type('table web | search 이름 == nope() | serach\r');
    const shown = await terminal.until('did you mean search?');
    const expected = [
      `${' '.repeat(7)}${' '.repeat(27)}^^^^${' '.repeat(5)}^^^^^^`,
      'line 1, column 26: there is no function nope (90300)',
      'line 1, column 35: there is no command serach (92000)',
      'did you mean search?',
    ];
    expect(shown).toContain(`\r\n${expected.join('\n')}`);
    await leave();
  });

  it('goes on over lines until a text is whole, and takes what is pasted as one', async () => {
    const { terminal, leave } = await shell();
    terminal.type('table web |\r');
    await terminal.until('     > ');
    terminal.type('stats max(n\r) as most\r');
    await terminal.until('199');
    terminal.type('\x1b[200~table web\n| stats count\n| eval x = count * 2\x1b[201~');
    await terminal.until('count * 2');
    expect(await queries()).toEqual([]);
    terminal.type('\r');
    await terminal.until('400');
    await leave();
  });

  describe('with a table that is longer than the screen', () => {
    const LONG = 'table order=asc web | fields n, path\r';
    const file = join(folder, 'paged');
    const lastLine = '199  /p3\n';

    it('gives $PAGER the whole aligned table, and prints nothing itself', async () => {
      const { terminal, leave } = await shell({ PAGER: `cat > '${file}'` });
      terminal.type(LONG);
      expect(await terminal.until('200 rows in')).not.toContain(lastLine);
      const lines = readFileSync(file, 'utf8').split('\n');
      expect([lines.length, ...lines.slice(0, 3), lines[200]]).toEqual([
        202,
        '  n  path',
        '  0  /p0',
        '  1  /p1',
        '199  /p3',
      ]);
      await leave();
    });

    it('goes on when the pager is left before the last row', async () => {
      const { terminal, leave } = await shell({ PAGER: `head -n 1 > '${file}'` });
      terminal.type(LONG);
      await terminal.until('200 rows in');
      expect(readFileSync(file, 'utf8')).toBe('  n  path\n');
      terminal.type('json "{a:1}"\r');
      await terminal.until('1 rows in');
      await leave();
    });

    it.each([
      ['is empty', { PAGER: '' }],
      ['names a program that does not exist', { PAGER: 'no-such-pager' }],
      ['is not set on a system without less', { PATH: join(folder, 'nothing-here') }],
    ])('prints it where $PAGER %s', async (_, environment) => {
      const { terminal, leave } = await shell(environment);
      terminal.type(LONG);
      const shown = await terminal.until('200 rows in');
      expect(shown).toContain('\n  0  /p0\n');
      expect(shown).toContain(lastLine);
      await leave();
    });

    it('asks no pager for a table that fits', async () => {
      const { terminal, leave } = await shell({ PAGER: `echo asked >> '${file}.short'` });
      terminal.type('table order=asc web | fields n | limit 1\r');
      await terminal.until('n\n0\n');
      await leave();
      expect(existsSync(`${file}.short`)).toBe(false);
    });
  });

  it('cancels with Ctrl-C, keeps what was typed meanwhile, and leaves nothing behind', async () => {
    const { terminal, leave } = await shell();
    terminal.type(`${ENDLESS_JSON}\r`);
    await terminal.until('0:00');
    expect((await queries())[0]).toMatchObject({ source: 'console', is_finished: false });
    terminal.type('table we\x03');
    expect(await terminal.until('vigil> table we')).toContain('Cancelling the query');
    await until(queries, (found) => found.length === 0);
    terminal.type('b | limit 1 | fields n\r');
    await terminal.until('1 rows in');
    await leave();
  });

  it('leaves with the second Ctrl-C on an empty line, after a hint', async () => {
    const { terminal, exit } = await shell();
    terminal.type('something\x03');
    expect(await terminal.until('vigil> something')).not.toContain('leaves.');
    terminal.type('\x03');
    await terminal.until('Ctrl-C again, Ctrl-D or \\quit leaves.');
    terminal.type('\x03');
    expect(await exit).toBe(0);
  });

  it('remembers what was typed, but never the key', async () => {
    const { terminal, leave } = await shell();
    terminal.type(`json "${MASTER_KEY}" \r`);
    await terminal.until('(10200)');
    terminal.type('json "{remembered:1}"\r');
    await terminal.until('remembered\n');
    await leave();
    const kept = readFileSync(join(folder, 'vigil', 'shell-history'), 'utf8');
    expect(kept).toContain('remembered');
    expect(kept).not.toContain(MASTER_KEY);
    const second = await shell();
    second.terminal.type('\x12remem');
    await second.terminal.until('search `remem`: json "{remembered:1}"');
    second.terminal.type('\x1b[D\x07\x15\x0b');
    second.terminal.type('\x1b[A');
    await second.terminal.until('vigil> json "{remembered:1}"');
    second.terminal.type('\x15\x0b');
    await second.leave();
  });

  it('takes its own commands, and says what it does not know', async () => {
    const { terminal, exit } = await shell({ LANG: 'ko_KR.UTF-8' });
    terminal.type('\\hlep\r');
    await terminal.until('혹시 \\help 명령입니까?');
    terminal.type('\\format xml\r');
    await terminal.until('table, csv, json');
    const file = join(folder, 'rows.csv');
    terminal.type(`\\o ${file}\r`);
    await terminal.until(file);
    terminal.type('json "{a:1}"\r');
    await terminal.until('1건');
    expect(readFileSync(file, 'utf8')).toBe('a\r\n1\r\n');
    terminal.type('\\format csv\r');
    terminal.type('json "{b:2}"\r');
    await terminal.until('b\r\n2\r\n');
    terminal.type('\\quit\r');
    expect(await exit).toBe(0);
  });

  it('goes on when the service cannot be reached', async () => {
    const { terminal, leave } = await shell({ VIGIL_URL: 'http://127.0.0.1:9' });
    terminal.type('table w\t');
    await terminal.until('table w');
    terminal.type('\r');
    await terminal.until('no answer from http://127.0.0.1:9');
    await leave();
  });
});
