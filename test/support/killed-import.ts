// An import that is killed in the middle, as a process of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from './service.ts';
import { until } from './until.ts';

const EXECUTABLE = join(import.meta.dirname, '../../bin/vigil.js');
const HALFWAY_BYTES = 500_000;

/** Kills it when the service has so many bytes; what lies between must not let all of them through before. */
export async function killHalfway(
  { config }: Pick<Service, 'config'>,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [EXECUTABLE, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: config.data, LANG: 'C', ...environment },
    stdio: 'ignore',
  });
  const uploads = join(config.data, 'uploads');
  const arrived = () => readdirSync(uploads).map((name) => statSync(join(uploads, name)).size);
  await until(arrived, (sizes) => sizes.some((size) => size > HALFWAY_BYTES));
  child.kill('SIGKILL');
  await once(child, 'close');
}
