// The client that pushes a log, seen from a bench: a process of its own that is told which file, where to and how.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface PushOrder {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** NDJSON, every line ended. */
  readonly file: string;
  /** How many of its records are wanted, from the first on. */
  readonly records: number;
  readonly recordsPerBatch: number;
  /** Connections, each of which sends its next batch when it has its answer. */
  readonly clients: number;
}

export interface Pushed {
  readonly records: number;
  readonly milliseconds: number;
  /** Of every batch, from sending it to its answer. */
  readonly latencies: Float64Array;
}

/** What the process says meanwhile and at the end. */
export type PushNews = { readonly acknowledged: number } | { readonly pushed: Pushed } | { readonly error: string };

/** `tell` hears several times a second how many records were acknowledged. */
export async function pushAll(order: PushOrder, tell: (acknowledged: number) => void): Promise<Pushed> {
  const child = fork(join(import.meta.dirname, 'push-process.ts'), { serialization: 'advanced' });
  const { promise, resolve, reject } = Promise.withResolvers<Pushed>();
  child.on('message', (news: PushNews) => {
    if ('acknowledged' in news) tell(news.acknowledged);
    else if ('pushed' in news) resolve(news.pushed);
    else reject(new Error(`not pushed: ${news.error}`));
  });
  child.on('exit', (code) => reject(new Error(`the pushing process ended with ${code}`)));
  child.send(order);
  try {
    return await promise;
  } finally {
    if (child.exitCode === null) {
      child.disconnect();
      await once(child, 'exit');
    }
  }
}
