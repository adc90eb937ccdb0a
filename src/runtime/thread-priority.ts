// Threads that work for queries give way to the main thread, which serves requests. On Linux a priority belongs to a thread, and
// a thread may lower its own or another's without any right; new ones inherit it. Elsewhere nothing is done.

import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const TASKS = '/proc/self/task';
/** Node's pool; those of DuckDB are begun by one of them, and have its name. */
const WORKER = 'libuv-worker';
/**
 * Below the main thread: a third of its weight. With the lowest priority other programs of the machine would be preferred, too: beside
 * two busy ones a count took five times as long, and requests waited no less.
 */
const STEPS = 5;
const LOWEST = 19;

/** Lowers the priority of the worker threads that exist. */
export function letThreadsYield(): void {
  for (const thread of threads()) {
    letYield(thread, () => readFileSync(`${TASKS}/${thread}/comm`, 'utf8').trim() === WORKER);
  }
}

/** Lowers the priority of the threads that `start` starts, from their first moment: starting is work, too. */
export function yielding<T>(start: () => T): T {
  const others = new Set(threads());
  const started = start();
  for (const thread of threads()) if (!others.has(thread)) letYield(thread);
  return started;
}

function threads(): readonly string[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync(TASKS);
  } catch {
    // The process may open no more files: its threads keep their priority.
    return [];
  }
}

function letYield(thread: string, isMeant = () => true): void {
  try {
    if (isMeant()) setPriority(Number(thread), Math.min(getPriority() + STEPS, LOWEST));
  } catch {
    // It ended meanwhile, or the system does not let us: then queries run as fast as everything else.
  }
}
