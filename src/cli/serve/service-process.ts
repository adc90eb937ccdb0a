// Environment and flags of the service process. It runs dozens of threads for queries, and resources shared with them must
// not block the main thread, which answers requests.

import { setFlagsFromString } from 'node:v8';

/**
 * With few processors, glibc would let threads share an arena, and its lock, with the main thread. Every thread has its own;
 * without thresholds glibc raises them to that of the largest buffers, and each arena keeps what it once had.
 */
export const ENVIRONMENT = {
  MALLOC_ARENA_MAX: '256',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
} as const;

/** One thread of Node collects garbage: several would take processors from the main thread. */
export const FLAGS = ['--v8-pool-size=1'] as const;

/** The main thread of V8 collects its garbage without waiting for that thread. */
const SINGLE_THREADED_GC = ['--no-parallel-scavenge', '--no-parallel-compaction', '--no-parallel-pointer-update'];

/** Replaces a process that was started without them, and does not return then. `npm start` passes them. */
export function ensureServiceProcess({ env, execArgv, execPath, argv, platform, execve }: NodeJS.Process): void {
  for (const flag of SINGLE_THREADED_GC) setFlagsFromString(flag);
  const isReady =
    Object.keys(ENVIRONMENT).every((name) => env[name] !== undefined) &&
    FLAGS.every((flag) => execArgv.some((given) => given.startsWith(nameOf(flag))));
  if (isReady || platform !== 'linux' || !execve) return;
  execve(execPath, [execPath, ...FLAGS, ...execArgv, ...argv.slice(1)], { ...ENVIRONMENT, ...env });
}

const nameOf = (flag: string): string => flag.split('=', 1).join('');
