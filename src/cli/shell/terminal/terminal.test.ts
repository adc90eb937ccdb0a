// The shell on a real terminal, as far as a machine has the means to make one: `script` of util-linux.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startQueryStandIn } from '#test/support/query-service.ts';
import { until } from '#test/support/until.ts';

const EXECUTABLE = join(import.meta.dirname, '../../../../bin/vigil.js');
/** That of other systems has other flags. */
const hasPseudoTerminals = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

describe.skipIf(!hasPseudoTerminals)('vigil shell on a pseudo-terminal (needs script of util-linux)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-terminal-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function start(
    url: string,
    environment: Record<string, string> = {},
  ): { child: ChildProcess; closed: Promise<unknown>; type(keys: string): void; until(text: string): Promise<string> } {
    const command = `trap : INT; stty rows 20 cols 60; '${process.execPath}' '${EXECUTABLE}' shell; echo "code $?"; stty -a`;
    const child = spawn('script', ['-qfc', command, '/dev/null'], {
      env: {
        PATH: process.env.PATH,
        VIGIL_URL: url,
        VIGIL_KEY: 'vgl_key',
        LANG: 'C.UTF-8',
        XDG_STATE_HOME: folder,
        ...environment,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    // It may end before anybody waits for that.
    const closed = once(child, 'close');
    let shown = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      shown += chunk;
    });
    const showing = async (text: string) => {
      await until(
        () => ({ text, shown }),
        (now) => now.shown.includes(text),
      );
      // What follows may have come along with it.
      const end = shown.indexOf(text) + text.length;
      const found = shown.slice(0, end);
      shown = shown.slice(end);
      return found;
    };
    return { child, closed, type: (keys) => void child.stdin?.write(keys), until: showing };
  }

  it('reads keys one by one, shows what is typed, and gives the terminal back as it was', async () => {
    await using service = await startQueryStandIn({
      events: [[{ is_finished: true, rows: 1 }]],
      rows: () => '{"rows":[{"이름":"김철수"}],"total":1,"field_order":["이름"],"field_types":{"이름":"string"}}',
    });
    const { child, closed, type, until } = start(service.url);
    await until('\x1b[?2004h\r\x1b[Jvigil> ');
    type('tabl\t');
    await until('vigil> table ');
    type('wx\x7f\x1b[Deb\x1b[C\x7f\r');
    expect(await until('1 rows in')).toContain('이름\r\n김철수\r\n');
    expect(JSON.parse(service.heard.find(({ path }) => path === '/cursors')?.body ?? '').q).toBe('table eb');
    type('\x03');
    await until('leaves.');
    type('\x04');
    const last = await until('isig icanon');
    expect(last).toContain('\x1b[?2004l');
    expect(last).toContain('code 0');
    child.kill();
    await closed;
  });

  it('lends the terminal to the pager: its keys, its Ctrl-C, its lines that are cut', async () => {
    const rows = Array.from({ length: 50 }, (_, n) => ({ n }));
    await using service = await startQueryStandIn({
      events: [[{ is_finished: true, rows: rows.length }]],
      rows: () => JSON.stringify({ rows, total: rows.length, field_order: ['n'], field_types: { n: 'long' } }),
    });
    const pager = `trap 'echo interrupted' INT; tail -n 1; echo "LESS is $LESS"; read line </dev/tty || read line </dev/tty; echo "read $line"`;
    writeFileSync(join(folder, 'less'), `#!/bin/sh\n${pager}\n`, { mode: 0o755 });
    const { child, closed, type, until } = start(service.url, { PATH: `${folder}:${process.env.PATH}` });
    await until('vigil> ');
    type('table web\r');
    await until('49\r\nLESS is -S');
    type('\x03');
    await until('interrupted');
    type('not for the shell\r');
    await until('read not for the shell');
    await until('50 rows in');
    await until('vigil> ');
    type('\x04');
    await until('code 0');
    child.kill();
    await closed;
    expect(service.calls().filter((call) => call === 'POST /cursors')).toHaveLength(1);
  });

  it('cancels a query that runs, and ends with the terminal', async () => {
    await using service = await startQueryStandIn({ events: [[{ rows: 3 }]] });
    const { child, closed, type, until } = start(service.url);
    await until('vigil> ');
    type('table web\r');
    await until('3 rows');
    type('\x03');
    await until('Cancelling the query');
    await until('vigil> ');
    expect(service.calls()).toEqual([
      'POST /cursors',
      'GET /queries/7/events',
      'POST /queries/7/cancel',
      'DELETE /cursors/7',
    ]);
    type('\x04');
    await until('code 0');
    child.kill();
    await closed;
  });
});
