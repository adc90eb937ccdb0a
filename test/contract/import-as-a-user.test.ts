// `vigil import` as somebody at a terminal uses it: broken off in the middle of several files, fed by a pipe, told of a
// service that goes away.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listening } from '#test/support/listening.ts';
import { rowsOf } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { createTable, STREAMS } from '#test/support/uploads.ts';

const EXECUTABLE = join(import.meta.dirname, '../../bin/vigil.js');
const SMALL = '{"n":1}\n{"n":2}\n';
const LARGE_LINES = 40_000;
const LARGE = Array.from({ length: LARGE_LINES }, (_, n) => `{"n":${n},"pad":"${'x'.repeat(50)}"}\n`).join('');

describe('vigil import', () => {
  const subject = serviceFor();
  const folder = mkdtempSync(join(tmpdir(), 'vigil-user-'));
  const temporary = join(folder, 'tmp');
  beforeAll(() => void mkdirSync(temporary));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const run = (args: readonly string[], url = subject.service.url, environment: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [EXECUTABLE, 'import', ...args], {
      env: {
        PATH: process.env.PATH ?? '',
        HOME: folder,
        TMPDIR: temporary,
        LANG: 'C',
        VIGIL_URL: url,
        VIGIL_KEY: MASTER_KEY,
        ...environment,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      said.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said.stderr += chunk;
    });
    return { child, said, ended: once(child, 'close').then(() => ({ ...said, exitCode: child.exitCode })) };
  };
  const count = async (table: string) => (await rowsOf(subject, `table ${table} | stats count`))[0].count;
  const streams = async () => (await subject.call('GET', STREAMS)).json.streams;

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'of several files that was broken off by %s brings nothing twice when it is run again',
    async (signal) => {
      const table = `several_${signal}`;
      await createTable(subject, table);
      const args = [file(`a_${signal}.ndjson`, SMALL), file(`b_${signal}.ndjson`, LARGE), '--table', table];
      // The URL is part of what is remembered, so the proxy keeps its port.
      await using stall = await stallingProxy(subject.service.url, 1_000_000);
      const first = run(args, stall.url);
      await until(stall.isStalled, Boolean);
      first.child.kill(signal);
      await first.ended;
      stall.release();
      const again = await run(args, stall.url).ended;
      expect.soft(again.exitCode, again.stderr).toBe(0);
      expect.soft(again.stderr).toContain('resuming after');
      expect(await count(table)).toBe(2 + LARGE_LINES);
      expect(await streams()).toEqual([]);
      const later = await run([args[0] ?? '', '--table', table], stall.url).ended;
      expect(later.exitCode).toBe(0);
      expect(await count(table), 'a new command imports anew').toBe(4 + LARGE_LINES);
    },
  );

  it('leaves nothing of standard input behind when it is broken off', async () => {
    await createTable(subject, 'piped');
    const { child, ended } = run(['-', '--table', 'piped']);
    // It goes away before it has read everything.
    child.stdin?.on('error', () => undefined);
    child.stdin?.write('a secret that is piped\n'.repeat(10_000));
    await until(() => holdsTemporary(child, temporary), Boolean);
    child.kill('SIGINT');
    await ended;
    expect(readdirSync(temporary).filter((name) => name.startsWith('vigil'))).toEqual([]);
    expect(await streams()).toEqual([]);
  });

  it('says of the files that were done what became of them, also when the service then goes away', async () => {
    await createTable(subject, 'away');
    const args = [file('done.ndjson', `${SMALL}wrong\n`), file('undone.ndjson', LARGE), '--table', 'away'];
    await using stall = await stallingProxy(subject.service.url, 1_000_000);
    const { ended } = run(args, stall.url);
    await until(stall.isStalled, Boolean);
    await stall[Symbol.asyncDispose]();
    const { exitCode, stdout, stderr } = await ended;
    expect(exitCode).not.toBe(0);
    expect.soft(stderr).toContain(`${args[0]}:3: malformed-json`);
    expect.soft(stdout).toMatch(/done\.ndjson +2 +1/);
    expect(stderr).toContain('run the same command again');
  });

  it('goes on by itself when the service is killed and started again', async () => {
    using home = makeHome();
    const first = home.serve();
    await using proxy = await stallingProxy(await first.ready(), 1_000_000);
    const service = {
      call: (...[method, path, options]: Parameters<Service['call']>) => send(proxy.url + path, method, options),
    };
    await createTable(service, 'killed');
    const { ended } = run([file('killed.ndjson', LARGE), '--table', 'killed'], proxy.url);
    await until(proxy.isStalled, Boolean);
    first.child.kill('SIGKILL');
    await first.exited();
    const second = home.serve();
    proxy.release(await second.ready());
    const { exitCode, stdout, stderr } = await ended;
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`killed\\.ndjson +${LARGE_LINES} +0`));
    const rows = await rowsOf(service, 'table killed');
    expect(new Set(rows.map(({ n }) => n)).size).toBe(LARGE_LINES);
    expect(rows.length).toBe(LARGE_LINES);
    second.child.kill('SIGTERM');
    await second.exited();
  });

  it('speaks Korean where the terminal does', async () => {
    await createTable(subject, 'korean');
    const path = file('한글.ndjson', '{"n":1}\nx\n');
    const { exitCode, stdout, stderr } = await run([path, '--table', 'korean'], undefined, { LANG: 'ko_KR.UTF-8' })
      .ended;
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${path}:2: malformed-json`);
    expect(stdout).toMatch(/[가-힣]/);
  });
});

/** Whether the process has a file open in the folder, with or without a name. */
function holdsTemporary({ pid }: ChildProcess, folder: string): boolean {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  return links.some((link) => link.startsWith(`${folder}/`));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Passes bytes on until so many went to the service on one connection, and then none. */
async function stallingProxy(target: string, mostBytes: number) {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isReleased = false;
  let isStalled = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let passed = 0;
    // What comes behind bytes that were dropped must not arrive in their place.
    let isCut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => void [client.destroy(), upstream.destroy()]);
    }
    client.on('data', (chunk) => {
      isCut ||= passed >= mostBytes && !isReleased;
      isStalled ||= isCut;
      if (!isCut) upstream.write(chunk);
      passed += chunk.length;
    });
    upstream.on('data', (chunk) => client.write(chunk));
  });
  const url = await listening(server);
  return {
    url,
    isStalled: () => isStalled,
    /** Lets everything through from now on, to another service if it is said. */
    release(next = target) {
      ({ hostname, port } = new URL(next));
      isReleased = true;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
