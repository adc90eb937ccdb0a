import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { makeHome } from '#test/support/process.ts';
import { ENVIRONMENT, ensureServiceProcess, FLAGS } from './service-process.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** A process as it was started, and what it begins anew with. */
function started(parts: Partial<NodeJS.Process>) {
  const execve = vi.fn();
  const plain = { platform: 'linux', execPath: '/bin/node', argv: ['/bin/node', 'vigil.js', 'serve'] } as const;
  ensureServiceProcess({ ...plain, env: {}, execArgv: [], ...parts, execve } as unknown as NodeJS.Process);
  return execve.mock.calls;
}

describe('The process of a service', () => {
  it('begins anew with what it lacks, and keeps what it was given', () => {
    expect(started({ env: { A: '1' }, execArgv: ['--inspect'] })).toEqual([
      ['/bin/node', ['/bin/node', ...FLAGS, '--inspect', 'vigil.js', 'serve'], { ...ENVIRONMENT, A: '1' }],
    ]);
    const own = { MALLOC_ARENA_MAX: '7' };
    const both = { ...ENVIRONMENT, ...own };
    expect(started({ env: own })).toEqual([['/bin/node', ['/bin/node', ...FLAGS, 'vigil.js', 'serve'], both]]);
  });

  it('goes on where it lacks nothing, or nothing can be done', () => {
    expect(started({ env: ENVIRONMENT, execArgv: [...FLAGS] })).toEqual([]);
    expect(started({ env: { ...ENVIRONMENT, MALLOC_ARENA_MAX: '7' }, execArgv: ['--v8-pool-size=3'] })).toEqual([]);
    expect(started({ platform: 'darwin' })).toEqual([]);
  });

  it('is started by `npm start` as it should be', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const environment = Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
    expect(scripts.start).toBe(`${environment.join(' ')} exec node ${FLAGS.join(' ')} bin/vigil.js serve`);
  });

  it('is started by the launcher of an archive as it should be', () => {
    const launcher = readFileSync(join(ROOT, 'packaging/launcher.sh'), 'utf8');
    for (const [name, value] of Object.entries(ENVIRONMENT))
      expect(launcher).toContain(`${name}="\${${name}-${value}}"`);
    expect(launcher).toContain(`exec "$root/lib/node" ${FLAGS.join(' ')} `);
  });

  it.runIf(process.platform === 'linux')('is the same one, begun anew', async () => {
    using home = makeHome();
    const flags = ['--port', '0', '--data', join(home.folder, 'data'), '--keys', join(home.folder, 'keys')];
    const env = { PATH: process.env.PATH ?? '', HOME: home.folder };
    const child = spawn(process.execPath, [join(ROOT, 'bin/vigil.js'), 'serve', ...flags], { env });
    try {
      for await (const chunk of child.stdout) if (String(chunk).includes('ready at')) break;
      const of = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8').split('\0');
      for (const [name, value] of Object.entries(ENVIRONMENT)) expect(of('environ')).toContain(`${name}=${value}`);
      expect(of('cmdline')).toContain('--v8-pool-size=1');
    } finally {
      child.kill('SIGKILL');
    }
  });
});
