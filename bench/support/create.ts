// Clients that create objects, seen from a bench: a process of its own that is told what to create and for how long.

import { startWorker, type Worker } from './worker.ts';

export interface CreateOrder {
  /** Of the services; clients are spread over them evenly. */
  readonly ports: readonly number[];
  readonly clients: number;
  readonly milliseconds: number;
  readonly path: string;
  readonly key: string;
  /** Of each object, beside its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The beginning of every name: one that was not used before. */
  readonly name: string;
}

export interface CreatedObjects {
  readonly milliseconds: number;
  /** Of every creation, in milliseconds. */
  readonly latencies: Float64Array;
}

export type Creators = Worker<CreateOrder, CreatedObjects>;

export const startCreators = (): Creators => startWorker('create-process.ts');
