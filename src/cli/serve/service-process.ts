// What the process of a service must be started with, and what must be set before it does anything. It runs dozens of threads
// for its queries, and what they share with the thread that answers everybody must not make it wait.

import { setFlagsFromString } from 'node:v8';

/** Of glibc, which otherwise lets threads share memory, and its locks, with the main thread where processors are few. */
export const ENVIRONMENT = { MALLOC_ARENA_MAX: '256' } as const;

/** Of Node: the threads that collect garbage, which do not give way to the main thread, are no more than one. */
export const FLAGS = ['--v8-pool-size=1'] as const;

/** Of V8: the main thread collects its garbage without waiting for that one. */
const ALONE = ['--no-parallel-scavenge', '--no-parallel-compaction', '--no-parallel-pointer-update'];

/** Begins anew where the process was started without; does not return then. `npm start` saves it that. */
export function ensureServiceProcess({ env, execArgv, execPath, argv, platform, execve }: NodeJS.Process): void {
  for (const flag of ALONE) setFlagsFromString(flag);
  const isReady =
    Object.keys(ENVIRONMENT).every((name) => env[name] !== undefined) &&
    FLAGS.every((flag) => execArgv.some((given) => given.startsWith(nameOf(flag))));
  if (isReady || platform !== 'linux' || !execve) return;
  execve(execPath, [execPath, ...FLAGS, ...execArgv, ...argv.slice(1)], { ...ENVIRONMENT, ...env });
}

const nameOf = (flag: string): string => flag.split('=', 1).join('');
