// A process of its own that is told what to do and answers with what it found.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Worker<Order extends object, Answer> extends AsyncDisposable {
  run(order: Order): Promise<Answer>;
}

/** `file` is beside this one. It answers every message with one of its own, `{error}` where it failed. */
export function startWorker<Order extends object, Answer>(file: string): Worker<Order, Answer> {
  const child = fork(join(import.meta.dirname, file), { serialization: 'advanced' });
  return {
    async run(order) {
      child.send(order);
      const settled = new AbortController();
      const { signal } = settled;
      const [answer] = await Promise.race([once(child, 'message', { signal }), once(child, 'exit', { signal })]);
      settled.abort();
      if (typeof answer !== 'object' || 'error' in answer) throw new Error(`${file}: ${answer?.error ?? answer}`);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
