// The far side of the network for the client of the console: a request gets the answer that the test has for its operation,
// and is kept as the test wants to look at it.

import { vi } from 'vitest';

export interface SentRequest {
  /** As it is declared: `GET /api/core/queries/:id`. */
  readonly operation: string;
  /** Of the path, the query string and the JSON body. */
  readonly params: Readonly<Record<string, unknown>>;
  /** A body that is not JSON, as text. */
  readonly content?: string;
  readonly headers: Headers;
  readonly isRefresh: boolean;
}

/** A body of status 200, or a whole response. */
type Answer = object | Promise<object>;
type Answers = Readonly<Record<string, (request: SentRequest) => Answer>>;

/** Answers until the end of the test. Returns the requests so far, which grow. */
export function answerConsole(answers: Answers): readonly SentRequest[] {
  const requests: SentRequest[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init = {}) => {
    init.signal?.throwIfAborted();
    const request = requestOf(String(input), init, Object.keys(answers));
    requests.push(request);
    const answer = Promise.resolve(
      answers[request.operation]?.(request) ?? refusal(404, 'not-found', request.operation),
    );
    const body = await (init.signal ? Promise.race([answer, abortOf(init.signal)]) : answer);
    return body instanceof Response ? body : Response.json(body);
  });
  return requests;
}

/** An error as the service answers it. */
export const refusal = (status: number, error_code: string, error_msg: string, more: object = {}): Response =>
  Response.json({ error_code, error_msg, ...more }, { status, headers: { 'x-request-id': 'r1' } });

/** Rows as the service writes them. */
export const rowLines = (rows: readonly object[], headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(rows.map((row) => `${JSON.stringify(row)}\n`).join(''), { headers });

/** No answer at all. */
export const unreachable = (): Promise<never> => Promise.reject(new TypeError('fetch failed'));

/** No answer until the request is aborted. */
export const unanswered = (): Promise<never> => new Promise(() => undefined);

function requestOf(address: string, init: RequestInit, operations: readonly string[]): SentRequest {
  const { pathname, searchParams } = new URL(address, 'http://console.test');
  const headers = new Headers(init.headers);
  const body = typeof init.body === 'string' ? init.body : undefined;
  const isJson = headers.get('content-type') === 'application/json' && body?.startsWith('{') === true;
  const own = `${init.method ?? 'GET'} ${pathname}`;
  const operation = operations.find((candidate) => patternOf(candidate).test(own)) ?? own;
  return {
    operation,
    params: {
      ...patternOf(operation).exec(own)?.groups,
      ...Object.fromEntries(searchParams),
      ...(isJson ? JSON.parse(body) : {}),
    },
    ...(body === undefined || isJson ? {} : { content: body }),
    headers,
    isRefresh: headers.get('x-vigil-refresh') === 'true',
  };
}

const patternOf = (operation: string): RegExp =>
  new RegExp(`^${operation.replace(/[.*+?()[\]\\]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
