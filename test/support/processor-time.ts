// The time that a processor works: on a busy machine work waits, and does not become more.

import { readFileSync } from 'node:fs';

/** Linux counts the time of other processes in ticks of this length. */
const TICK_MS = 10;

/** Milliseconds that synchronous work takes, of this thread alone. */
export function processorMs(work: () => unknown): number {
  const begun = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

/** Milliseconds that all threads of a process have taken since it began. */
export function processorMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, which may have spaces, is in parentheses: user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Occupies this thread for so long, as work without a pause does. */
export function occupyThread(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
