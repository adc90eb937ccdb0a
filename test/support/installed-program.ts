// A program as an operator has installed it: started by its own command, as another user, with nothing of this checkout around it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callerOf } from './process.ts';
import { MASTER_KEY } from './service.ts';

/** Of the user `nobody`; tests that are not run by root have no other user. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export interface InstalledService extends AsyncDisposable {
  readonly url: string;
  readonly service: ReturnType<typeof callerOf>;
  stop(): Promise<void>;
}

export interface Started {
  readonly command: string;
  readonly args?: readonly string[];
  /** Where programs are looked for. */
  readonly path: string;
  readonly user?: { readonly uid?: number; readonly gid?: number };
  readonly stdio?: readonly (number | 'pipe' | 'ignore')[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Resolves when it is ready. */
export async function startInstalled({
  command,
  args = [],
  path,
  user = {},
  stdio,
  environment,
}: Started): Promise<InstalledService> {
  const child = spawn(command, args, {
    env: { PATH: path, HOME: '/nonexistent', LANG: 'C', VIGIL_MASTER_KEY: MASTER_KEY, ...environment },
    cwd: '/',
    stdio: stdio ? [...stdio] : ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  const url = await readyAt(child);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { url, service: callerOf(url), stop, [Symbol.asyncDispose]: stop };
}

/** The URL that the service prints when it is ready. */
export async function readyAt(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    const [url] = /http:\/\/[\w.:]+/.exec(said) ?? [];
    if (url && said.includes('\n', said.indexOf(url))) return url;
  }
  throw new Error(`ended: ${said}`);
}

/** A folder of that user's, for data and keys. */
export function folderOf({ uid, gid }: { readonly uid?: number; readonly gid?: number }) {
  const path = mkdtempSync(join(tmpdir(), 'vigil-installed-'));
  for (const name of ['data', 'keys']) mkdirSync(join(path, name), { mode: 0o700 });
  if (uid !== undefined && gid !== undefined)
    for (const one of [path, join(path, 'data'), join(path, 'keys')]) chownSync(one, uid, gid);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
