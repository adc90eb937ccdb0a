// What each test file costs: processor time of its worker and of the processes that it has started and seen end, and its time.
// Loaded before all else of the file; the reporter shows the dearest.

import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

export interface FileCost {
  readonly processorSeconds: number;
  readonly seconds: number;
}

declare module 'vitest' {
  interface TaskMeta {
    cost?: FileCost;
  }
}

const STAT = '/proc/self/stat';
const TICKS_PER_SECOND = 100;

/** Of children that have been waited for; 0 where the system does not tell. */
function childrenSeconds(): number {
  try {
    // Behind the name of the program, which may hold anything: state is the first field.
    const fields = readFileSync(STAT, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

const begun = { usage: process.cpuUsage(), children: childrenSeconds(), at: performance.now() };

// Registered first, so it runs last.
// biome-ignore lint/correctness/noEmptyPattern: vitest wants a pattern there, to see which fixtures are asked for.
afterAll(({}, file) => {
  const { user, system } = process.cpuUsage(begun.usage);
  file.meta.cost = {
    processorSeconds: (user + system) / 1e6 + childrenSeconds() - begun.children,
    seconds: (performance.now() - begun.at) / 1000,
  };
});
