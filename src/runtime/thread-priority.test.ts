// Threads of queries give way to the main thread, whatever priority the service itself was started with.

import { readdirSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { yielding } from './thread-priority.ts';

const threads = () => readdirSync('/proc/self/task');

it.skipIf(process.platform !== 'linux')(
  'Threads that are started so are below the main thread, by a few steps',
  async () => {
    const before = new Set(threads());
    const worker = yielding(() => new Worker('setInterval(() => {}, 1000)', { eval: true }));
    const started = threads().filter((thread) => !before.has(thread));
    expect(started.length).toBeGreaterThan(0);
    expect(new Set(started.map((thread) => getPriority(Number(thread))))).toEqual(
      new Set([Math.min(getPriority() + 5, constants.priority.PRIORITY_LOW)]),
    );
    await worker.terminate();
  },
);
