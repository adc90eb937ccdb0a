// A request whose body a test sends bit by bit, or breaks off.

import type { IncomingHttpHeaders } from 'node:http';
import { clientFor } from './tls.ts';

export interface SlowRequest {
  write(bytes: string | Uint8Array): Promise<void>;
  /** Resolves when everything is handed to the network. */
  end(): Promise<void>;
  /** Breaks the connection. */
  destroy(): void;
  readonly answer: Promise<SlowAnswer>;
}

export interface SlowAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly json: unknown;
}

/** `from` is the address of this machine that it comes from. */
export function slowRequest(
  url: string,
  method: string,
  { headers, from }: { headers: Readonly<Record<string, string>>; from?: string },
): SlowRequest {
  const { promise: answer, resolve, reject } = Promise.withResolvers<SlowAnswer>();
  // Nobody may listen: a request that is broken off has no answer.
  answer.catch(() => undefined);
  // A connection of its own: one that was used before may be closed by the service at this very moment.
  const { Agent, request } = clientFor(url);
  const agent = new Agent({ keepAlive: true });
  const sent = request(url, { method, headers, agent, ...(from ? { localAddress: from } : {}) }, async (got) => {
    const text = Buffer.concat(await got.toArray()).toString();
    const isJson = text !== '' && got.headers['content-type']?.startsWith('application/json');
    resolve({ status: got.statusCode ?? 0, headers: got.headers, json: isJson ? JSON.parse(text) : undefined });
  });
  sent.on('error', reject);
  return {
    write: (bytes) => new Promise((done) => sent.write(bytes, () => done())),
    end: () => new Promise((done) => sent.end(() => done())),
    destroy() {
      sent.destroy();
      agent.destroy();
    },
    answer,
  };
}
