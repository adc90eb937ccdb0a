// A client that asks at a fixed pace, seen from a bench: a process of its own, so that what else the bench does cannot
// be taken for a slow answer.

import { startWorker, type Worker } from './worker.ts';

export interface Target {
  readonly port: number;
  readonly path: string;
}

export interface PaceOrder {
  /** Each is asked at every beat. */
  readonly targets: readonly Target[];
  readonly beatMilliseconds: number;
  readonly milliseconds: number;
}

export interface Paced {
  /** Of the targets in their order: milliseconds of every beat, to the last byte of its answer. */
  readonly latencies: readonly Float64Array[];
}

export const startPace = (): Worker<PaceOrder, Paced> => startWorker('pace-process.ts');
