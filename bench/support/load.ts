// The load generator, seen from a bench: a process of its own that is told what to ask and for how long.

import { startWorker, type Worker } from './worker.ts';

export interface Order {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly milliseconds: number;
}

export interface Delivered {
  readonly requests: number;
  readonly milliseconds: number;
  /** Of every request, in milliseconds. */
  readonly latencies: Float64Array;
}

export type Load = Worker<Order, Delivered>;

export const startLoad = (): Load => startWorker('load-process.ts');
