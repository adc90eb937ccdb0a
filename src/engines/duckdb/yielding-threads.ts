// Threads that work for queries give way to the one that answers everybody. On Linux a priority belongs to a thread, and
// a thread may lower its own or another's without any right; new ones inherit it. Elsewhere nothing is done.

import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const TASKS = '/proc/self/task';
/** Node's pool; those of DuckDB are begun by one of them, and have its name. */
const WORKER = 'libuv-worker';
const LOWEST = 19;

export function letThreadsYield(): void {
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync(TASKS)) {
    try {
      const name = readFileSync(`${TASKS}/${thread}/comm`, 'utf8').trim();
      if (name === WORKER) setPriority(Number(thread), LOWEST);
    } catch {
      // It ended meanwhile, or the system does not let us: then queries run as fast as everything else.
    }
  }
}
