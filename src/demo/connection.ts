// The client of the demo: HTTP with a key, through the published operations only.

import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { systemClock } from '#kernel/time/clock.ts';
import { http, https } from '#runtime/http-clients.ts';

const BASE_PATH = '/api/core';

interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface Client {
  /** The answer, also an error. */
  ask(method: string, path: string, given?: RequestOptions): Promise<Reply>;
  /** `T` is the documented answer. An error answer is a defect of the demo. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, fields?: object): Promise<T>;
  put(path: string, fields: object): Promise<void>;
  remove(path: string, fields: object): Promise<void>;
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Connection extends Disposable {
  /** A client with this key. */
  as(key: string): Client;
}

export function connectTo(url: string): Connection {
  const isTls = url.startsWith('https:');
  // The certificate may name another host, and the connection is to this process itself.
  const agent = isTls
    ? new https.Agent({ keepAlive: true, rejectUnauthorized: false })
    : new http.Agent({ keepAlive: true });
  const request = isTls ? https.request : http.request;

  async function once(method: string, path: string, headers: object, body?: string | Uint8Array) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    // Node sets no content-length for a DELETE.
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

    async function ask(method: string, path: string, { headers = {}, body }: RequestOptions = {}): Promise<Reply> {
      for (;;) {
        const reply = await once(method, path, { authorization, ...headers }, body);
        // The setting key-rate may limit the requests of a key.
        if (reply.status !== 429) return reply;
        await systemClock.sleep(Temporal.Duration.from({ seconds: Number(reply.retryAfter ?? 1) }));
      }
    }

    async function call<T>(method: string, path: string, fields?: object): Promise<T> {
      const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) };
      const reply = await ask(method, path, fields ? json : {});
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
      return JSON.parse(reply.text) as T; // See Client.
    }

    return {
      ask,
      get: (path) => call('GET', path),
      post: (path, fields) => call('POST', path, fields),
      put: async (path, fields) => void (await call('PUT', path, fields)),
      remove: async (path, fields) => void (await call('DELETE', path, fields)),
    };
  }

  return { as, [Symbol.dispose]: () => agent.destroy() };
}
