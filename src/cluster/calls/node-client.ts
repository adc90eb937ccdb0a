// Requests to another node. A request ends as unreachable when the node cannot be connected to, or is silent: for a while neither
// bytes of the answer come, nor an answer to the question whether it lives. So an answer that takes its time is waited for.

import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Clock, withTimeout } from '#kernel/time/clock.ts';
import { http, https } from '#runtime/http-clients.ts';

/** After so long without a byte the node is asked whether it lives, and has as long to say so. */
const SILENCE_TIMEOUT = Temporal.Duration.from({ milliseconds: 2500 });

/** The reason of an abort that nobody asks for. Without one an error with its stack is made for each request. */
const OVER = 'over';

/** The node did not answer, or ended in the middle of its answer. */
export class NodeSilent extends Error {
  override readonly name = 'NodeSilent';
  /** It had closed a connection that was to be used again: the request may be sent once more, on a new one. */
  readonly isStale: boolean;

  constructor(cause?: unknown, { isStale = false } = {}) {
    super('the node does not answer', { cause });
    this.isStale = isStale;
  }

  /** For the service log: the code of the system or of TLS where there is one. */
  get reason(): string {
    if (!(this.cause instanceof Error)) return 'no answer';
    return 'code' in this.cause ? String(this.cause.code) : this.cause.message;
  }
}

export interface NodeRequest {
  readonly method: string;
  /** With its query string. */
  readonly url: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Readable | undefined;
  /** Aborted when nobody waits for the answer any longer. */
  readonly gone: AbortSignal;
  /** On a connection of its own. */
  readonly isAlone?: boolean;
}

export class NodeClient implements Disposable {
  readonly #clock: Clock;
  // Connections between nodes are few and used again.
  readonly #agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The answer once its head has come. Its body is destroyed with NodeSilent when the node falls silent. */
  async send(address: string, request: NodeRequest): Promise<IncomingMessage> {
    const sent = this.#open(address, request);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    let answer: IncomingMessage | undefined;
    let isEnded = false;
    const mayRepeat = !request.body && ['GET', 'HEAD'].includes(request.method);
    const fail = (cause?: unknown) =>
      reject(new NodeSilent(cause, { isStale: sent.reusedSocket && mayRepeat && !isEnded }));
    const end = (error?: Error) => {
      isEnded = true;
      answer?.destroy(error);
      sent.destroy(error);
    };
    const leave = () => end();
    const over = new AbortController();
    sent.on('error', fail);
    sent.on('close', () => {
      if (!answer) fail();
      if (!answer || answer.closed) over.abort(OVER);
    });
    sent.on('response', (head) => {
      answer = head.once('close', () => over.abort(OVER));
      resolve(head);
    });
    request.gone.addEventListener('abort', leave, { signal: over.signal });
    if (request.gone.aborted) leave();
    feed(sent, request.body);
    void this.#watch(address, { bytes: () => sent.socket?.bytesRead ?? 0, over: over.signal, silent: end });
    return await promise;
  }

  [Symbol.dispose](): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #open(address: string, { method, url, headers, isAlone }: Omit<NodeRequest, 'body' | 'gone'>) {
    const { protocol, hostname, port } = new URL(address);
    const options = { method, path: url, headers, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port };
    return protocol === 'https:'
      ? https.request({ ...options, agent: !isAlone && this.#agents.https })
      : http.request({ ...options, agent: !isAlone && this.#agents.http });
  }

  async #watch(address: string, exchange: Exchange): Promise<void> {
    let bytes = exchange.bytes();
    while (!exchange.over.aborted) {
      await this.#clock.sleep(SILENCE_TIMEOUT, exchange.over);
      if (exchange.over.aborted) return;
      const isQuiet = exchange.bytes() === bytes;
      bytes = exchange.bytes();
      if (!isQuiet || (await this.#isAlive(address, exchange.over))) continue;
      if (!exchange.over.aborted && exchange.bytes() === bytes) exchange.silent(new NodeSilent());
    }
  }

  async #isAlive(address: string, over: AbortSignal): Promise<boolean> {
    const question = this.#open(address, { method: 'GET', url: '/healthz', headers: {}, isAlone: true });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    question
      .on('error', () => resolve(false))
      .on('response', (answer) => {
        answer.resume();
        resolve(true);
      });
    const asked = new AbortController();
    over.addEventListener('abort', () => resolve(true), { signal: asked.signal });
    question.end();
    const isAlive = await withTimeout(this.#clock, SILENCE_TIMEOUT, promise, false);
    asked.abort();
    question.destroy();
    return isAlive;
  }
}

interface Exchange {
  /** Read so far. */
  bytes(): number;
  readonly over: AbortSignal;
  silent(error: Error): void;
}

/** A body that ends early ends the request; an answer may come before its end. */
function feed(sent: ClientRequest, body: Readable | undefined): void {
  if (!body) return void sent.end();
  body.once('close', () => {
    if (!body.readableEnded) sent.destroy();
  });
  sent.once('close', () => body.unpipe(sent));
  body.pipe(sent);
}
