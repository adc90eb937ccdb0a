// A folder for one run, on a real disk: a flush to a file system in memory costs nothing and would flatter every write.

import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAtExit } from './cleanup.ts';

const TMPFS = 0x01021994;
const REPOSITORY_PARENT = join(import.meta.dirname, '..', '..', '..');

export interface WorkFolder extends Disposable {
  readonly path: string;
  /** The path of something below it. */
  at(...names: string[]): string;
}

export function workFolder(): WorkFolder {
  const parent = statfsSync(tmpdir()).type === TMPFS ? REPOSITORY_PARENT : tmpdir();
  const path = mkdtempSync(join(parent, 'vigil-bench-'));
  const removal = endAtExit(() => rmSync(path, { recursive: true, force: true }));
  return { path, at: (...names) => join(path, ...names), [Symbol.dispose]: () => removal[Symbol.dispose]() };
}
