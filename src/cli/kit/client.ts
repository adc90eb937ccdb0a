// The client of the command line: HTTP with a key, over the fetch of Node.

import { createHash } from 'node:crypto';
import { type Call, callOver, type OperationName, type PathParams, type RequestFor } from '#client/call.ts';
import { errorBodyOf } from '#client/error-body.ts';
import { type PlainRequest, plainRequest } from '#client/plain-request.ts';
import { productManifest } from '#docs/product.ts';
import { parseExactly, parseJson } from '#kernel/json/parse-json.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Flags, Invocation } from './command.ts';
import { codeOf, ServiceError } from './failures/failure.ts';
import { readTextFile } from './files/text-file.ts';
import { readVariable } from './variable.ts';

export const DEFAULT_URL = 'http://127.0.0.1:8470';

export const clientFlags: Flags = {
  url: {
    hint: 'URL',
    about: { en: 'address of the service', ko: '서비스 주소' },
    variable: 'VIGIL_URL',
    initial: DEFAULT_URL,
  },
  // There is no flag for the key itself: every user of the machine can read the arguments of a process.
  'key-file': {
    hint: 'FILE',
    about: { en: 'file that holds the key, in place of VIGIL_KEY', ko: 'VIGIL_KEY 대신 키를 읽을 파일' },
  },
};

interface RawRequest extends Pick<RequestInit, 'headers' | 'body'> {
  readonly query?: Readonly<Record<string, string>>;
}

interface AskOptions {
  readonly signal?: AbortSignal;
  /** Repeated without a person: such a request keeps no session alive. */
  readonly isRefresh?: boolean;
}

export interface Client {
  readonly url: string;
  /** Tells keys apart without revealing them. */
  readonly keyDigest: string;
  /** Whether a text contains the key: such a text is stored nowhere. */
  holdsKey(text: string): boolean;
  /** Resolves to the answer of an operation; rejects with the error of the service. */
  readonly call: Call;
  /** The answer as it came; rejects with the error of the service. */
  ask<O extends OperationName>(operation: O, params: RequestFor<O>, options?: AskOptions): Promise<Response>;
  /** The body of a success as it arrives: rows, events, lines. */
  stream<O extends OperationName>(operation: O, params: RequestFor<O>): Promise<ReadableStream<Uint8Array>>;
  /** The answer as it came, an error too. Whatever is not in the path is given by `request`. */
  request<O extends OperationName>(operation: O, path: PathParams<O>, request?: RawRequest): Promise<Response>;
  /** The error of the service in such an answer. */
  errorIn(answer: Response): Promise<Error>;
  /** Parses such an answer, numbers that a double cannot hold as raw JSON with the digits that were sent. */
  readExactly<T>(answer: Response): Promise<T>;
}

export function connect({ flags, environment }: Pick<Invocation, 'flags' | 'environment'>): Client {
  const url = readUrl(flags.url ?? readVariable(environment, 'VIGIL_URL', '--url') ?? DEFAULT_URL);
  const agent = `vigil-shell/${productManifest().version}`;
  const key = readKey(flags['key-file'], environment.VIGIL_KEY);
  const authorization = `Bearer ${key}`;

  function request({ method, path }: PlainRequest, { headers, body, signal }: RequestInit = {}): Promise<Response> {
    return reach(url, `${url}${path}`, {
      method,
      headers: { authorization, 'user-agent': agent, ...headers },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
      ...(signal ? { signal } : {}),
      // A redirected POST would become a GET, and seem to succeed.
      redirect: 'manual',
    });
  }

  async function send(plain: PlainRequest, { signal, isRefresh }: AskOptions = {}): Promise<Response> {
    const { body } = plain;
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(isRefresh ? { 'x-vigil-refresh': 'true' } : {}),
    };
    const answer = await request(plain, {
      headers,
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    });
    if (!answer.ok) throw await refusalOf(answer, url);
    return answer;
  }

  return {
    url,
    keyDigest: createHash('sha256').update(key).digest('hex'),
    holdsKey: (text) => text.includes(key),
    call: callOver(async (plain) => await jsonOf(await send(plain), url)),
    ask: (operation, params, options) => send(plainRequest(operation, params), options),
    async stream(operation, params) {
      const { body } = await send(plainRequest(operation, params));
      return body ?? new ReadableStream({ start: (empty) => empty.close() });
    },
    request(operation, path, { query, ...init } = {}) {
      const plain = plainRequest(operation, path);
      return request(query ? { ...plain, path: `${plain.path}?${new URLSearchParams(query)}` } : plain, init);
    },
    errorIn: (answer) => refusalOf(answer, url),
    async readExactly(answer) {
      if (!answer.ok) throw await refusalOf(answer, url);
      return await jsonOf(answer, url, parseExactly);
    },
  };
}

/**
 * The parameters of an operation that the given flags stand for. All are text, which the service reads as it is meant; those
 * that are required are flags that are, or the caller adds them.
 */
export function paramsOf<O extends OperationName>(declared: Flags, given: Invocation['flags']): RequestFor<O> {
  const params: Record<string, string | readonly string[]> = {};
  for (const [name, { sends, isList }] of Object.entries(declared)) {
    const value = given[name];
    if (sends !== undefined && value !== undefined) params[sends] = isList ? itemsOf(value) : value;
  }
  return params as RequestFor<O>;
}

const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function readUrl(text: string): string {
  const url = URL.parse(text);
  const isUsable = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  if (!isUsable) throw new UsageError('url-wrong', { url: text });
  return url.href.replace(/\/+$/, '');
}

function readKey(file: string | undefined, variable: string | undefined): string {
  const key = (file === undefined ? (variable ?? '') : readTextFile(file)).trim();
  if (key === '') throw new UsageError('key-missing');
  // A header cannot hold other characters; probably the file is another one.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('key-malformed');
  return key;
}

async function reach(url: string, address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    // The reason of a failed fetch is its cause.
    const cause = error instanceof Error ? error.cause : undefined;
    const reason = codeOf(cause) || (cause instanceof Error ? cause.message : String(error));
    throw new UsageError('unreachable', { url, reason }, { cause: error });
  }
}

async function jsonOf<T>(answer: Response, url: string, parse: (text: string) => unknown = parseJson): Promise<T> {
  try {
    return parse(await answer.text()) as T; // See Client.
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw brokenOff(url, cause);
    throw new UsageError('not-vigil', { url, status: String(answer.status) }, { cause });
  }
}

/** The connection was lost within an answer. */
export const brokenOff = (url: string, cause: unknown): UsageError => new UsageError('broken-off', { url }, { cause });

async function refusalOf(answer: Response, url: string): Promise<Error> {
  const notVigil = new UsageError('not-vigil', { url, status: String(answer.status) });
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return notVigil;
  const body = errorBodyOf(await jsonOf(answer, url));
  return body ? new ServiceError(body.error_code, body.error_msg, body) : notVigil;
}
