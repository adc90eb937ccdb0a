// The load generator, seen from a bench: a process of its own that is told what to ask and for how long.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

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

export interface Load extends AsyncDisposable {
  run(order: Order): Promise<Delivered>;
}

export function startLoad(): Load {
  const child = fork(join(import.meta.dirname, 'load-process.ts'), { serialization: 'advanced' });
  return {
    async run(order) {
      child.send(order);
      const settled = new AbortController();
      const { signal } = settled;
      const [answer] = await Promise.race([once(child, 'message', { signal }), once(child, 'exit', { signal })]);
      settled.abort();
      if (typeof answer !== 'object' || 'error' in answer) throw new Error(`no load: ${answer?.error ?? answer}`);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
