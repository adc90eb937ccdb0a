// The demo speaks to its service as any client does: over HTTP, with a key, through the published operations.

import { Agent, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as SealedAgent, request as sealedRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { systemClock } from '#kernel/clock.ts';

const BASE_PATH = '/api/core';

interface Said {
  readonly status: number;
  readonly text: string;
}

export interface Client {
  /** The answer, whatever it is. */
  ask(method: string, path: string, given?: RawValue): Promise<Said>;
  /** `T` is what the reference of operations promises as the answer. Anything but a success is a defect of the demo. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, fields?: object): Promise<T>;
  put(path: string, fields: object): Promise<void>;
  remove(path: string, fields: object): Promise<void>;
}

interface RawValue {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Connection extends Disposable {
  /** Whoever holds this key. */
  as(key: string): Client;
}

export function connectTo(url: string): Connection {
  const isSealed = url.startsWith('https:');
  // The certificate is the service's own and may name any host; whoever answers at its own socket is itself.
  const agent = isSealed
    ? new SealedAgent({ keepAlive: true, rejectUnauthorized: false })
    : new Agent({ keepAlive: true });
  const request = isSealed ? sealedRequest : plainRequest;

  async function once(method: string, path: string, headers: object, body?: string | Uint8Array) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    // Node leaves the length of a DELETE to whoever sends it.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sending = request(
      `${url}${BASE_PATH}${path}`,
      { method, agent, headers: { ...headers, ...length } },
      resolve,
    );
    sending.on('error', reject).end(body);
    const answer = await promise;
    return { status: answer.statusCode ?? 0, text: await text(answer), retryAfter: answer.headers['retry-after'] };
  }

  function as(key: string): Client {
    const authorization = `Bearer ${key}`;

    async function ask(method: string, path: string, { headers = {}, body }: RawValue = {}): Promise<Said> {
      for (;;) {
        const said = await once(method, path, { authorization, ...headers }, body);
        // A setting may allow a key only so many requests a second.
        if (said.status !== 429) return said;
        await systemClock.sleep(Temporal.Duration.from({ seconds: Number(said.retryAfter ?? 1) }));
      }
    }

    async function told<T>(method: string, path: string, fields?: object): Promise<T> {
      const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) };
      const said = await ask(method, path, fields ? json : {});
      if (said.status >= 300) throw new Error(`${method} ${path}: ${said.status} ${said.text}`);
      return JSON.parse(said.text) as T; // See Client.
    }

    return {
      ask,
      get: (path) => told('GET', path),
      post: (path, fields) => told('POST', path, fields),
      put: async (path, fields) => void (await told('PUT', path, fields)),
      remove: async (path, fields) => void (await told('DELETE', path, fields)),
    };
  }

  return { as, [Symbol.dispose]: () => agent.destroy() };
}
